/** A file that someone at a facility uploaded by a link → the document. Pure. What it says about replacing other documents has no effect. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { DocumentKind } from '#contract/documents.ts';
import { isDischargeSummary } from '#server/intake/ccda/loinc-names.ts';
import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import { describeDocument, saysDischarge } from './describe.ts';
import type { ReceivedDocument } from './received-document.ts';

type Described = Pick<PatientFacts, 'name' | 'birthDate'>;

/** What a message with an upload holds beside its facts. */
export const uploadInMessage = z.object({
  /** Our own, so that it never is another document's. */
  number: z.string(),
  uploadedBy: z.string(),
  /** The organization that asked for it; null if it is from before that was kept. */
  uploadedFor: z.string().nullable().default(null),
  /** Whether the stay had ended: before, no one can have summed up the discharge. */
  hasEnded: z.boolean().default(true),
  /** Of the facility. */
  timeZone: z.string(),
  /** The patient as the facility itself reported them. */
  patient: z.custom<Described>((value) => typeof value === 'object' && value !== null),
  /** Base64; null takes the upload back. */
  file: z.base64().nullable(),
});
export type UploadInMessage = z.infer<typeof uploadInMessage>;

/** A file before it is stored, with the patient as the facility reported them. */
export interface UploadToCheck {
  bytes: Uint8Array;
  timeZone: string;
  patient: Described;
}

/** Why a file is not taken, in words for the person who sent it, or what it is. */
export type CheckedUpload = { refusal: string } | { kind: DocumentKind };

/** Checks a file as it will be read later. */
export type CheckUpload = (upload: UploadToCheck) => Promise<CheckedUpload>;

const TAKEN: ReadonlySet<DocumentKind> = new Set(['CCDA', 'PDF', 'RTF', 'IMAGE']);
const WRONG_TYPE =
  'This file is not a C-CDA document, PDF, RTF, PNG, JPEG or GIF, so it was not sent. Save it as a PDF, then choose it again.';
/** LOINC */
const DISCHARGE_SUMMARY = '18842-5';
/** LOINC: summary of episode note. */
const EPISODE_SUMMARY = '34133-9';
const DURING_STAY = 'Summary during the stay';

/**
 * Returns the document in an uploaded file; or why it is not taken. After the stay, it is a discharge summary whatever it says, as fewer people may read
 * those; before, it is none whatever it says.
 */
export function readUpload(
  bytes: Buffer,
  { number, uploadedBy, uploadedFor, hasEnded, timeZone }: Omit<UploadInMessage, 'patient' | 'file'>,
): ReceivedDocument | { refusal: string } {
  const described = describeDocument(bytes, { timeZone });
  if (!TAKEN.has(described.kind)) return { refusal: WRONG_TYPE };
  if (described.problem !== null) {
    return {
      refusal: `This C-CDA document can't be read, so it was not sent. ${described.problem} Or save it as a PDF, then choose that.`,
    };
  }
  const { typeCode, type, title, model } = described;
  if (!hasEnded) {
    const isNamed = model !== null && !saysDischarge(null, title);
    const named = { title: isNamed ? title : DURING_STAY, typeCode: EPISODE_SUMMARY, type: DURING_STAY };
    return { ...described, act: 'NEW', number, parentNumber: null, uploadedBy, uploadedFor, ...named };
  }
  return {
    ...described,
    act: 'NEW',
    number,
    parentNumber: null,
    uploadedBy,
    uploadedFor,
    title: model ? title : 'Discharge summary',
    typeCode: isDischargeSummary(typeCode) ? typeCode : DISCHARGE_SUMMARY,
    type: saysDischarge(null, type) ? type : 'Discharge summary',
  };
}

/** Returns the documents of a stored message: the uploaded one, or the act that takes it back. */
export function documentsOfUpload(upload: UploadInMessage): ReceivedDocument[] | { refusal: string } {
  const { number, uploadedBy, uploadedFor, timeZone, file } = upload;
  if (file === null) {
    const nothing = describeDocument(Buffer.alloc(0), { timeZone });
    return [{ ...nothing, act: 'CANCEL', number, uploadedBy, uploadedFor, bytes: null }];
  }
  const read = readUpload(Buffer.from(file, 'base64'), upload);
  return 'refusal' in read ? read : [read];
}

/** Returns the hash that facts of an upload have in common with no others. */
export const hashOfUpload = (controlId: string, bytes: Buffer | null): string =>
  hash('sha256', `${controlId}\u001f${bytes === null ? '' : hash('sha256', bytes, 'hex')}`, 'hex');

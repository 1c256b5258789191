/** Whether a document inside a message is about another patient than the message: its recordTarget contradicts PID. Pure. */
import type { DocumentHeader } from '#contract/clinical-documents.ts';
import { type CheckedUpload, readUpload, type UploadToCheck } from '#server/intake/documents/read-upload.ts';
import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import type { ReadMessage } from '#server/intake/messages/read-message.ts';
import { compare } from '#server/record/scoring/comparison.ts';
import { type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';
import { demographicsOfSource } from '#server/record/scoring/source-demographics.ts';

/** Levels of a birth date that no typing error explains. */
const CONTRADICTS: ReadonlySet<string> = new Set(['part', 'differs', 'generation']);

/** Returns the reading, or a quarantine if a document in it is about another patient. The reason names no one. */
export function refuseAboutAnother(read: ReadMessage): ReadMessage {
  const [fact] = read.kind === 'facts' ? read.facts : [];
  if (read.kind !== 'facts' || fact === undefined) return read;
  for (const { model } of read.documents ?? []) {
    const difference = model && differenceOf(read.aboutPatient ?? fact.adt.patient, model.header.patient);
    if (!difference) continue;
    const reason = read.aboutPatient
      ? anotherThanLink(difference)
      : `The document inside is about another patient than PID: ${difference}. Send it with the PID of its patient.`;
    return { kind: 'quarantine', feed: read.feed, reason };
  }
  return read;
}

const anotherThanLink = (difference: string): string =>
  `The document is about another patient than the link: ${difference}. It was not sent. Choose a document of this patient.`;

/** Checks an uploaded file before it is stored, so that the person who sent it learns at once what is wrong with it. */
export function checkUpload({ bytes, timeZone, patient }: UploadToCheck): CheckedUpload {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = readUpload(view, { number: '', uploadedBy: '', uploadedFor: null, hasEnded: true, timeZone });
  if ('refusal' in read) return read;
  const difference = read.model && differenceOf(patient, read.model.header.patient);
  return difference ? { refusal: anotherThanLink(difference) } : { kind: read.kind };
}

/**
 * Returns in which way the two can't be one person; null if they can. A birth date may have one wrong part and a family name may change by
 * marriage, but not both at once.
 */
export function differenceOf(
  inPid: Pick<PatientFacts, 'name' | 'birthDate'>,
  inDocument: DocumentHeader['patient'],
): string | null {
  const { name, birthDate, isOneOfSeveral } = inDocument;
  if (isOneOfSeveral) return 'it is also about a second patient';
  const [pid, document] = [
    normalize(demographicsOfSource(inPid)),
    normalize(demographicsOfSource({ name, birthDate })),
  ];
  const levels = compare(pid, document);
  if (!CONTRADICTS.has(levels.birthDate)) return null;
  if (partsThatDiffer(pid, document) > 1) return 'the birth dates differ';
  return levels.family === 'differs' ? 'the family names and the birth dates differ' : null;
}

function partsThatDiffer(a: NormalizedDemographics, b: NormalizedDemographics): number {
  const parts = b.birthDate?.split('-') ?? [];
  return (a.birthDate?.split('-') ?? []).filter((part, at) => part !== parts[at]).length;
}

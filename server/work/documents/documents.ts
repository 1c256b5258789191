/** A patient's documents, and what is stored of one. */
import type { CcdEntry, CcdSummary } from '#contract/documents.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { bytesOf, storedBytesOf } from '#server/record/documents/store-contents.ts';
import { seesDischargeSummaries } from './discharge.ts';
import { type DocumentRow, documentRows, listingOf, storedModels } from './queries.ts';
import type { StoredDocument } from './read-stored.ts';

/** Returns the documents of the patient, newest first; discharge summaries only for those who may see them. Errors: NOT_FOUND. */
export async function listDocuments(tx: ActorTransaction, patientId: string): Promise<CcdEntry[]> {
  return (await readable(tx, patientId)).map(entryOf);
}

async function readable(tx: ActorTransaction, patientId: string): Promise<DocumentRow[]> {
  const { personId, rosterPatientId } = await resolvePatient(tx, patientId);
  const rows = await documentRows(tx, sql`d.person_id = ${personId}`);
  const isShown = (await seesDischargeSummaries(tx, rosterPatientId))
    ? () => true
    : ({ isDischargeSummary }: DocumentRow) => !isDischargeSummary;
  return rows.filter(isShown);
}

/** Returns a document of the patient. Errors: NOT_FOUND. */
export async function documentOf(tx: ActorTransaction, patientId: string, uuid: string): Promise<DocumentRow> {
  const row = (await readable(tx, patientId)).find((each) => each.uuid === uuid);
  if (row === undefined) throw new ApiError('NOT_FOUND');
  return row;
}

/** Returns a document, whoever's it is. Errors: NOT_FOUND, also if none of the team's groups lists the person. */
export async function documentByUuid(tx: ActorTransaction, uuid: string): Promise<DocumentRow> {
  const [row] = await documentRows(tx, sql`d.uuid = ${uuid}`);
  const listing = row && (await listingOf(tx, row.personId));
  if (row === undefined || listing === undefined) throw new ApiError('NOT_FOUND');
  if (row.isDischargeSummary && !(await seesDischargeSummaries(tx, listing))) throw new ApiError('NOT_FOUND');
  notePatients([listing]);
  return row;
}

/**
 * Returns a document as it is stored, for a thread that reads it (`read-stored.ts`). `isCompared`: with those before it, whose medications may
 * be compared.
 */
export async function storedOf(
  tx: ActorTransaction,
  row: DocumentRow,
  { isCompared }: { isCompared: boolean },
): Promise<StoredDocument> {
  const [model] = row.kind === 'CCDA' ? await storedModels(tx, [row]) : [];
  return {
    entry: entryOf(row),
    model: model?.model ?? null,
    words: await wordsOf(tx, row, model !== undefined),
    file: fileIn(row),
    before: model && isCompared ? await storedModels(tx, await comparable(tx, row)) : [],
  };
}

function fileIn(row: DocumentRow): CcdSummary['file'] {
  if (row.fileId) return { mediaType: row.fileMediaType ?? '', size: row.fileSize ?? 0 };
  const isFile = row.kind === 'PDF' || row.kind === 'IMAGE';
  return isFile ? { mediaType: row.mediaType, size: row.size } : null;
}

const WORDS_OF_FILE: Readonly<Record<string, 'rtf' | 'text'>> = {
  'text/plain': 'text',
  'text/rtf': 'rtf',
  'application/rtf': 'rtf',
};

/**
 * Returns the text or RTF file that a document is, or that a clinical document has in place of sections. A clinical document that can't be read is
 * shown as what it is: its text, with all its markup.
 */
async function wordsOf(
  tx: ActorTransaction,
  { kind, contentId, problem, fileId, fileMediaType }: DocumentRow,
  isRead: boolean,
): Promise<StoredDocument['words']> {
  const ofFile = fileId === null ? undefined : WORDS_OF_FILE[fileMediaType ?? ''];
  if (isRead) return fileId && ofFile ? { kind: ofFile, stored: await storedBytesOf(tx, fileId) } : null;
  if (kind === 'RTF') return { kind: 'rtf', stored: await storedBytesOf(tx, contentId) };
  if (kind !== 'TEXT' && !(kind === 'CCDA' && problem !== null)) return null;
  return { kind: 'text', stored: await storedBytesOf(tx, contentId) };
}

/** How many documents before one are looked at for a medication list. */
const LOOK_BACK = 10;

/**
 * Returns earlier documents that the user may open: those of earlier visits, then those of earlier days, each newest first. Two documents that a
 * facility writes at the end of one stay say the same.
 */
async function comparable(tx: ActorTransaction, row: DocumentRow): Promise<DocumentRow[]> {
  const rows = await documentRows(
    tx,
    sql`d.person_id = ${row.personId} and d.kind = 'CCDA' and d.written_at < (select o.written_at from documents o where o.id = ${row.id})`,
  );
  const listing = await listingOf(tx, row.personId);
  const seesSummaries =
    row.isDischargeSummary || (listing !== undefined && (await seesDischargeSummaries(tx, listing)));
  const shown = rows.filter(({ isDischargeSummary }) => seesSummaries || !isDischargeSummary);
  const start = row.encounterStartDate ?? '';
  const ofEarlierVisits = shown.filter(({ encounterStartDate }) => (encounterStartDate ?? start) < start);
  const ofEarlierDays = shown.filter((each) => dayOf(each) < dayOf(row));
  return [...new Set([...ofEarlierVisits, ...ofEarlierDays])].slice(0, LOOK_BACK);
}

/** The day on which a document was written, else received. */
const dayOf = ({ writtenAt, receivedAt }: DocumentRow): string =>
  (writtenAt !== null && writtenAt.length >= 10 ? writtenAt : receivedAt).slice(0, 10);

/** Returns the bytes of a document as it was sent, or of the file in it. */
export const fileOf = (tx: ActorTransaction, row: DocumentRow, isOriginal: boolean) =>
  bytesOf(tx, (!isOriginal && row.fileId) || row.contentId);

function entryOf(row: DocumentRow): CcdEntry {
  const {
    id: _,
    personId: __,
    contentId: ___,
    fileId: ____,
    mediaType: _____,
    fileMediaType: ______,
    fileSize: _______,
    ...entry
  } = row;
  return entry;
}

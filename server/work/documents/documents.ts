/** A patient's documents, and what is in one. */
import type { ClinicalDocument } from '#contract/clinical-documents.ts';
import type { CcdEntry, CcdSummary } from '#contract/documents.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { bytesOf, modelFrom } from '#server/record/documents/store-contents.ts';
import { seesDischargeSummaries } from './discharge.ts';
import { medicationChanges, medicationsOf } from './medication-changes.ts';
import { type DocumentRow, documentRows, listingOf, storedModel } from './queries.ts';
import { textOfRtf } from './rtf-text.ts';

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

/** Returns what is in a document. */
export async function openDocument(tx: ActorTransaction, row: DocumentRow): Promise<CcdSummary> {
  const document = await modelOf(tx, row);
  const file = row.fileId
    ? { mediaType: row.fileMediaType ?? '', size: row.fileSize ?? 0 }
    : row.kind === 'PDF' || row.kind === 'IMAGE'
      ? { mediaType: row.mediaType, size: row.size }
      : null;
  return {
    entry: entryOf(row),
    document,
    text: document === null ? await wordsOf(tx, row) : await wordsOfFile(tx, row),
    file,
    medicationChanges: document && (await changesBefore(tx, row, document)),
  };
}

export async function modelOf(tx: ActorTransaction, row: DocumentRow): Promise<ClinicalDocument | null> {
  const stored = row.kind === 'CCDA' ? await storedModel(tx, row.contentId) : null;
  return stored && modelFrom(stored);
}

/** Characters of a text that are shown; the whole is in the file. */
const LONGEST_TEXT = 500_000;

/** A clinical document that can't be read is shown as what it is: its text, with all its markup. */
async function wordsOf(tx: ActorTransaction, { kind, contentId, problem }: DocumentRow): Promise<string | null> {
  if (kind === 'RTF') return textOfRtf((await bytesOf(tx, contentId)).toString('latin1')).slice(0, LONGEST_TEXT);
  if (kind !== 'TEXT' && !(kind === 'CCDA' && problem !== null)) return null;
  return (await bytesOf(tx, contentId)).toString('utf8').slice(0, LONGEST_TEXT);
}

/** The words of a text or RTF file that a clinical document has in place of sections. */
async function wordsOfFile(tx: ActorTransaction, { fileId, fileMediaType }: DocumentRow): Promise<string | null> {
  if (fileId === null || !/^(text\/(plain|rtf)|application\/rtf)$/.test(fileMediaType ?? '')) return null;
  const bytes = await bytesOf(tx, fileId);
  const text = fileMediaType === 'text/plain' ? bytes.toString('utf8') : textOfRtf(bytes.toString('latin1'));
  return text.slice(0, LONGEST_TEXT);
}

async function changesBefore(
  tx: ActorTransaction,
  row: DocumentRow,
  document: ClinicalDocument,
): Promise<CcdSummary['medicationChanges']> {
  const after = medicationsOf(document);
  if (after === null) return null;
  for (const each of await comparable(tx, row)) {
    const model = await modelOf(tx, each);
    const before = model && medicationsOf(model);
    if (before) {
      const since = { sinceUuid: each.uuid, sinceTitle: each.title, sinceWrittenAt: each.writtenAt };
      return { ...since, changes: medicationChanges(before, after) };
    }
  }
  return { sinceUuid: null, sinceTitle: null, sinceWrittenAt: null, changes: [] };
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

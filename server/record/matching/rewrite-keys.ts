import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { entryOf, loadEntries, replaceEntries } from './blocking-index.ts';
import { idsOf, loadSubjects } from './queries.ts';
import { type Subject, type SubjectKind, subjectKey } from './subjects.ts';

/**
 * Replaces the blocking keys of subjects of one kind with those that the present version derives from the same demographics. Their rows are locked, in the
 * order of their ids, so that no change of demographics writes keys at the same moment.
 */
export async function rewriteKeys(tx: Transaction, kind: SubjectKind, subjects: readonly Subject[]): Promise<void> {
  const ids = idsOf(subjects);
  await tx.query(
    kind === 'SOURCE_PATIENT'
      ? sql`select from source_patients where id = any (${ids}::bigint[]) order by id for share`
      : sql`select from roster_patients where id = any (${ids}::bigint[]) order by id for share`,
  );
  const records = await loadSubjects(tx, subjects);
  const entries = new Map(records.map((record) => [subjectKey(record), entryOf(record.demographics)]));
  await replaceEntries(tx, records, await loadEntries(tx, records), entries);
}

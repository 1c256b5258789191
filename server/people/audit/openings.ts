/** Ties `record_openings` to the audit log: an entry for each batch of openings names its rows and hashes them, and is sealed like all others. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { digestOf } from './seal-chain.ts';
import { writeAuditAs } from './write-audit.ts';

/** An opening's id, and all of its columns as texts. */
export interface OpeningCells {
  id: string;
  cells: readonly (string | null)[];
}

/** SQL: the cells of a row of `record_openings`, independent of the connection's settings. Columns that later migrations add do not enter. */
export const OPENING_CELLS: Sql = sql`array[
  id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), person_id::text, group_id::text, roster_patient_id::text, how,
  user_id::text, upload_id::text, to_char(opens_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), foreign_visits::text]`;

const ACTION = 'record.open';
const ENTRIES_AT_ONCE = 1000;

const byId = (a: OpeningCells, b: OpeningCells): number => Number(BigInt(a.id) - BigInt(b.id));

/** Writes the entry of openings that were written together. `userId`: who decided the review that opened them. */
export async function auditOpenings(
  tx: Queryable,
  openings: readonly OpeningCells[],
  { now, userId }: { now: Date; userId: string | null },
): Promise<void> {
  if (openings.length === 0) return;
  const sorted = openings.toSorted(byId);
  const detail = { openings: sorted.map(({ id }) => Number(id)), digest: digestOf(sorted.map(({ cells }) => cells)) };
  await writeAuditAs(
    tx,
    { userId },
    { action: ACTION, subject: 'patient', subjectId: null, detail, now, requestId: null },
  );
}

interface Entry {
  id: string;
  openings: string[];
  digest: string;
}

/** Returns what is wrong with the openings that audit entries name, and with those that none names, a sentence each. */
export async function verifyOpenings(db: Queryable): Promise<string[]> {
  const problems: string[] = [];
  for (let after = '0'; ; ) {
    const { rows: entries } = await db.query<Entry>(sql`
      select id, detail ->> 'digest' as digest, array(select jsonb_array_elements_text(detail -> 'openings')) as openings
      from audit_entries where action = ${ACTION} and id > ${after} order by id limit ${ENTRIES_AT_ONCE}`);
    const { rows } = await db.query<OpeningCells>(sql`
      select id, ${OPENING_CELLS} as cells from record_openings where id = any (${entries.flatMap(({ openings }) => openings)}::bigint[])`);
    const found = new Map(rows.map((row) => [row.id, row]));
    problems.push(...entries.flatMap((entry) => wrongOpenings(entry, found)));
    after = entries.at(-1)?.id ?? after;
    if (entries.length < ENTRIES_AT_ONCE) break;
  }
  const unnamed = await countUnnamed(db);
  return unnamed > 0 ? [...problems, `${unnamed} openings of visits are in no audit entry.`] : problems;
}

function wrongOpenings({ id, openings, digest }: Entry, found: ReadonlyMap<string, OpeningCells>): string[] {
  const rows = openings.flatMap((opening) => found.get(opening) ?? []);
  if (digestOf(rows.map(({ cells }) => cells)) === digest) return [];
  const what =
    rows.length === openings.length ? 'they were changed' : `there were ${openings.length}, now ${rows.length}`;
  return [`The openings of visits in entry ${id} are not those that were recorded: ${what}.`];
}

/** Counts openings since the oldest kept entry about openings: before that, none was written, or it is past its retention. */
async function countUnnamed(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*)::int as count from record_openings
    where at >= (select min(at) from audit_entries where action = ${ACTION}) and id not in (
      select jsonb_array_elements_text(detail -> 'openings')::bigint from audit_entries where action = ${ACTION})`);
  return rows[0]?.count ?? 0;
}

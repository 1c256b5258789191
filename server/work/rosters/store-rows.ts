/** Stores the rows of a file as they are read, in short transactions, so that no connection waits for the client. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RosterEncoding } from '#contract/rosters.ts';
import { DatabaseBusyError } from '#server/platform/database/errors.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { familySound } from '#server/platform/text/similar-names.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import type { HeaderMapping } from './headers.ts';
import { parseRoster } from './parse.ts';
import type { ParsedRow, RosterRow } from './row-reader.ts';

export interface RowStore {
  groupId: string;
  /** Runs one of the transactions. */
  inTransaction: (fn: (tx: Queryable) => Promise<void>) => Promise<void>;
  /** Keeps the upload alive, in each of them. */
  renew: (tx: Queryable) => Promise<void>;
  clock: () => Date;
  /** What the group's own headers mean. */
  mapping: HeaderMapping;
}

/** So few that most of what a row takes while it is read is given back soon. */
const BATCH = 1000;
const MOST_TRIES = 6;
/** Milliseconds after which fewer rows are stored too, so that a slow upload is renewed. */
const LONGEST_BATCH = 60_000;
/** Limits for repeating unknown headers to the uploader. */
const IGNORED = { length: 60, count: 50 };

/** What is known about a file as a whole once it has been read. */
export interface FileFacts {
  /** Headers whose cells are not read. */
  ignored: string[];
  /** Whether dates of birth were read as D/M/YYYY. */
  hasDayFirst: boolean;
  encoding: RosterEncoding;
  /** Cells that were probably written in another encoding. */
  garbledCells: number;
  rows: number;
}

/** Parses a file and stores its rows under an upload. Errors: RosterFileError, and those of `bytes`. */
export async function storeRows(
  uploadId: string,
  bytes: AsyncIterable<Uint8Array>,
  { groupId, inTransaction, renew, clock, mapping }: RowStore,
): Promise<FileFacts> {
  const facts: FileFacts = { ignored: [], hasDayFirst: false, encoding: 'UTF_8', garbledCells: 0, rows: 0 };
  let batch: ParsedRow[] = [];
  let since = clock().getTime();
  const onHeader = (header: { ignored: string[] }): void => {
    facts.ignored = header.ignored.slice(0, IGNORED.count).map((name) => name.slice(0, IGNORED.length));
  };
  const onDayFirst = (): void => {
    facts.hasDayFirst = true;
  };
  const onEncoding = (encoding: RosterEncoding): void => {
    facts.encoding = encoding;
  };
  // A batch is stored while the next one is parsed.
  let storing: Promise<void> = Promise.resolve();
  const store = async (rows: readonly ParsedRow[]): Promise<void> => {
    await storing;
    storing = patiently(() =>
      inTransaction(async (tx) => {
        await renew(tx);
        await insertRows(tx, uploadId, rows, await unchangedOf(tx, groupId, rows));
      }),
    );
    // It is awaited before the next batch, or in the end.
    storing.catch(() => {});
  };
  try {
    const today = clock().toISOString().slice(0, 10);
    for await (const row of parseRoster(bytes, { today, mapping, onHeader, onDayFirst, onEncoding })) {
      batch.push(row);
      facts.rows += 1;
      facts.garbledCells += row.garbledCells;
      if (batch.length < BATCH && clock().getTime() - since < LONGEST_BATCH) continue;
      await store(batch);
      batch = [];
      since = clock().getTime();
    }
    await store(batch);
  } finally {
    await storing;
  }
  return facts;
}

/** Tries again while the database is busy: half an hour of sending should not be lost to a few seconds of waiting. */
async function patiently(store: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof DatabaseBusyError) || tries === MOST_TRIES) throw error;
      await sleep(1000);
    }
  }
}

/**
 * Returns the rows that say what is listed. Nothing else changes a program's list until this upload is over. A row with warnings may lack cells, which
 * `keep-listed-values.ts` fills.
 */
async function unchangedOf(tx: Queryable, groupId: string, rows: readonly ParsedRow[]): Promise<Set<number>> {
  const complete = rows.flatMap(({ rowNumber, memberId, warnings, ...row }) =>
    row.errors || warnings.length > 0 ? [] : [{ rowNumber, memberId, hash: row.contentHash }],
  );
  const { rows: unchanged } = await tx.query<{ rowNumber: number }>(sql`
    select r.row_number as "rowNumber"
    from unnest(${complete.map(({ rowNumber }) => rowNumber)}::int[], ${complete.map(({ memberId }) => memberId)}::text[],
        ${complete.map(({ hash }) => hash)}::bytea[]) as r (row_number, member_id, content_hash)
      join roster_patients p on p.group_id = ${groupId} and p.member_id = r.member_id
    where p.left_at is null and p.content_hash = r.content_hash`);
  return new Set(unchanged.map(({ rowNumber }) => rowNumber));
}

/**
 * Inserts rows, those of `unchanged` without their cells. PostgreSQL does not allow COPY under row-level security. The cells go as lines of one text: quotes would have to be escaped in an array, and
 * JSON has no line breaks.
 */
async function insertRows(
  tx: Queryable,
  uploadId: string,
  rows: readonly ParsedRow[],
  unchanged: ReadonlySet<number>,
): Promise<void> {
  const cells = rows.map((row) => (unchanged.has(row.rowNumber) ? '' : cellsOf(row)));
  await tx.query(sql`
    insert into roster_upload_rows (upload_id, row_number, member_id, cells, errors, content_hash)
    select ${uploadId}, row_number, member_id, nullif(cells, '')::jsonb, errors::jsonb, content_hash
    from rows from (
      unnest(${rows.map(({ rowNumber }) => rowNumber)}::int[], ${rows.map(({ memberId }) => memberId)}::text[],
        ${rows.map(({ errors }) => (errors ? JSON.stringify(errors) : null))}::text[],
        ${rows.map((row) => (row.errors ? null : row.contentHash))}::bytea[]),
      string_to_table(${cells.join('\n')}, E'\n')) as r (row_number, member_id, errors, content_hash, cells)`);
  const warned = rows.filter(({ warnings }) => warnings.length > 0);
  if (warned.length === 0) return;
  await tx.query(sql`
    insert into roster_upload_warnings (upload_id, row_number, member_id, warnings)
    select ${uploadId}, row_number, member_id, warnings::jsonb
    from unnest(${warned.map(({ rowNumber }) => rowNumber)}::int[], ${warned.map(({ memberId }) => memberId)}::text[],
      ${warned.map(({ warnings }) => JSON.stringify(warnings))}::text[]) as w (row_number, member_id, warnings)`);
}

/** Returns the cells to store. A row with errors keeps the cells that identify the patient, so that the file does not remove that patient (`missing.ts`). */
function cellsOf(row: ParsedRow): string {
  const { firstName, lastName, dateOfBirth, medicareId } = row.errors ? row.legible : row.row;
  const sort = { sortFirst: firstName && sortKey(firstName), sortLast: lastName && sortKey(lastName) };
  if (row.errors) return JSON.stringify({ ...sort, dateOfBirth, medicareId });
  return JSON.stringify({ ...filledOf(row.row), ...sort, soundLast: familySound(row.row.lastName) });
}

/** Returns the cells that say something: of forty, most files fill twenty, and PostgreSQL takes time for each. */
function filledOf(row: RosterRow): Partial<Record<keyof RosterRow, unknown>> {
  const filled: Partial<Record<keyof RosterRow, unknown>> = {};
  for (const column of Object.keys(row) as (keyof RosterRow)[]) if (row[column] !== null) filled[column] = row[column];
  return filled;
}

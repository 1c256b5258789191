/** Receives a roster file: streams its rows into `roster_upload_rows` and queues a job for the rest. */
import type { Relationship } from '#contract/relationships.ts';
import { ROSTER_MAX_BYTES, type RosterJob } from '#contract/rosters.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { familySound } from '#server/platform/text/similar-names.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { enqueueUpload, jobById, setStatus } from './job.ts';
import { type ParsedRow, parseRoster, RosterFileError } from './parse.ts';

export interface RosterFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** What the uploader attests about everyone in the file. */
  relationship: Relationship;
}

const BATCH = 2000;
const LOCK_SPACE = 7_463_203;

/**
 * Stores an upload with all its rows in the caller's transaction, so that a broken upload or a dead process leaves nothing behind. A file
 * that cannot be read as a whole becomes a FAILED job at once. Errors: NOT_FOUND for a group that the actor may not upload to, BAD_REQUEST
 * for a facility, ROSTER_UPLOAD_RUNNING, TOO_LARGE.
 */
export async function receiveUpload(
  tx: ActorTransaction,
  groupId: string,
  file: RosterFile,
  now: Date,
): Promise<RosterJob> {
  await checkGroup(tx, groupId);
  await refuseConcurrent(tx, groupId);
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into roster_uploads (group_id, status, user_id, username, file_name, relationship, created_at)
    values (${groupId}, 'RECEIVED', ${tx.actor.userId}, ${tx.actor.username}, ${baseName(file.name)}, ${file.relationship}, ${now})
    returning id`);
  const id = rows[0]?.id ?? '';
  const { userId } = tx.actor;
  const { relationship } = file;
  const upload = { id, groupId, status: 'RECEIVED' as const, userId, relationship, appliedAt: null, totalRows: 0 };
  await tx.query('savepoint before_rows');
  try {
    const ignored = await storeRows(tx, id, file.bytes, now);
    await tx.query(sql`update roster_uploads set ignored_columns = ${ignored} where id = ${id}`);
    await setStatus(tx, upload, 'RECEIVED', now);
    await enqueueUpload(tx, id);
  } catch (error) {
    if (!(error instanceof RosterFileError)) throw error;
    await tx.query('rollback to savepoint before_rows');
    await setStatus(tx, upload, 'FAILED', now, error.message);
  }
  const job = await jobById(tx, id, [groupId]);
  if (job === null) throw new ApiError('NOT_FOUND');
  return job;
}

/** Strips the path on the uploader's computer. */
const baseName = (name: string): string => (name.split(/[\\/]/).at(-1) ?? '').slice(0, 200) || 'roster.csv';

async function checkGroup(tx: ActorTransaction, groupId: string): Promise<void> {
  if (!tx.groupIds.includes(groupId)) throw new ApiError('NOT_FOUND');
  const { rows } = await tx.query<{ type: string }>(sql`select type from groups where id = ${groupId}`);
  // A facility lists its own patients (`facility-listing.ts`); a file would remove them all.
  if (rows[0]?.type !== 'PROGRAM') {
    throw new ApiError('BAD_REQUEST', {
      fields: { groupId: "Facilities list their own patients. You can't upload a roster for a facility." },
    });
  }
}

/** Allows one upload per group at a time. The lock also covers a file that is still being received, whose row is not visible yet. */
async function refuseConcurrent(tx: Queryable, groupId: string): Promise<void> {
  const { rows } = await tx.query<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(${LOCK_SPACE}, hashint8(${groupId}::bigint)) and not exists (
      select from roster_uploads where group_id = ${groupId}
        and status in ('RECEIVED', 'VALIDATING', 'AWAITING_CONFIRMATION', 'APPLYING')) as "isFree"`);
  if (!rows[0]?.isFree) throw new ApiError('ROSTER_UPLOAD_RUNNING');
}

async function* withinLimit(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const piece of bytes) {
    total += piece.length;
    if (total > ROSTER_MAX_BYTES) throw new ApiError('TOO_LARGE');
    yield piece;
  }
}

/** Limits for repeating unknown headers to the uploader. */
const IGNORED = { length: 60, count: 50 };

async function storeRows(
  tx: Queryable,
  uploadId: string,
  bytes: AsyncIterable<Uint8Array>,
  now: Date,
): Promise<string[]> {
  let ignored: string[] = [];
  let batch: ParsedRow[] = [];
  const onHeader = (header: { ignored: string[] }): void => {
    ignored = header.ignored.slice(0, IGNORED.count).map((name) => name.slice(0, IGNORED.length));
  };
  for await (const row of parseRoster(withinLimit(bytes), { today: now.toISOString().slice(0, 10), onHeader })) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    await insertRows(tx, uploadId, batch);
    batch = [];
  }
  await insertRows(tx, uploadId, batch);
  return ignored;
}

/** Inserts rows. PostgreSQL does not allow COPY under row-level security. */
async function insertRows(tx: Queryable, uploadId: string, rows: readonly ParsedRow[]): Promise<void> {
  await tx.query(sql`
    insert into roster_upload_rows (upload_id, row_number, member_id, cells, errors, content_hash)
    select ${uploadId}, row_number, member_id, cells::jsonb, errors::jsonb, content_hash
    from unnest(${rows.map(({ rowNumber }) => rowNumber)}::int[], ${rows.map(({ memberId }) => memberId)}::text[],
      ${rows.map(cellsOf)}::text[], ${rows.map(({ errors }) => (errors ? JSON.stringify(errors) : null))}::text[],
      ${rows.map((row) => (row.errors ? null : row.contentHash))}::bytea[])
      as r (row_number, member_id, cells, errors, content_hash)`);
}

/** Returns the cells to store. A row with errors keeps the cells that identify the patient, so that the file does not remove that patient (`missing.ts`). */
function cellsOf(row: ParsedRow): string {
  const { firstName, lastName, dateOfBirth, medicareId } = row.errors ? row.legible : row.row;
  const sort = { sortFirst: firstName && sortKey(firstName), sortLast: lastName && sortKey(lastName) };
  if (row.errors) return JSON.stringify({ ...sort, dateOfBirth, medicareId });
  return JSON.stringify({ ...row.row, ...sort, soundLast: familySound(row.row.lastName) });
}

/**
 * Receives a roster file: streams its rows into `roster_upload_rows` and queues a job for the rest. Until the last row is stored, the
 * upload is RECEIVING: no one sees it and no job touches it (docs/decisions/0028).
 */
import type { Relationship } from '#contract/relationships.ts';
import { ROSTER_MAX_BYTES, type RosterJob } from '#contract/rosters.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { receiveBytes, type SLOWEST_UPLOAD } from '#server/platform/http/receive-bytes.ts';
import { RosterFileError } from './file-error.ts';
import { mappingOf } from './group-headers.ts';
import { enqueueUpload, jobById, setStatus } from './job.ts';
import { type FileFacts, storeRows } from './store-rows.ts';

export interface RosterFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** What the uploader attests about everyone in the file; without it, what was last attested for the group's roster applies. */
  relationship?: Relationship | undefined;
  /** Whether it waits to be confirmed, whatever it changes. */
  isPreviewed?: boolean;
}

export interface ReceiveDeps {
  /** Runs one of the short transactions, as the person who uploads. */
  asUploader: <T>(fn: (tx: ActorTransaction) => Promise<T>) => Promise<T>;
  clock: Clock;
  /** Called with the job, in the transaction that makes it visible. */
  onReceived?: (tx: ActorTransaction, job: RosterJob) => Promise<void>;
  slowest?: typeof SLOWEST_UPLOAD | undefined;
}

/** Milliseconds after which a newer upload of the group may replace one that is still arriving: a slow client would block the group for half an hour. */
const UNDISTURBED_FOR = 2 * 60_000;
const REPLACED =
  'A newer file was uploaded for this group while yours was still arriving, so yours was not received. The roster has not changed. Check the newer upload, then upload your file again if it is still needed.';
const ARRIVING =
  'Another file for this group is still arriving, so yours was not received. Try again in two minutes: your file then replaces one that is still not complete.';

/** Milliseconds after which an upload that was not renewed belongs to a process that died. */
const RECEIVING_FOR = 5 * 60_000;

/**
 * Stores an upload with all its rows. A broken upload is removed; if the process dies, `removeBrokenUploads` or the group's next upload
 * removes it. A file that cannot be read as a whole becomes a FAILED job at once. Errors: NOT_FOUND for a group that the actor may not
 * upload to, BAD_REQUEST for a facility, ROSTER_UPLOAD_RUNNING, TOO_LARGE, UPLOAD_STALLED.
 */
export async function receiveUpload(deps: ReceiveDeps, groupId: string, file: RosterFile): Promise<RosterJob> {
  const { asUploader, clock, slowest } = deps;
  const { id, mapping } = await asUploader(async (tx) => ({
    id: await begin(tx, groupId, file, clock()),
    mapping: await mappingOf(tx, groupId),
  }));
  try {
    const facts = await storeRows(id, receiveBytes(file.bytes, ROSTER_MAX_BYTES, slowest), {
      groupId,
      clock,
      mapping,
      inTransaction: (fn) => asUploader(fn),
      renew: (tx) => renew(tx, id, clock()),
    });
    return await asUploader((tx) => complete(tx, deps, { id, groupId, facts }));
  } catch (error) {
    if (error instanceof RosterFileError) return asUploader((tx) => fail(tx, deps, { id, groupId, file, error }));
    // If this fails too, the upload stays invisible until its time is over.
    await asUploader((tx) => remove(tx, id)).catch(() => {});
    throw error;
  }
}

/** Removes uploads whose process died while it received them. Returns how many. */
export async function removeBrokenUploads(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    sql`delete from roster_uploads where status = 'RECEIVING' and receiving_until < ${now}`,
  );
  return rowCount;
}

/** Creates the upload, and removes one that has been arriving for long. A unique index allows one unfinished upload per group, also across processes. */
async function begin(tx: ActorTransaction, groupId: string, file: RosterFile, now: Date): Promise<string> {
  await checkGroup(tx, groupId);
  const disturbed = new Date(now.getTime() - UNDISTURBED_FOR);
  await tx.query(sql`
    delete from roster_uploads
    where group_id = ${groupId} and status = 'RECEIVING' and (receiving_until < ${now} or created_at <= ${disturbed})`);
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into roster_uploads (group_id, status, user_id, username, uploader_name, file_name, relationship, is_previewed, created_at, receiving_until)
    values (${groupId}, 'RECEIVING', ${tx.actor.userId}, ${tx.actor.username}, ${tx.actor.displayName}, ${baseName(file.name)},
      coalesce(${file.relationship ?? null}::text, (
        select u.relationship from roster_uploads u
        where u.group_id = ${groupId} and u.applied_at is not null and u.undoes is null and not exists (
            select from roster_uploads o where o.undoes = u.id and o.status in ('APPLYING', 'DONE'))
        order by u.applied_at desc limit 1)), ${file.isPreviewed ?? false}, ${now}, ${later(now)})
    on conflict do nothing returning id`);
  const [upload] = rows;
  if (!upload)
    throw new ApiError('ROSTER_UPLOAD_RUNNING', (await isArriving(tx, groupId)) ? { message: ARRIVING } : {});
  return upload.id;
}

async function isArriving(tx: Queryable, groupId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    sql`select from roster_uploads where group_id = ${groupId} and status = 'RECEIVING'`,
  );
  return rowCount > 0;
}

const later = (now: Date): Date => new Date(now.getTime() + RECEIVING_FOR);

/** Strips the path on the uploader's computer. */
const baseName = (name: string): string => (name.split(/[\\/]/).at(-1) ?? '').slice(0, 200) || 'roster.csv';

const OF_FACILITY = "Facilities list their own patients. You can't upload a roster for a facility.";

/** Throws NOT_FOUND for a group that the actor may not upload to, and BAD_REQUEST for a facility. */
export async function checkGroup(tx: ActorTransaction, groupId: string): Promise<void> {
  if (!tx.groupIds.includes(groupId)) throw new ApiError('NOT_FOUND');
  const { rows } = await tx.query<{ type: string }>(sql`select type from groups where id = ${groupId}`);
  // A facility lists its own patients (`facility-listing.ts`); a file would remove them all.
  if (rows[0]?.type !== 'PROGRAM') {
    throw new ApiError('BAD_REQUEST', { message: OF_FACILITY, fields: { groupId: OF_FACILITY } });
  }
}

/** Throws if the upload was removed meanwhile: a newer one replaced it, or this process was thought dead. */
async function renew(tx: Queryable, id: string, now: Date): Promise<void> {
  const { rowCount } = await tx.query(
    sql`update roster_uploads set receiving_until = ${later(now)} where id = ${id} and status = 'RECEIVING'`,
  );
  if (rowCount === 0) throw new ApiError('ROSTER_UPLOAD_RUNNING', { message: REPLACED });
}

/** Removes an upload that is being received. Its rows go with it. */
async function remove(tx: Queryable, id: string): Promise<void> {
  await tx.query(sql`delete from roster_uploads where id = ${id} and status = 'RECEIVING'`);
}

async function complete(
  tx: ActorTransaction,
  { clock, onReceived }: ReceiveDeps,
  { id, groupId, facts }: { id: string; groupId: string; facts: FileFacts },
): Promise<RosterJob> {
  await renew(tx, id, clock());
  await tx.query(sql`
    update roster_uploads set ignored_columns = ${facts.ignored}, has_day_first = ${facts.hasDayFirst}, total_rows = ${facts.rows},
      encoding = ${facts.encoding}, garbled_cells = ${facts.garbledCells}, receiving_until = null
    where id = ${id}`);
  await setStatus(tx, { id, groupId }, 'RECEIVED', clock());
  await enqueueUpload(tx, id);
  return received(tx, onReceived, id, groupId);
}

/** Replaces the upload and its rows with a FAILED one that has none. */
async function fail(
  tx: ActorTransaction,
  { clock, onReceived }: ReceiveDeps,
  { id, groupId, file, error }: { id: string; groupId: string; file: RosterFile; error: RosterFileError },
): Promise<RosterJob> {
  await remove(tx, id);
  const failed = await begin(tx, groupId, file, clock());
  await tx.query(sql`update roster_uploads set receiving_until = null where id = ${failed}`);
  await setStatus(tx, { id: failed, groupId }, 'FAILED', clock(), error.message);
  return received(tx, onReceived, failed, groupId);
}

async function received(
  tx: ActorTransaction,
  onReceived: ReceiveDeps['onReceived'],
  id: string,
  groupId: string,
): Promise<RosterJob> {
  const job = await jobById(tx, id, [groupId]);
  if (job === null) throw new ApiError('NOT_FOUND');
  await onReceived?.(tx, job);
  return job;
}

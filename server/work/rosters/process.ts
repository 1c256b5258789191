/** The job of an upload, step by step. Each step is a transaction that leads to the next state, so a kill only repeats a step. */
import { flagsOf } from '#server/people/access/actor.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import { isTransient } from '#server/platform/database/errors.ts';
import type { Database, Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { resolvePingsOfListings } from '#server/record/pings/write-status.ts';
import { applyUpload, forgetUnread } from './apply.ts';
import { identifyRows } from './identify-rows.ts';
import { lockUpload, setStatus, type Upload } from './job.ts';
import { validateUpload } from './validate.ts';

export interface ProcessDeps {
  clock: Clock;
  /** Stops between two steps: the process ends, and whoever runs the job next goes on from there. */
  signal?: AbortSignal | undefined;
}

/**
 * Works on an upload until it is over or waits for a person. `db` is the pipeline's. Safe to run again, and twice at once. Throws what
 * may pass if tried again; after anything else the upload has FAILED, with the roster as it was, and it throws too.
 */
export async function processUpload(db: Database, uploadId: string, deps: ProcessDeps): Promise<void> {
  let cursor: number | null = 0;
  try {
    while (cursor !== null && !deps.signal?.aborted) {
      const after: number = cursor;
      cursor = await db.transaction((tx) => step(tx, uploadId, deps, after), { retries: 5 });
    }
  } catch (error) {
    if (!isTransient(error)) await fail(db, uploadId, deps.clock());
    throw error;
  }
  if (cursor !== null) throw new Error('The work on a roster was interrupted and goes on later');
}

/** The persons of a larger file are not logged one by one: the read model reads the group anew. */
const BULK = 5000;

/** One step; answers the row after which to go on, or null where nothing is left to do. */
async function step(tx: Transaction, uploadId: string, { clock }: ProcessDeps, after: number): Promise<number | null> {
  const upload = await lockUpload(tx, uploadId);
  if (upload === null) return null;
  if (upload.status === 'RECEIVED') {
    await setStatus(tx, upload, 'VALIDATING', clock());
    return 0;
  }
  if (upload.status === 'VALIDATING') return validate(tx, upload, clock());
  if (upload.status === 'APPLYING') {
    if (upload.totalRows > BULK) await tx.query(sql`select set_config('tidings.bulk', 'on', true)`);
    if (upload.appliedAt === null) return apply(tx, upload, clock());
    const last = await identifyRows(tx, upload, clock(), after);
    return last ?? finish(tx, upload, clock());
  }
  if (upload.status === 'CANCELLED' || upload.status === 'FAILED') await discardRows(tx, uploadId);
  return null;
}

async function validate(tx: Queryable, upload: Upload, now: Date): Promise<number | null> {
  const { needsConfirmation, isUnreadable } = await validateUpload(tx, upload);
  if (isUnreadable) {
    await forgetUnread(tx, upload.id);
    await setStatus(tx, upload, 'FAILED', now, 'No row of the file could be read.');
    return null;
  }
  await setStatus(tx, upload, needsConfirmation ? 'AWAITING_CONFIRMATION' : 'APPLYING', now);
  return needsConfirmation ? null : 0;
}

async function apply(tx: Queryable, upload: Upload, now: Date): Promise<number | null> {
  if (!(await isStillAllowed(tx, upload))) {
    await setStatus(tx, upload, 'FAILED', now, 'Who uploaded this file may no longer upload rosters of this group.');
    return 0;
  }
  await applyUpload(tx, upload, now);
  if (upload.totalRows > BULK) await analyze(tx);
  return 0;
}

/** So that PostgreSQL plans for the rows that are there now. */
const analyze = (tx: Queryable) => tx.query(sql`select analyze_rosters()`);

/** Everything may have changed: readers ask again for all of the group rather than for a row a patient. */
async function finish(tx: Queryable, upload: Upload, now: Date): Promise<null> {
  await resolvePingsOfRemoved(tx, upload, now);
  if (upload.totalRows > BULK) await analyze(tx);
  const changes = upload.totalRows > BULK ? ['reload', 'bulk'] : ['reload'];
  const { groupId } = upload;
  await logChanges(
    tx,
    changes.map((change) => ({ kind: 'group', change, groupId, subjectId: null })),
    now,
  );
  await setStatus(tx, upload, 'DONE', now);
  return null;
}

/** Also of what was told meanwhile: a message that was at work while the roster was applied saw it as it was before. */
async function resolvePingsOfRemoved(tx: Queryable, upload: Upload, now: Date): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select distinct r.id from roster_patients r join pings p on p.roster_patient_id = r.id
    where r.group_id = ${upload.groupId} and r.left_at = ${upload.appliedAt} and p.management_status in ('NEW', 'IN_PROGRESS')`);
  await resolvePingsOfListings(
    tx,
    rows.map(({ id }) => id),
    now,
  );
}

/** The uploader's rights, asked for again: hours may lie between the upload and its confirmation. */
async function isStillAllowed(tx: Queryable, { userId, groupId }: Upload): Promise<boolean> {
  const { rows } = await tx.query<{ role: string[]; added: string[]; removed: string[] }>(sql`
    select r.permissions as role, g.added, g.removed
    from users u join grants g on g.user_id = u.id join roles r on r.id = g.role_id
    where u.id = ${userId} and g.group_id = ${groupId} and u.disabled_at is null`);
  return rows.some((grant) => flagsOf(grant).has('canUploadRoster'));
}

/** The good rows of a file that will not be applied; those with errors stay for the report. */
async function discardRows(tx: Queryable, uploadId: string): Promise<void> {
  await tx.query(sql`delete from roster_upload_rows where upload_id = ${uploadId} and errors is null`);
  await forgetUnread(tx, uploadId);
}

/** A roster that is applied is not taken back because a row could not be identified: then the job goes on when it is tried again. */
async function fail(db: Database, uploadId: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const upload = await lockUpload(tx, uploadId);
    const isRunning = upload?.status === 'RECEIVED' || upload?.status === 'VALIDATING' || upload?.status === 'APPLYING';
    if (upload === null || !isRunning || upload.appliedAt !== null) return;
    await setStatus(
      tx,
      upload,
      'FAILED',
      now,
      'The file could not be applied; nothing was changed. The failure was recorded.',
    );
    await discardRows(tx, uploadId);
  });
}

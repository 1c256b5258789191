/** The job of an upload. Each step is a transaction that leads to the next state, so a killed process only repeats a step. */
import { flagsOf } from '#server/people/access/actor.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import { isTransient } from '#server/platform/database/errors.ts';
import { withoutNestedLoops } from '#server/platform/database/nested-loops.ts';
import type { Database, Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { Turns } from '#server/platform/threads/turns.ts';
import { openedByUpload } from '#server/record/listings/openings.ts';
import { resolvePingsOfListings } from '#server/record/pings/write-status.ts';
import { applyUpload, clearErrorRows } from './apply.ts';
import { isRosterApproved } from './approval.ts';
import { CHUNK, identifyRows } from './identify-rows.ts';
import { CheckStoppedError, lockChecked, lockForStep, lockUpload, setStatus, setWaiting, type Upload } from './job.ts';
import { forgetPreview, storePreview } from './preview.ts';
import { MAX_STARTS, recordEnd, recordStart, revokeStart, unfinishedStarts } from './starts.ts';
import { applyUndo } from './undo.ts';
import { mostFrequentError, validateUpload } from './validate.ts';

export interface ProcessDeps {
  clock: Clock;
  /** Stops the job between two steps when the process shuts down. The next run continues from there. */
  signal?: AbortSignal | undefined;
  /** Ends this turn after the step that runs: another upload goes first. */
  turn?: AbortSignal | undefined;
}

/** Steps of this thread. One that was started before and did not end runs by itself, so that no other can have ended the thread. */
const turns = new Turns();

/**
 * Processes an upload until it is finished or needs confirmation, and returns false; or true if its turn ended before. `db`: the pipeline's.
 * Safe to run again, even concurrently. Throws transient errors for a retry; any other error sets the upload to FAILED, leaves the roster unchanged, and is thrown too. So does a step
 * that was started three times without an end, because the thread or the process ended.
 */
export async function processUpload(db: Database, uploadId: string, deps: ProcessDeps): Promise<boolean> {
  let goesOn = true;
  let singly = 0;
  try {
    while (goesOn && !deps.signal?.aborted) {
      const wasStarted = (await unfinishedStarts(db, uploadId)) > 0;
      // The rows of a chunk that did not end are identified one by one, to find the row that can't be.
      if (wasStarted) singly = CHUNK;
      const limit = singly > 0 ? 1 : CHUNK;
      const run = (): Promise<boolean> => startStep(db, uploadId, deps, limit);
      goesOn = await (wasStarted ? turns.alone(run) : turns.share(run));
      singly -= 1;
      if (goesOn && deps.turn?.aborted) return true;
    }
  } catch (error) {
    if (!isTransient(error)) await fail(db, uploadId, deps.clock());
    throw error;
  }
  if (goesOn) throw new Error('The roster upload was interrupted and will continue later');
  return false;
}

/** Runs the next step of an upload, counted as started until it ends. Returns whether there is more to do. */
async function startStep(db: Database, uploadId: string, deps: ProcessDeps, limit: number): Promise<boolean> {
  try {
    return await runStep(db, uploadId, deps, limit);
  } catch (error) {
    // The next step removes the rows.
    if (error instanceof CheckStoppedError) return true;
    throw error;
  }
}

function runStep(db: Database, uploadId: string, deps: ProcessDeps, limit: number): Promise<boolean> {
  return db.transaction(
    async (tx) => {
      const upload = await lockForStep(tx, uploadId);
      if (upload === null) return false;
      const starts = await recordStart(db, uploadId);
      try {
        const goesOn =
          starts >= MAX_STARTS ? await giveUp(tx, upload, deps.clock()) : await step(tx, upload, deps, limit);
        await recordEnd(tx, uploadId);
        return goesOn;
      } catch (error) {
        if (isTransient(error) || error instanceof CheckStoppedError) await revokeStart(db, uploadId).catch(() => {});
        throw error;
      }
    },
    { retries: 5 },
  );
}

/** More changes are not logged person by person; the search reloads the group instead. */
const BULK = 5000;

/** Runs one step, which identifies `limit` rows at most. Returns whether there is more to do. */
async function step(tx: Transaction, upload: Upload, { clock }: ProcessDeps, limit: number): Promise<boolean> {
  if (upload.status === 'RECEIVED') {
    await setStatus(tx, upload, 'VALIDATING', clock());
    return true;
  }
  if (upload.status === 'VALIDATING') return validate(tx, upload, clock());
  if (upload.status === 'APPLYING') {
    if (upload.changes > BULK) await tx.query(sql`select set_config('tidings.bulk', 'on', true)`);
    if (upload.appliedAt === null) return apply(tx, upload, clock());
    return (await identifyRows(tx, upload, clock(), limit)) || finish(tx, upload, clock());
  }
  if (upload.status === 'CANCELLED' || upload.status === 'FAILED') await discardRows(tx, upload.id);
  return false;
}

async function validate(tx: Queryable, upload: Upload, now: Date): Promise<boolean> {
  const { needsConfirmation, isUnreadable, heldRows } = await validateUpload(tx, upload, now);
  if (heldRows > 0) await reportGuesses(tx, upload, heldRows, now);
  if (isUnreadable) {
    const reason = `None of the rows could be used. ${await mostFrequentError(tx, upload.id)} The roster has not changed.`;
    await clearErrorRows(tx, upload.id);
    await setStatus(tx, upload, 'FAILED', now, reason);
    return false;
  }
  // Its team decides first. A group's first roster then waits for an operator in `apply`.
  const waitsFor = needsConfirmation
    ? 'CONFIRMATION'
    : upload.isPreviewed
      ? 'PREVIEW'
      : (await isRosterApproved(tx, upload.groupId))
        ? null
        : 'OPERATOR';
  if (waitsFor !== null) {
    await storePreview(tx, upload);
    await setWaiting(tx, upload, waitsFor, now);
    return false;
  }
  await setStatus(tx, upload, 'APPLYING', now);
  return true;
}

const requestIdOf = ({ id }: Upload): string => `job-roster-${id}`;

/** Writes an entry about the group, which its administrators and operators read in the audit log. */
function reportGuesses(tx: Queryable, upload: Upload, rows: number, now: Date): Promise<void> {
  const { id, groupId, userId } = upload;
  const entry = { action: 'roster.guess-pattern', subject: 'group' as const, subjectId: groupId };
  return writeAuditAs(
    tx,
    { userId },
    { ...entry, detail: { uploadId: id, rows }, requestId: requestIdOf(upload), now },
  );
}

/** Writes how many people and visits of other organizations the roster has opened. */
async function auditOpenings(tx: Queryable, upload: Upload, now: Date): Promise<void> {
  const { id, groupId, userId, relationship } = upload;
  const detail = { groupId, relationship, ...(await openedByUpload(tx, id)) };
  const entry = { action: 'roster.open', subject: 'roster-upload' as const, subjectId: id, detail };
  await writeAuditAs(tx, { userId }, { ...entry, requestId: requestIdOf(upload), now });
}

async function apply(tx: Queryable, upload: Upload, now: Date): Promise<boolean> {
  if (!(await isStillAllowed(tx, upload))) {
    await setStatus(
      tx,
      upload,
      'FAILED',
      now,
      upload.undoes
        ? 'The person who undid the upload can no longer upload rosters for this group. The roster has not changed.'
        : 'The person who uploaded this file can no longer upload rosters for this group. The roster has not changed.',
    );
    return true;
  }
  if (!(await isRosterApproved(tx, upload.groupId))) {
    await setWaiting(tx, upload, 'OPERATOR', now);
    return false;
  }
  const { undoes } = upload;
  await withoutNestedLoops(tx, () =>
    undoes === null ? applyUpload(tx, upload, now) : applyUndo(tx, { ...upload, undoes }, now),
  );
  if (upload.changes > BULK) await tx.query(sql`select analyze_listings()`);
  return true;
}

async function finish(tx: Queryable, upload: Upload, now: Date): Promise<boolean> {
  if (upload.changes > BULK) await tx.query(sql`select analyze_identities()`);
  await discardRows(tx, upload.id);
  await endApplied(tx, upload, now);
  await setStatus(tx, upload, 'DONE', now);
  return false;
}

/** Everything may have changed, so readers reload the whole group instead of single patients. */
async function endApplied(tx: Queryable, upload: Upload, now: Date): Promise<void> {
  await resolvePingsOfRemoved(tx, upload, now);
  await auditOpenings(tx, upload, now);
  const changes = upload.changes > BULK ? ['reload', 'bulk'] : ['reload'];
  const { groupId } = upload;
  await logChanges(
    tx,
    changes.map((change) => ({ kind: 'group', change, groupId, subjectId: null })),
    now,
  );
}

/** Includes pings sent in the meantime: a message processed while the roster was being applied still saw the old roster. */
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

/** Checks the uploader's permission again, because the confirmation may come hours after the upload. */
async function isStillAllowed(tx: Queryable, { userId, groupId }: Upload): Promise<boolean> {
  const { rows } = await tx.query<{ role: string[]; added: string[]; removed: string[] }>(sql`
    select r.permissions as role, g.added, g.removed
    from users u join grants g on g.user_id = u.id join roles r on r.id = g.role_id
    where u.id = ${userId} and g.group_id = ${groupId} and u.disabled_at is null`);
  return rows.some((grant) => flagsOf(grant).has('canUploadRoster'));
}

/** Deletes the valid rows of a file that will not be applied. Rows with errors stay for the report. */
async function discardRows(tx: Queryable, uploadId: string): Promise<void> {
  await tx.query(sql`delete from roster_upload_rows where upload_id = ${uploadId} and errors is null`);
  await forgetPreview(tx, uploadId);
  await clearErrorRows(tx, uploadId);
}

/** Sets a running upload to FAILED. An applied roster is not reverted if a row cannot be identified; a retry continues the job. */
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
      'The file could not be applied. The roster has not changed, and the error has been logged.',
    );
    await discardRows(tx, uploadId);
    await recordEnd(tx, uploadId);
  });
}

/** Sets an upload to FAILED whose step never ended. The next upload identifies the rows that this one did not. */
async function giveUp(tx: Queryable, upload: Upload, now: Date): Promise<boolean> {
  if (upload.status === 'VALIDATING') await lockChecked(tx, upload.id);
  const stopped = `was stopped ${MAX_STARTS} times, because it took too long or the server ended`;
  if (upload.appliedAt === null) {
    const reason = upload.undoes
      ? `Undoing the upload ${stopped}. The roster has not changed. Try again, or upload the earlier file.`
      : `Reading the file ${stopped}. The roster has not changed. Check the file, then upload it again.`;
    await setStatus(tx, upload, 'FAILED', now, reason);
  } else {
    const { rows } = await tx.query<{ rowNumber: number | null }>(sql`
      select min(row_number) as "rowNumber" from roster_upload_rows
      where upload_id = ${upload.id} and errors is null and row_number > ${upload.identifiedRow}`);
    await tx.query(sql`
      update roster_patients p set content_hash = null from roster_upload_rows r
      where r.upload_id = ${upload.id} and r.errors is null and r.row_number > ${upload.identifiedRow} and p.group_id = ${upload.groupId} and p.member_id = r.member_id`);
    await endApplied(tx, upload, now);
    const from = `row ${rows[0]?.rowNumber ?? ''}`;
    const reason = upload.undoes
      ? `The earlier list was restored, but matching its patients ${stopped}. Upload the earlier file to match the rest.`
      : `The roster was updated, but matching its patients ${stopped}. Patients from ${from} on are listed and not matched yet. Correct ${from}, then upload the file again.`;
    await setStatus(tx, upload, 'FAILED', now, reason);
  }
  await discardRows(tx, upload.id);
  return false;
}

/**
 * What happens after an upgrade with another version of the matcher (docs/matching.md, "A new version"): blocking keys are rewritten, reviews
 * and subjects that are alone are identified again, and links that would not be made now are listed. Links that were made stay.
 */
import type { Logger } from 'pino';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { recordOpenings } from '#server/record/listings/openings.ts';
import { identifyAll } from '#server/record/matching/identify.ts';
import { currentVersion } from '#server/record/matching/list-snapshots.ts';
import { rewriteKeys } from '#server/record/matching/rewrite-keys.ts';
import type { Subject, SubjectKind } from '#server/record/matching/subjects.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import { doubtfulLinks, forgetEarlierDoubts, recordDoubts } from './doubtful-links.ts';
import { nextAlone, nextIdentified, nextLinked, nextReviews } from './queries.ts';
import { advance, beginRun, lockRun, type Position, type Run, type Step } from './runs.ts';

/** The task name under which the worker runs `evaluateAnew`. */
export const NEW_VERSION_TASK = 'new-matcher-version';

/** Rows whose keys a transaction rewrites, without waiting for anyone. */
const REWRITTEN = 200;
/** Subjects or persons that a transaction decides about. Messages about people with a common key wait for it, so it should take a tenth of a second. */
const DECIDED = 10;

export interface EvaluationDeps {
  clock: Clock;
  log: Logger;
  /** Stops between two batches when the process shuts down. The next run continues from there. */
  signal?: AbortSignal | undefined;
}

/** Goes through everything, a batch per transaction. `db`: the pipeline's. Continues where it was interrupted; does nothing once it is done. */
export async function evaluateAnew(db: Database, { clock, log, signal }: EvaluationDeps): Promise<void> {
  let isDone = false;
  while (!isDone) {
    if (signal?.aborted)
      throw new Error('The evaluation by a new version of the matcher was interrupted and will continue later');
    isDone = await db.transaction((tx) => nextBatch(tx, clock(), log), { retries: 5 });
  }
}

/** Begins a run and queues its job, if the version is new since the worker started. */
export async function evaluateSoon(db: Database, now: Date): Promise<void> {
  if (!(await beginRun(db, now))) return;
  await db.query(
    sql`select enqueue_job(task => ${NEW_VERSION_TASK}::text, payload => '{}'::json, job_key => ${NEW_VERSION_TASK}::text)`,
  );
}

/** Returns whether nothing is left to do. */
async function nextBatch(tx: Transaction, now: Date, log: Logger): Promise<boolean> {
  const run = await lockRun(tx);
  if (run === null) return true;
  const position = await BATCHES[run.step](tx, run, now);
  const isFinished = await advance(tx, run, position, now);
  if (isFinished) await finish(tx, log);
  return isFinished;
}

async function finish(tx: Transaction, log: Logger): Promise<void> {
  await forgetEarlierDoubts(tx);
  const links = (await doubtfulLinks(tx)).length;
  log.info(
    { version: await currentVersion(tx), doubtfulLinks: links },
    'Matches were evaluated by a new version of the matcher',
  );
}

/** Does the next batch of a step. Returns its last row, or null if there was none. */
type Batch = (tx: Transaction, run: Run, now: Date) => Promise<Position | null>;

const BATCHES: Readonly<Record<Step, Batch>> = {
  PATIENT_KEYS: keysOf('SOURCE_PATIENT'),
  LISTING_KEYS: keysOf('ROSTER_PATIENT'),
  REVIEWS: async (tx, run, now) => {
    const reviews = await nextReviews(tx, run, DECIDED);
    await identifyAnew(tx, reviews, now);
    const last = reviews.at(-1);
    return last === undefined ? null : { likelihood: last.likelihood, id: last.reviewId };
  },
  LINKS: async (tx, { id }, now) => {
    const personIds = await nextLinked(tx, id, DECIDED);
    await recordDoubts(tx, personIds, now);
    return lastOf(personIds);
  },
  LONE_PATIENTS: aloneOf('SOURCE_PATIENT'),
  LONE_LISTINGS: aloneOf('ROSTER_PATIENT'),
};

function keysOf(kind: SubjectKind): Batch {
  return async (tx, { id }) => {
    const subjects = await nextIdentified(tx, kind, id, REWRITTEN);
    await rewriteKeys(tx, kind, subjects);
    return lastOf(subjects.map((subject) => subject.id));
  };
}

function aloneOf(kind: SubjectKind): Batch {
  return async (tx, { id }, now) => {
    const subjects = await nextAlone(tx, kind, id, DECIDED);
    await identifyAnew(tx, subjects, now);
    return lastOf(subjects.map((subject) => subject.id));
  };
}

function lastOf(ids: readonly string[]): Position | null {
  const id = ids.at(-1);
  return id === undefined ? null : { likelihood: null, id };
}

/** Identifies subjects, and sends the pings of what is linked now. */
async function identifyAnew(tx: Transaction, subjects: readonly Subject[], now: Date): Promise<void> {
  const { relinked } = await identifyAll(tx, subjects, { now, keepsLinks: true });
  await recordOpenings(tx, { listingIds: relinked.flatMap(({ listingIds }) => listingIds) }, { now });
  await resendMoved(tx, relinked, now);
}

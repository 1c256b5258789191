/** How far the job that follows a change of the matcher's version has come (`matcher_runs`). */
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { currentVersion } from '#server/record/matching/list-snapshots.ts';

/** In this order. `step` and `position` are where to continue. */
const STEPS = ['PATIENT_KEYS', 'LISTING_KEYS', 'REVIEWS', 'LINKS', 'LONE_PATIENTS', 'LONE_LISTINGS'] as const;
export type Step = (typeof STEPS)[number];

/** The last row of a step that is done; `likelihood` for reviews only. */
export interface Position {
  likelihood: number | null;
  id: string;
}

export interface Run extends Position {
  runId: string;
  step: Step;
}

/**
 * Begins a run if the newest one was another version's, and returns whether one is unfinished. A database that has known one version only needs
 * none; it is marked as of this version. A return to an earlier version is a change like any other.
 */
export function beginRun(db: Database, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Two processes may start at once.
    await tx.query('lock table matcher_runs in share row exclusive mode');
    const { rows } = await tx.query<{ version: string; isFinished: boolean }>(
      'select version, finished_at is not null as "isFinished" from matcher_runs order by id desc limit 1',
    );
    const [newest] = rows;
    const version = await currentVersion(tx);
    if (newest?.version === version) return !newest.isFinished;
    const finishedAt = newest === undefined ? now : null;
    await tx.query(sql`
      insert into matcher_runs (version, step, started_at, finished_at)
      values (${version}, ${STEPS[0]}, ${now}, ${finishedAt})`);
    return finishedAt === null;
  });
}

/** Returns the unfinished run of this version, locked until the transaction ends, or null. */
export async function lockRun(tx: Queryable): Promise<Run | null> {
  const { rows } = await tx.query<Run & { version: string; finishedAt: string | null }>(sql`
    select r.id as "runId", version, step, after_likelihood as likelihood, after_id as id, finished_at as "finishedAt"
    from matcher_runs r order by r.id desc limit 1 for update`);
  const [run] = rows;
  return run === undefined || run.version !== (await currentVersion(tx)) || run.finishedAt !== null ? null : run;
}

/** Continues after `position` in the same step, or if it is null with the next step. Returns whether the run has ended, because there is none. */
export async function advance(tx: Queryable, run: Run, position: Position | null, now: Date): Promise<boolean> {
  const next = position === null ? STEPS[STEPS.indexOf(run.step) + 1] : run.step;
  await tx.query(sql`
    update matcher_runs set step = ${next ?? run.step}, after_likelihood = ${position?.likelihood ?? null},
      after_id = ${position?.id ?? '0'}, finished_at = ${next === undefined ? now : null}
    where id = ${run.runId}`);
  return next === undefined;
}

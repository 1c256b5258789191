import type { Logger } from 'pino';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { NOTIFY_AFTER, NOTIFY_QUEUE, NOTIFY_TASK } from './notify.ts';

export interface WakeDeps {
  /** The pipeline role's. */
  database: Database;
  /** Its URL, to listen for changes. */
  url: string;
  log: Logger;
  clock: Clock;
}

interface JobOptions {
  jobKey: string;
  jobKeyMode: 'preserve_run_at';
  queueName: string;
  runAt: Date;
  maxAttempts: number;
}

/** Queues the job that notifies a moment after pings changed. One job takes all that change until it runs. */
export async function wakeOnPings(
  { database, url, log, clock }: WakeDeps,
  addJob: (task: string, options: JobOptions) => Promise<unknown>,
): Promise<{ stop: () => Promise<void> }> {
  const follower = new ChangeFollower(database, url, log, { kinds: ['ping'] });
  let wokenAt = 0;
  follower.subscribe(() => {
    const now = clock().getTime();
    // The job that was queued then has not run yet, and will take this change too.
    if (now - wokenAt < NOTIFY_AFTER / 2) return;
    wokenAt = now;
    const runAt = new Date(now + NOTIFY_AFTER);
    const options = { queueName: NOTIFY_QUEUE, runAt, maxAttempts: 1 };
    addJob(NOTIFY_TASK, { ...options, jobKey: 'notify-soon', jobKeyMode: 'preserve_run_at' }).catch((error: unknown) =>
      log.warn({ err: error }, 'Cannot queue the job that notifies; it also runs every minute'),
    );
  });
  await follower.start();
  return { stop: () => follower.stop() };
}

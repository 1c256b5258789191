/** The job that notifies: takes what changed, finds whom it concerns, and sends what is due (docs/decisions/0067). */
import { failInterrupted } from '#server/platform/mail/send.ts';
import { candidatesAmong } from './candidates.ts';
import { takeChangedPings } from './changed-pings.ts';
import { findMatches } from './find-matches.ts';
import { findCorrections, sendDueCorrections } from './send-corrections.ts';
import { type NotifyDeps, sendDueMatches } from './send-matches.ts';

export type { NotifyDeps } from './send-matches.ts';

export const NOTIFY_TASK = 'notify';
/** Jobs of this queue run one after the other. */
export const NOTIFY_QUEUE = 'notifications';
/** In milliseconds, from a ping to the job that looks at it: long enough to take a burst together. */
export const NOTIFY_AFTER = 3000;

/** Runs once. Returns when it has to run again (milliseconds since 1970) for what waits; null if nothing does. */
export async function notify(deps: NotifyDeps, now: Date): Promise<number | null> {
  // In one transaction with the cursor: if it fails, the same changes come again.
  await deps.pipeline.transaction(async (tx) => {
    const { arrived, corrected } = await takeChangedPings(tx);
    await findMatches(deps.app, tx, await candidatesAmong(tx, arrived, now), now);
    await findCorrections(tx, corrected, now);
  });
  await failInterrupted(deps.pipeline, now);
  const times = [await sendDueMatches(deps, now), await sendDueCorrections(deps, now)].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

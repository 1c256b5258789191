/** What a team has arranged about a stay, and when a wait ends. Pure. */
import type { StayWork } from '#contract/worklist.ts';

/** Who has taken a stay. */
export interface Owner {
  id: string;
  name: string;
  at: string;
  /** The name of who gave it to them. */
  by: string;
}

/** A wait, from when it was set. */
export interface Wait {
  /** YYYY-MM-DD; null for a wait until a new event. */
  until: string | null;
  /** When that day begins for the user who set it. */
  wakesAt: string | null;
  /** The events of the stay that were known. Any other one ends the wait, whichever transaction commits first. */
  seen: readonly string[];
  by: string;
  since: string;
}

export interface Arrangement {
  owner: Owner | null;
  wait: Wait | null;
}

/** Returns whether a stay with these pings waits at this time, in milliseconds. A stay that is closed doesn't. */
export function isWaiting(
  wait: Pick<Wait, 'wakesAt' | 'seen'> | null,
  { eventIds, isOpen, now }: { eventIds: readonly string[]; isOpen: boolean; now: number },
): boolean {
  if (wait === null || !isOpen) return false;
  if (wait.wakesAt !== null && Date.parse(wait.wakesAt) <= now) return false;
  const seen = new Set(wait.seen);
  return eventIds.every((id) => seen.has(id));
}

/** A stay of a team, as kept. */
export interface KeptWork extends Arrangement {
  changeId: string;
}

/** Returns what pages are told about a stay. */
export function workOf(
  kept: KeptWork | null,
  stay: { eventIds: readonly string[]; isOpen: boolean; now: number },
): StayWork {
  if (kept === null) return { version: '0', owner: null, waiting: null };
  const { changeId, owner, wait } = kept;
  const shown = wait && isWaiting(wait, stay) ? { until: wait.until, by: wait.by, since: wait.since } : null;
  return { version: changeId, owner, waiting: shown };
}

/** The status of a stay from those of its pings (docs/decisions/0062). Server, search and pages share it. */
import type { ManagementStatus } from './management-status.ts';

/**
 * Returns the ping whose status the stay has: the first NEW one, else the first IN_PROGRESS one, else the one that was closed last. A retracted ping, which is
 * dismissed when the rest of its stay is resolved, counts only where all are. `pings`: one per event, newest first, at least one. `changed`: orders status
 * changes; later ones are greater.
 */
export function decidingPing<T>(
  pings: readonly T[],
  statusOf: (ping: T) => ManagementStatus,
  changed: (ping: T) => number,
  isRetracted: (ping: T) => boolean,
): T {
  const first = (status: ManagementStatus) => pings.find((ping) => statusOf(ping) === status);
  const valid = pings.filter((ping) => !isRetracted(ping));
  const closed = valid.length > 0 ? valid : pings;
  return (
    first('NEW') ??
    first('IN_PROGRESS') ??
    closed.reduce((latest, ping) => (changed(ping) > changed(latest) ? ping : latest))
  );
}

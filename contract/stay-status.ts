/** The status of a stay from those of its pings (docs/decisions/0062). Server, search and pages share it. */
import type { ManagementStatus } from './management-status.ts';

/**
 * Returns the ping whose status the stay has: the first NEW one, else the first IN_PROGRESS one, else the one that was closed last. `pings`: one per
 * event, newest first, at least one. `changed`: orders status changes; later ones are greater.
 */
export function decidingPing<T>(
  pings: readonly T[],
  statusOf: (ping: T) => ManagementStatus,
  changed: (ping: T) => number,
): T {
  const first = (status: ManagementStatus) => pings.find((ping) => statusOf(ping) === status);
  return (
    first('NEW') ??
    first('IN_PROGRESS') ??
    pings.reduce((latest, ping) => (changed(ping) > changed(latest) ? ping : latest))
  );
}

/** Pings of events that were amended before, and say something else now. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { AmendedEvent } from '#server/record/encounters/event-changes.ts';
import type { PingChange } from './ping-change.ts';

/** Returns the pings of amended events that are not among those that changed already, because their own rows are as they were. */
export async function amendedAgain(
  tx: Queryable,
  amended: readonly AmendedEvent[],
  changed: readonly PingChange[],
): Promise<PingChange[]> {
  if (amended.length === 0) return [];
  const { rows } = await tx.query<PingChange>(sql`
    select event_id as "eventId", group_id as "groupId", 'amended' as change from pings
    where event_id = any (${amended.map(({ id }) => id)}::bigint[]) and state = 'AMENDED'`);
  const known = new Set(changed.map(keyOf));
  return rows.filter((row) => !known.has(keyOf(row)));
}

const keyOf = ({ eventId, groupId }: PingChange): string => `${eventId}/${groupId}`;

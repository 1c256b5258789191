/** Takes changes of pings from the change log: each once, also after the job was not running for days. */

import { type Change, ChangeReader, type ReaderPosition } from '#server/platform/changes/change-log.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { PingOfGroup } from './candidates.ts';

export interface ChangedPings {
  arrived: PingOfGroup[];
  /** Amended or retracted. */
  corrected: PingOfGroup[];
}

/**
 * Returns the pings that changed since the last call whose transaction committed. The first call, and the first one after the database was
 * restored, begin with the present. Locks the cursor, so that two jobs never take the same change.
 */
export async function takeChangedPings(tx: Transaction): Promise<ChangedPings> {
  const { rows } = await tx.query<ReaderPosition>(sql`select snapshot, identity from notification_cursor for update`);
  const [position] = rows;
  const reader = position ? ChangeReader.resume(tx, ['ping'], position) : await ChangeReader.start(tx);
  const changes = position ? await reader.read() : [];
  const { snapshot, identity } = reader.position;
  await tx.query(sql`
    insert into notification_cursor (snapshot, identity) values (${snapshot}, ${identity})
    on conflict (is_only) do update set snapshot = excluded.snapshot, identity = excluded.identity`);
  const which = (...kinds: string[]) => changes.filter(({ kind, change }) => kind === 'ping' && kinds.includes(change));
  return { arrived: which('arrived').map(pingOf), corrected: which('amended', 'cancelled').map(pingOf) };
}

const pingOf = ({ subjectId, groupId }: Change): PingOfGroup => ({
  eventId: subjectId as string,
  groupId: groupId as string,
});

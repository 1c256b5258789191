/** Pings of discharges whose destination is corrected after a team closed them (docs/decisions/0106). */
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { AmendedEvent } from '#server/record/encounters/event-changes.ts';
import { isRedirected } from '#server/record/rules/care-after.ts';
import type { PingChange } from './ping-change.ts';
import { type SystemPing, writeSystemStatus } from './write-status.ts';

/** What the status history says with NEW. */
const REDIRECTED = 'The destination of the discharge changed.';

/** Returns the discharges among these events that now lead elsewhere. */
const redirectedBy = (amended: readonly AmendedEvent[]): string[] =>
  amended
    .filter(({ before, after }) => after.code === 'DISCHARGE' && isRedirected(toWhere(before), toWhere(after)))
    .map(({ id }) => id);

const toWhere = ({ disposition, dischargedTo }: AmendedEvent['after']): string | null => disposition ?? dischargedTo;

/**
 * Opens pings again that a person had closed before the discharge turned out to lead elsewhere, while the group lists the patient: a patient in a nursing
 * facility is owed no call, and one at home is (CMS MLN908628, "community setting"). Returns the pings.
 */
export async function reopenRedirected(
  tx: Transaction,
  amended: readonly AmendedEvent[],
  now: Date,
): Promise<PingChange[]> {
  const eventIds = redirectedBy(amended);
  if (eventIds.length === 0) return [];
  const { rows } = await tx.query<SystemPing>(sql`
    select p.id, p.event_id as "eventId", p.group_id as "groupId"
    from pings p join management_statuses s on s.id = p.status_id join roster_patients r on r.id = p.roster_patient_id
    where p.event_id = any(${eventIds}::bigint[]) and p.management_status in ('RESOLVED', 'DISMISSED')
      and s.user_id is not null and p.state <> 'CANCELLED' and r.left_at is null
    order by p.id`);
  await writeSystemStatus(tx, rows, { status: 'NEW', resolutions: [], otherText: REDIRECTED }, now);
  return rows.map(({ eventId, groupId }) => ({ eventId, groupId, change: 'amended' }));
}

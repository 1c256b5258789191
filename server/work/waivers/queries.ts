import type { ActorTransaction } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { WaiverRow } from '#server/work/patients/three-day-waiver.ts';

/** Waits for others who set the stay's waiver. */
export async function lockWaiver(tx: ActorTransaction, encounterId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`waiver ${encounterId}`}, 0))`);
}

export async function addWaiver(
  tx: ActorTransaction,
  { encounterId, status, rule, confirmed }: Pick<WaiverRow, 'encounterId' | 'status' | 'rule' | 'confirmed'>,
  groupId: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into three_day_waivers (encounter_id, group_id, status, rule, confirmed, changed_at, changed_by)
    values (${encounterId}, ${groupId}, ${status}, ${rule}, ${confirmed}::text[], ${now}, ${tx.actor.userId})`);
}

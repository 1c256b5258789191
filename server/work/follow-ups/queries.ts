import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadDocument, mayReadListing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';

/**
 * Returns when the team first had a discharge summary of these stays, by encounter: on its receipt, or when the team's first listing of the person began
 * later. A summary that another one replaced counts, one that was taken back doesn't.
 */
export async function summariesReceived(tx: ActorTransaction, encounterIds: string[]): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ encounterId: string; at: string }>(sql`
    select d.encounter_id as "encounterId", min(greatest(d.received_at, (
      select min(r.listed_at) from roster_patients r where r.person_id = d.person_id and ${mayReadListing(tx.groupIds)}))) as at
    from documents d
    where d.encounter_id = any(${encounterIds}::bigint[]) and d.is_discharge_summary and d.act in ('NEW', 'REPLACE')
      and d.status in ('CURRENT', 'REPLACED') and ${mayReadDocument(tx.groupIds)}
    group by d.encounter_id`);
  return new Map(rows.map(({ encounterId, at }) => [encounterId, at]));
}

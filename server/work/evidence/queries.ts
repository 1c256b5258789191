import type { DischargeEvidence } from '#contract/evidence.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';

/** Returns the team's attempts to reach a person since then, oldest first, with those that were removed. */
export async function attemptsSince(
  tx: ActorTransaction,
  personId: string,
  since: string,
): Promise<DischargeEvidence['attempts']> {
  const { rows } = await tx.query<DischargeEvidence['attempts'][number]>(sql`
    select a.id, a.attempted_at as "attemptedAt", a.channel, a.outcome, a.note, a.display_name as by, a.created_at as "recordedDate",
      a.removed_at as "removedDate"
    from roster_patients r join contact_attempts a on a.roster_patient_id = r.id
    where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)} and a.team_id = ${tx.actor.teamId} and a.attempted_at >= ${since}
    order by a.attempted_at, a.id limit ${MOST_SHOWN}`);
  return rows;
}

/**
 * Returns when the first death that was reported for these visits was, as exactly as its sender said: the instant, or the day if only that is known;
 * null if only the report is dated.
 */
export async function dateOfDeath(tx: ActorTransaction, encounterIds: readonly string[]): Promise<string | null> {
  const { rows } = await tx.query<{ at: string; day: string | null; isReport: boolean }>(sql`
    select e.event_at as at, case when e.event_precision = 'day' then e.event_day end as day,
      coalesce((n.state ->> 'isDeathDatedByReport')::boolean, false) as "isReport"
    from events e join encounters n on n.id = e.encounter_id
    where n.id = any(${encounterIds}::bigint[]) and e.code = 'DECEASED' and e.state <> 'CANCELLED'
    order by ${eventOrder(sql`e`)}, e.id limit 1`);
  const [first] = rows;
  return !first || first.isReport ? null : (first.day ?? first.at);
}

/** More than anyone makes after a discharge. */
const MOST_SHOWN = 500;

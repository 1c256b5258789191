import type { DischargeEvidence } from '#contract/evidence.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';

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

/** More than anyone makes after a discharge. */
const MOST_SHOWN = 500;

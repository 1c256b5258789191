import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { ActorTransaction } from './door.ts';
import { mayReadEncounter, mayReadListing, receivedPingOf } from './policy.ts';

/** What a patient id (`{rosterPatientId}_{encounterId}`) refers to. */
export interface ResolvedPatient {
  rosterPatientId: string;
  personId: string;
  /** Null if the id's second part is 0. The visit may since have moved to another person; the ping sent for this person is then retracted. */
  encounterId: string | null;
  /** The actor's groups that list the person now or did before, ordered by id. */
  groupIds: string[];
}

/**
 * Looks up a patient for the actor. The id's first part may be any listing in the actor's groups; ids that we make use the oldest. Throws
 * the same NOT_FOUND for a patient who does not exist and for one whom the actor may not see, after the same single statement. The
 * contract has already checked the id's format.
 */
export async function resolvePatient(tx: ActorTransaction, patientId: string): Promise<ResolvedPatient> {
  const [rosterPatientId, encounterId] = patientId.split('_');
  const { rows } = await tx.query<ResolvedPatient>(sql`
    select r.id as "rosterPatientId", r.person_id as "personId", e.id as "encounterId",
      array(
        select distinct l.group_id from roster_patients l
        where l.person_id = r.person_id and l.group_id = any (${tx.groupIds}::bigint[])
        order by l.group_id)::text[] as "groupIds"
    from roster_patients r
      left join encounters e on e.id = ${encounterId}::bigint
        and (e.person_id = r.person_id and ${mayReadEncounter(tx.groupIds)} or ${receivedPingOf(tx.groupIds)})
    where r.id = ${rosterPatientId}::bigint and ${mayReadListing(tx.groupIds)}
      and (e.id is not null or ${encounterId} = '0')`);
  const [patient] = rows;
  if (patient === undefined) throw new ApiError('NOT_FOUND');
  return patient;
}

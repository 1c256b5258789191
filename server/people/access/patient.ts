import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { ActorTransaction } from './door.ts';
import { mayReadEncounter, mayReadListing, wasToldOf } from './policy.ts';

/** What a patient id (`{rosterPatientId}_{encounterId}`) stands for. */
export interface ResolvedPatient {
  rosterPatientId: string;
  personId: string;
  /** Null where the id's second part is 0. It may belong to another person now: then a ping of it was told as this one's and retracted. */
  encounterId: string | null;
  /** The actor's groups that list the person, or listed him or her before; in order of their ids. */
  groupIds: string[];
}

/**
 * Opens a patient for the actor. The first part may be any listing of the actor's groups, not only the oldest one, which
 * ids that we make carry. Throws NOT_FOUND alike where it does not exist and where the actor may not know of it; both take the
 * same single statement. The id has the form that the contract checks.
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
        and (e.person_id = r.person_id and ${mayReadEncounter(tx.groupIds)} or ${wasToldOf(tx.groupIds)})
    where r.id = ${rosterPatientId}::bigint and ${mayReadListing(tx.groupIds)}
      and (e.id is not null or ${encounterId} = '0')`);
  const [patient] = rows;
  if (patient === undefined) throw new ApiError('NOT_FOUND');
  return patient;
}

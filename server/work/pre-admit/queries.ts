import type { z } from 'zod';
import { HOUR } from '#contract/durations.ts';
import type { HeldLookUp, HeldPatient, heldAdmission } from '#contract/pre-admit.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

interface HeldRow extends Omit<HeldPatient, 'hoursLeft' | 'deceased' | 'isDeathInDoubt'> {
  expiresAt: string;
  death: Pick<HeldPatient, 'deceased' | 'isDeathInDoubt'> & { listingIds: string[] };
}

/** Condition on `held_patients h`: one of the groups holds the person, and the hold goes on. */
const isHeld = ({ groupIds }: Pick<ActorTransaction, 'groupIds'>, now: Date): Sql =>
  sql`(h.group_id = any (${groupIds}::bigint[]) and h.admitted_at is null and h.expires_at > ${now})`;

/**
 * Returns the held patients, or the one with the id, the first to expire first. A death is said of those whom a program lists, as in the look-up, and whoever lists them
 * sees that among the accesses.
 */
export async function heldPatients(tx: ActorTransaction, now: Date, id: string | null = null): Promise<HeldPatient[]> {
  const { rows } = await tx.query<HeldRow>(sql`
    select h.id, h.group_id as "groupId", g.name as "groupName", h.first_name as "firstName", h.last_name as "lastName", h.gender,
      h.date_of_birth as dob, h.zip, h.created_at as "createdDate", h.expires_at as "expiresAt", h.ssn_last4 as ssn,
      organizations_of_held(h.id) as "owningOrgNames", death_of_held(h.id) as death
    from held_patients h join groups g on g.id = h.group_id
    where ${isHeld(tx, now)} and (${id}::bigint is null or h.id = ${id})
    order by h.expires_at, h.id`);
  return rows.map(({ expiresAt, death: { deceased, isDeathInDoubt, listingIds }, ...row }) => {
    const isShown = deceased && listingIds.length > 0;
    if (isShown) notePatients(listingIds);
    return {
      ...row,
      deceased: isShown,
      isDeathInDoubt: isShown && isDeathInDoubt,
      hoursLeft: Math.ceil((Date.parse(expiresAt) - now.getTime()) / HOUR),
    };
  });
}

/** Returns the names and birth dates of those whom one facility holds. */
export async function namesHeldAt(
  tx: ActorTransaction,
  groupId: string,
  now: Date,
): Promise<Pick<HeldPatient, 'firstName' | 'lastName' | 'dob'>[]> {
  const { rows } = await tx.query<Pick<HeldPatient, 'firstName' | 'lastName' | 'dob'>>(sql`
    select h.first_name as "firstName", h.last_name as "lastName", h.date_of_birth as dob from held_patients h
    where ${isHeld(tx, now)} and h.group_id = ${groupId}`);
  return rows;
}

/** What `look_up_held` returns, with the listings that it read. */
export type LookedUp = Omit<HeldLookUp, 'isMatched'> & { listingIds: string[] };

/** Returns what the facility sees of the person whom it holds. The caller has asked the matcher just now. */
export async function lookUpHeld(tx: ActorTransaction, heldId: string, since: Date): Promise<LookedUp | null> {
  const { rows } = await tx.query<{ found: LookedUp }>(sql`select look_up_held(${heldId}, ${since}) as found`);
  return rows[0]?.found ?? null;
}

/** Returns the holds that admissions ended since then, newest first. */
export async function heldAdmissions(tx: ActorTransaction, since: Date): Promise<z.infer<typeof heldAdmission>[]> {
  const { rows } = await tx.query<z.infer<typeof heldAdmission>>(sql`
    select h.id, g.name as "groupName", h.first_name as "firstName", h.last_name as "lastName", h.date_of_birth as dob,
      h.admitted_at as "admittedDate",
      exists (select from encounters e where e.id = h.encounter_id and e.group_id = h.group_id and e.status = 'CANCELLED') as "isCanceled",
      (select min(r.id) || '_' || h.encounter_id from roster_patients r
        where r.person_id = (select e.person_id from encounters e where e.id = h.encounter_id and e.group_id = h.group_id)
          and r.group_id = any (${tx.groupIds}::bigint[])) as "patientId"
    from held_patients h join groups g on g.id = h.group_id
    where h.group_id = any (${tx.groupIds}::bigint[]) and h.admitted_at >= ${since}
    order by h.admitted_at desc, h.id desc`);
  return rows;
}

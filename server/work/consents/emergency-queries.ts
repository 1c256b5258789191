import { HOUR } from '#contract/durations.ts';
import { type EmergencyAccess, type EmergencyAtFacility, MOST_EMERGENCIES } from '#contract/emergency.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadEncounter } from '#server/people/access/policy.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** Returns the oldest listing of the person by one of the transaction's groups that lists the person now. */
export async function currentListing(tx: ActorTransaction, personId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select id from roster_patients
    where person_id = ${personId} and group_id = any (${tx.groupIds}::bigint[]) and left_at is null order by id limit 1`);
  return rows[0]?.id;
}

/** Returns whether any organization allows emergency access. */
export async function isOffered(tx: Queryable): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    select from organizations where allows_emergency_access and exists (
      select from groups g where g.organization_id = organizations.id and g.type <> 'PROGRAM' and g.ended_at is null) limit 1`);
  return rowCount > 0;
}

/**
 * Returns the facilities with visits of the person that an emergency opens, leaving out those of the actor's own groups, and those that an
 * access of the user in force opens already.
 */
export async function facilitiesToOpen(
  tx: Queryable,
  of: Acting & { personId: string; groupIds: readonly string[]; isMedicalEmergency: boolean; now: Date },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select g.id from groups g join organizations o on o.id = g.organization_id and o.allows_emergency_access
    where not g.id = any (${of.groupIds}::bigint[]) and (${of.isMedicalEmergency} or not g.is_part2_facility)
      and exists (select from encounters e where e.person_id = ${of.personId} and e.group_id = g.id and e.status <> 'CANCELLED')
      and not exists (
        select from emergency_accesses x where ${isInForce(of)}
          and g.id = any (x.facility_group_ids) and (x.is_medical_emergency or not g.is_part2_facility))
    order by g.id`);
  return rows.map(({ id }) => id);
}

interface Acting {
  userId: string;
  teamId: string;
}

/** Condition on `emergency_accesses x`: opens visits of the person now, to the user in the team. */
const isInForce = (of: Acting & { personId: string; now: Date }): Sql => sql`(
  x.user_id = ${of.userId} and x.team_id = ${of.teamId} and x.ends_at > ${of.now}
  and exists (select from roster_patients lists where lists.id = x.roster_patient_id and lists.person_id = ${of.personId}))`;

/** Returns the user's accesses to the person that are in force. */
export async function accessesInForce(tx: Queryable, of: Acting & { personId: string; now: Date }): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`select x.id from emergency_accesses x where ${isInForce(of)}`);
  return rows.map(({ id }) => id);
}

/** Returns whether the user has opened as many other patients as the limit allows, in any team. */
export async function isOverLimit(
  tx: Queryable,
  { userId, personId, now }: { userId: string; personId: string; now: Date },
): Promise<boolean> {
  const [hourAgo, dayAgo] = [new Date(now.getTime() - HOUR), new Date(now.getTime() - 24 * HOUR)];
  const { rows } = await tx.query<{ hour: number; day: number }>(sql`
    select count(distinct r.person_id) filter (where x.began_at > ${hourAgo})::int as hour, count(distinct r.person_id)::int as day
    from emergency_accesses x join roster_patients r on r.id = x.roster_patient_id
    where x.user_id = ${userId} and x.began_at > ${dayAgo} and r.person_id <> ${personId}`);
  const { hour = 0, day = 0 } = rows[0] ?? {};
  return hour >= MOST_EMERGENCIES.hour || day >= MOST_EMERGENCIES.day;
}

export interface NewEmergency extends Acting {
  listingId: string;
  facilityIds: readonly string[];
  reason: string;
  isMedicalEmergency: boolean;
  now: Date;
  endsAt: Date;
}

/** Stores an emergency access and returns its id. */
export async function addEmergency(tx: Queryable, of: NewEmergency): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into emergency_accesses
      (user_id, team_id, roster_patient_id, facility_group_ids, reason, is_medical_emergency, began_at, ends_at)
    values (${of.userId}, ${of.teamId}, ${of.listingId}, ${of.facilityIds}::bigint[], ${of.reason}, ${of.isMedicalEmergency}, ${of.now},
      ${of.endsAt})
    returning id`);
  return rows[0]?.id ?? '';
}

/** Returns when the last of these accesses to the person ends; null without any. */
export async function endOfEmergency(
  tx: ActorTransaction,
  personId: string,
  ids: readonly string[],
): Promise<string | null> {
  const { rows } = await tx.query<{ endsAt: string | null }>(sql`
    select max(x.ends_at) as "endsAt" from emergency_accesses x join roster_patients r on r.id = x.roster_patient_id
    where x.id = any (${ids}::bigint[]) and r.person_id = ${personId}`);
  return rows[0]?.endsAt ?? null;
}

/** Returns the visits that these accesses open, the newest first. */
export async function openedVisits(
  tx: ActorTransaction,
  { personId, listingId, ids }: { personId: string; listingId: string; ids: readonly string[] },
): Promise<EmergencyAccess['visits']> {
  const { rows } = await tx.query<EmergencyAccess['visits'][number]>(sql`
    select ${listingId} || '_' || e.id as "patientId", g.name as "facilityName", g.is_part2_facility as "isPart2Facility",
      e.admitted_at as "admittedDate"
    from encounters e join groups g on g.id = e.group_id
    where e.person_id = ${personId} and e.status <> 'CANCELLED' and ${mayReadEncounter(tx.groupIds)}
      and exists (
        select from emergency_accesses x
        where x.id = any (${ids}::bigint[]) and e.group_id = any (x.facility_group_ids))
    order by e.admitted_at desc nulls last, e.id desc limit 250`);
  return rows;
}

/** Returns the latest emergency accesses that opened visits at facilities that the actor manages. */
export async function emergenciesAt(tx: ActorTransaction): Promise<EmergencyAtFacility[]> {
  const { rows } = await tx.query<EmergencyAtFacility>(sql`
    select x.id, x.at as date, x.organization, x.reason, x.is_medical as "isMedicalEmergency",
      array(select g.name from groups g where g.id = any (x.facility_ids) order by g.name) as facilities,
      case when x.listing is not null then x.listing || '_0' end as "patientId"
    from emergencies_at(${tx.groupIds}::bigint[]) x order by x.at desc, x.id desc`);
  return rows;
}

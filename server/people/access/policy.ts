/**
 * What a team may read, as SQL conditions. Each expects the row under a fixed alias and takes the groups for which the actor holds the
 * flag (`ActorTransaction.groupIds`). docs/security.md, "The door", says the same in prose.
 */
import { type Sql, sql } from '#server/platform/database/sql.ts';

type GroupIds = readonly string[];

/** Condition on `roster_patients r`: one of the groups lists the patient, or did before. */
export const mayReadListing = (groupIds: GroupIds): Sql => sql`r.group_id = any (${groupIds}::bigint[])`;

/**
 * Condition on an encounter and a listing of the same person: the listing opens the visit, because it is open or ended no earlier than
 * `opens_from`. A visit without a discharge that is over, such as a single event, ended when it began.
 */
export const opensVisit = (listing: Sql, encounter: Sql): Sql => sql`(
  ${encounter}.status in ('PLANNED', 'IN_PROGRESS', 'ON_LEAVE')
  or coalesce(${encounter}.discharged_at, ${encounter}.admitted_at) >= ${listing}.opens_from)`;

/** Condition: the person consents to what the facility discloses to the group. */
const consents = (facilityId: Sql, personId: Sql, groupId: Sql): Sql => sql`exists (
  select from consents c
  where c.person_id = ${personId} and c.facility_group_id = ${facilityId} and c.recipient_group_id = ${groupId} and c.ended_at is null)`;

/**
 * Condition: the facility may disclose what concerns the person to the group. A 42 CFR Part 2 facility may while a consent for that group is in force. The
 * statement lists these facilities once; looking each visit's up was a fifth of finding the latest visits of a page.
 */
const disclosesTo = (facilityId: Sql, personId: Sql, groupId: Sql): Sql => sql`(
  ${facilityId} <> all (array(select facility.id from groups facility where facility.is_part2_facility))
  or ${consents(facilityId, personId, groupId)})`;

/** Condition on an encounter and a current listing of the same person: the listing makes the visit readable. */
export const listingOpens = (listing: Sql, encounter: Sql): Sql =>
  sql`(${opensVisit(listing, encounter)}
    and ${disclosesTo(sql`${encounter}.group_id`, sql`${encounter}.person_id`, sql`${listing}.group_id`)})`;

/**
 * Condition on `pings p`: the facility of its visit may still disclose the person's visits there to the group that got the ping. Row-level
 * security shows pings of the actor's groups only, but also those of a 42 CFR Part 2 facility whose consent is missing or has ended.
 */
export const mayReadPing: Sql = sql`exists (
  select from encounters visit join roster_patients listed on listed.id = p.roster_patient_id
  where visit.id = p.encounter_id and ${disclosesTo(sql`visit.group_id`, sql`listed.person_id`, sql`p.group_id`)})`;

/**
 * Condition on `encounters e`: an emergency access of the acting user covers the visit, for a person whom one of the groups lists. A 42 CFR Part 2
 * facility's visits are open only in a medical emergency (42 CFR 2.51).
 */
const openedInEmergency = (groupIds: GroupIds): Sql => sql`exists (
  select from emergency_accesses x
    join roster_patients lists on lists.id = x.roster_patient_id
    join groups facility on facility.id = e.group_id
    join organizations host on host.id = facility.organization_id and host.allows_emergency_access
  where x.id = any (current_emergencies()) and e.group_id = any (x.facility_group_ids)
    and lists.person_id = e.person_id and lists.group_id = any (${groupIds}::bigint[])
    and (x.is_medical_emergency or not facility.is_part2_facility))`;

/**
 * The person for whom `pings sent` was sent. Not a join, for which all pings of the listing would be read for each visit: of someone with 250 visits
 * that is most of the time.
 */
const sentFor: Sql = sql`(select listed.person_id from roster_patients listed where listed.id = sent.roster_patient_id)`;

/**
 * Condition on `encounters e`: one of the groups is the facility itself, or received a ping of the visit for this person, or lists the
 * person now and the listing opens the visit. A 42 CFR Part 2 facility's visits are hidden from other groups, unless a consent for that recipient is
 * in force: a ping shows the visit as it goes on, so it would disclose what happened after the consent ended. A ping that was sent for
 * another person, before the visit was linked to this one, grants nothing. An emergency access of the user opens visits for an hour.
 */
export const mayReadEncounter = (groupIds: GroupIds): Sql => sql`(
  e.group_id = any (${groupIds}::bigint[])
  or exists (
    select from pings sent
    where sent.encounter_id = e.id and sent.group_id = any (${groupIds}::bigint[]) and ${sentFor} = e.person_id
      and ${disclosesTo(sql`e.group_id`, sql`e.person_id`, sql`sent.group_id`)})
  or exists (
    select from roster_patients lists
    where lists.person_id = e.person_id and lists.group_id = any (${groupIds}::bigint[]) and lists.left_at is null
      and ${listingOpens(sql`lists`, sql`e`)})
  or ${openedInEmergency(groupIds)})`;

/**
 * Condition on `documents d`: one of the groups is the facility that sent it, or may read its visit, or, if it belongs to no visit, lists the
 * person now. A document of a 42 CFR Part 2 facility, or that its sender marked as restricted, is hidden from other groups unless a consent is in force.
 */
export const mayReadDocument = (groupIds: GroupIds): Sql => sql`(
  d.group_id = any (${groupIds}::bigint[])
  or ((case when d.encounter_id is null then exists (
      select from roster_patients lists
      where lists.person_id = d.person_id and lists.group_id = any (${groupIds}::bigint[]) and lists.left_at is null
        and ${disclosesTo(sql`d.group_id`, sql`d.person_id`, sql`lists.group_id`)})
    else exists (select from encounters e where e.id = d.encounter_id and ${mayReadEncounter(groupIds)}) end)
    and (not d.is_restricted or exists (
      select from consents c
      where c.person_id = d.person_id and c.facility_group_id = d.group_id and c.recipient_group_id = any (${groupIds}::bigint[])
        and c.ended_at is null))))`;

/**
 * Condition on `encounters e` and a listing `r`: one of the groups received a ping of the visit for this person, and the visit has since
 * moved to another person. The group may then open the id to work on the retracted ping, but may not read the visit. A 42 CFR Part 2
 * facility's ping does so only while a consent of the person whom it was sent for is in force.
 */
export const receivedPingOf = (groupIds: GroupIds): Sql => sql`e.person_id is distinct from r.person_id and exists (
  select from pings sent
  where sent.encounter_id = e.id and sent.group_id = any (${groupIds}::bigint[]) and ${sentFor} = r.person_id
    and ${disclosesTo(sql`e.group_id`, sql`r.person_id`, sql`sent.group_id`)})`;

/**
 * Condition on a listing `r` and a change of its person that was logged with a group: the facility if it is under 42 CFR Part 2, the
 * recipient of a consent that changed, and otherwise null. That something changed there is disclosed like the visit.
 */
export const mayLearnOfChange = (groupId: Sql): Sql => sql`(
  ${groupId} is null or r.group_id = ${groupId} or ${consents(groupId, sql`r.person_id`, sql`r.group_id`)})`;

/** A facility, as far as disclosure goes. */
export interface Discloser {
  id: string;
  isPart2: boolean;
}

/**
 * Returns whether the facility may disclose what concerns a person to the group. `consents`: the person's consents in force, each as
 * 'facilityId recipientId'.
 */
export const discloses = (facility: Discloser, consents: ReadonlySet<string>, groupId: string): boolean =>
  !facility.isPart2 || consents.has(`${facility.id} ${groupId}`);

/** One encounter with its person, as far as `readersOf` needs them. */
export interface Readership {
  encounterId: string;
  facility: Discloser;
  /** In milliseconds; infinity while the visit is open or planned, null if no time is known. */
  endedAt: number | null;
  /** The person's listings in the groups asked about. `opensFrom`: in milliseconds. */
  listings: readonly { groupId: string; hasLeft: boolean; opensFrom: number }[];
  /** Pings sent under those listings. */
  pings: readonly { encounterId: string; groupId: string }[];
  /** The person's consents in force, each as 'facilityId recipientId'. */
  consents: ReadonlySet<string>;
}

/**
 * Returns the groups that may read the encounter: the rule of `mayReadEncounter` for rows already in memory, as the search needs it.
 * `server/work/search/access-scope.db.test.ts` checks that the two agree.
 */
export function readersOf(groupIds: GroupIds, of: Readership): string[] {
  const lists = (groupId: string) =>
    of.listings.some(
      (listing) =>
        listing.groupId === groupId && !listing.hasLeft && of.endedAt !== null && of.endedAt >= listing.opensFrom,
    );
  const receivedPing = (groupId: string) =>
    of.pings.some((ping) => ping.encounterId === of.encounterId && ping.groupId === groupId);
  return groupIds.filter(
    (groupId) =>
      groupId === of.facility.id ||
      (discloses(of.facility, of.consents, groupId) && (lists(groupId) || receivedPing(groupId))),
  );
}

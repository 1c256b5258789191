/**
 * What a team may read, as SQL conditions. Each names the row in question by a fixed alias and takes the groups for which the
 * actor holds the flag (`ActorTransaction.groupIds`).
 */
import { type Sql, sql } from '#server/platform/database/sql.ts';

type GroupIds = readonly string[];

/** Of `roster_patients r`: a listing of one of the groups, also after it ended. */
export const mayReadListing = (groupIds: GroupIds): Sql => sql`r.group_id = any (${groupIds}::bigint[])`;

/**
 * Of `encounters e`: it is a facility's own, or a ping of it was told to one of the groups as this person's, or one of them lists
 * the person now and may be told of this facility's patients (42 CFR Part 2: only with a consent for that recipient). A ping that
 * was told as somebody else's, before the visit turned out to be this person's, opens nothing.
 */
export const mayReadEncounter = (groupIds: GroupIds): Sql => sql`(
  e.group_id = any (${groupIds}::bigint[])
  or exists (
    select from pings told join roster_patients listed on listed.id = told.roster_patient_id
    where told.encounter_id = e.id and told.group_id = any (${groupIds}::bigint[]) and listed.person_id = e.person_id)
  or exists (
    select from roster_patients lists
    where lists.person_id = e.person_id and lists.group_id = any (${groupIds}::bigint[]) and lists.left_at is null
      and (
        not (select facility.is_part2_facility from groups facility where facility.id = e.group_id)
        or exists (
          select from consents c
          where c.person_id = e.person_id and c.facility_group_id = e.group_id
            and c.recipient_group_id = lists.group_id and c.ended_at is null))))`;

/**
 * Of `encounters e` and a listing `r`: a ping of it was told to one of the groups under a listing of this person, whoever's visit it
 * has turned out to be. It may be opened to act on what was told, which is retracted; what the visit says is not to be read.
 */
export const wasToldOf = (groupIds: GroupIds): Sql => sql`exists (
  select from pings told join roster_patients listed on listed.id = told.roster_patient_id
  where told.encounter_id = e.id and told.group_id = any (${groupIds}::bigint[]) and listed.person_id = r.person_id)`;

/** What `readersOf` goes by, of one encounter and the person whose it is. */
export interface Readership {
  encounterId: string;
  facilityId: string;
  isPart2: boolean;
  /** Listings of the person by the groups in question. */
  listings: readonly { groupId: string; hasLeft: boolean }[];
  /** Pings under one of these listings. */
  pings: readonly { encounterId: string; groupId: string }[];
  /** The person's consents that stand, as 'facility recipient'. */
  consents: ReadonlySet<string>;
}

/**
 * The groups by which `mayReadEncounter` holds, for rows that are at hand: the same policy as a mask over the read model. A test holds
 * the two against each other (`server/work/search/access-scope.db.test.ts`).
 */
export function readersOf(groupIds: GroupIds, of: Readership): string[] {
  const lists = (groupId: string) =>
    of.listings.some((listing) => listing.groupId === groupId && !listing.hasLeft) &&
    (!of.isPart2 || of.consents.has(`${of.facilityId} ${groupId}`));
  const wasTold = (groupId: string) =>
    of.pings.some((ping) => ping.encounterId === of.encounterId && ping.groupId === groupId);
  return groupIds.filter((groupId) => groupId === of.facilityId || lists(groupId) || wasTold(groupId));
}

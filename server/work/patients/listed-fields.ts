/** What a patient's row says as the team's groups list the person. */
import type { Patient } from '#contract/patients.ts';
import { currentListings, firstCurrent } from './current-listings.ts';
import { derivedId } from './derived-id.ts';
import { cohortsOf, providersOf } from './listed-people.ts';
import type { ListingRow } from './queries.ts';

type ListedFields = Pick<
  Patient,
  | 'firstName'
  | 'middleName'
  | 'lastName'
  | 'nameSuffix'
  | 'gender'
  | 'dateOfBirth'
  | 'address'
  | 'detailsVisible'
  | 'creatorGroupId'
  | 'creatorGroupName'
  | 'listings'
  | 'programs'
  | 'practices'
  | 'providers'
  | 'patientTags'
  | 'insurancePlans'
>;

export const hasLeft = ({ leftAt }: ListingRow): boolean => leftAt !== null;

/** Returns the fields that come from listings, the oldest first. `detailed` and `tagged`: the groups whose details and tags the actor may see. */
export function listedFields(
  listings: readonly [ListingRow, ...ListingRow[]],
  { detailed, tagged }: { detailed: ReadonlySet<string>; tagged: ReadonlySet<string> },
): ListedFields {
  const [oldest] = listings;
  const current = currentListings(listings, hasLeft);
  const { firstName, middleName, lastName, nameSuffix, gender, dateOfBirth } = current[0] ?? oldest;
  const shown = listings.filter(({ groupId }) => detailed.has(groupId));
  const address = firstCurrent(shown, hasLeft);
  const isTagged = ({ groupId }: ListingRow) => tagged.has(groupId);
  const tags = [
    ...current.filter(isTagged).flatMap((l) => l.tags),
    ...listings.filter(isTagged).flatMap((l) => l.teamTags),
  ];
  return {
    firstName,
    middleName,
    lastName,
    nameSuffix,
    gender,
    dateOfBirth,
    address: address ? addressOf(address) : null,
    detailsVisible: shown.length > 0,
    creatorGroupId: oldest.groupId,
    creatorGroupName: oldest.groupName,
    listings: listings.map(({ id, groupId, groupName, groupType, memberId, leftAt }) => ({
      rosterPatientId: id,
      groupId,
      groupName,
      groupType,
      memberId: detailed.has(groupId) ? memberId : null,
      leftAt,
    })),
    programs: cohortsOf(current, 'PROGRAM'),
    practices: cohortsOf(current, 'PRACTICE'),
    providers: providersOf(current),
    patientTags: [...new Set(tags)],
    insurancePlans: insurancesOf(shown),
  };
}

function addressOf(l: ListingRow): NonNullable<Patient['address']> {
  const { address1, address2, city, state, zip, homePhone, mobilePhone } = l;
  return { address1, address2, city, state, zip, homePhone, mobilePhone };
}

/** Returns the insurances that the listings name, each name once. */
function insurancesOf(listings: readonly ListingRow[]): Patient['insurancePlans'] {
  const named = listings.flatMap(({ organizationId, insurance }) =>
    insurance.map((value) => ({ organizationId, value })),
  );
  return [...Map.groupBy(named, ({ value }) => value).values()].flatMap(([first]) =>
    first ? [{ id: derivedId('INSURANCE', first.organizationId, first.value), value: first.value }] : [],
  );
}

/** The cells of a row about a person: the merged details of the groups that list the person, and the flags from the visits. Pure. */
import { FACETS } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import type { PatientFlags } from '#server/record/rules/patient-flags.ts';
import { currentListings, firstCurrent } from '#server/work/patients/current-listings.ts';
import { type AccessScope, IDENTIFIERS_PERMISSION } from '../access-scope.ts';
import type { Row } from '../columns/types.ts';
import type { PersonMulti, PersonNumber, PersonSingle } from '../schema.ts';
import type { ListingFacts } from './row-sources.ts';
import type { TagFacts } from './team-facts.ts';

export interface PersonCells extends Pick<Row, 'sortTexts' | 'words'> {
  singles: Record<PersonSingle, string | null>;
  multis: Record<PersonMulti | 'lists', readonly string[]>;
  numbers: Record<PersonNumber, number | null>;
}

export interface PersonCellsOf {
  /** Oldest first; at least one. */
  listings: readonly ListingFacts[];
  /** Tags that the scope's team has given. */
  tags: readonly TagFacts[];
  scope: AccessScope;
  /** The flags for a permission: from the visits that its groups may read. */
  flagsFor: (permission: Permission | null) => PatientFlags;
  /** What was written about the person (`storyInformation`). */
  written: readonly string[];
  /** The HL7-based programs that the person is in now. */
  enrolledIn: readonly string[];
  encounters: number;
  outsideEncounters: number;
}

export function personCells({
  listings,
  tags,
  scope,
  flagsFor,
  written,
  enrolledIn,
  encounters,
  outsideEncounters,
}: PersonCellsOf): PersonCells {
  const current = currentListings(listings, hasLeft);
  const named = current[0] as ListingFacts;
  const within = <Row extends { groupId: string }>(rows: readonly Row[], permission: Permission): readonly Row[] => {
    const groupIds = scope.partialGrants[permission];
    return groupIds === undefined ? rows : rows.filter(({ groupId }) => groupIds.includes(groupId));
  };
  const details = within(listings, IDENTIFIERS_PERMISSION);
  const address = firstCurrent(details, hasLeft);
  const programs = distinct([...merged(current, (row) => row.programs), ...enrolledIn]);
  const practices = merged(current, (row) => row.practices);
  const providers = merged(current, providersOf);
  const careCoordinators = merged(current, (row) => row.careCoordinators);
  return {
    singles: {
      covid19: flagsFor(FACETS.covid19.permission).covid19,
      hhaServices: flagsFor(FACETS.hhaServices.permission).hhaServices,
      hospitalUse: flagsFor(null).hospitalUse,
      gender: named.gender,
      city: address?.city ?? null,
      zipCode: address?.zip ?? null,
    },
    multis: {
      lists: merged(
        listings.filter((listing) => !listing.hasLeft),
        ({ groupId }) => [groupId],
      ),
      careGaps: merged(within(current, FACETS.careGaps.permission), (row) => row.careGaps),
      currentlyBilling: merged(current, (row) => row.billingAgencies),
      advanceCareDocuments: merged(current, (row) => row.advanceCareDocuments),
      risingRisk: flagsFor(FACETS.risingRisk.permission).risingRisk,
      riskList: flagsFor(FACETS.riskList.permission).risingRisk,
      storyInformation: [...written, ...(providers.length + careCoordinators.length > 0 ? CARE_TEAM : [])],
      program: programs,
      activeTags: distinct([
        ...within(current, FACETS.activeTags.permission).flatMap((row) => row.tags),
        ...within(tags, FACETS.activeTags.permission).map(({ name }) => name),
      ]),
      practice: practices,
      provider: providers,
      careCoordinator: careCoordinators,
    },
    numbers: {
      birthDay: named.birthDay,
      encounters,
      outsideEncounters,
      programs: programs.length,
      practices: practices.length,
    },
    sortTexts: { firstName: named.sortFirst, lastName: named.sortLast },
    words: {
      name: merged(listings, nameWords),
      // Newest first: a row holds some hundreds.
      identifier: merged(details.toReversed(), ({ memberId }) => identifierWords(memberId)),
    },
  };
}

const CARE_TEAM = ['CARE_TEAM'];
const hasLeft = (listing: ListingFacts): boolean => listing.hasLeft;

/** Returns the distinct values of all listings, without blank ones, in order of first mention. */
function merged(
  listings: readonly ListingFacts[],
  valuesOf: (row: ListingFacts) => readonly string[],
): readonly string[] {
  const [first] = listings;
  if (first === undefined) return [];
  const values = listings.length === 1 ? valuesOf(first) : listings.flatMap(valuesOf);
  return distinct(values);
}

function distinct(values: readonly string[]): readonly string[] {
  if (values.length < 2) return values[0] === '' ? [] : values;
  return [...new Set(values)].filter((value) => value !== '');
}

function providersOf({ providerFirstName, providerLastName }: ListingFacts): string[] {
  return providerLastName === null ? [] : [[providerFirstName, providerLastName].filter(Boolean).join(' ')];
}

function nameWords({ sortFirst, sortLast, middleName }: ListingFacts): string[] {
  return `${sortFirst} ${middleName ? sortKey(middleName) : ''} ${sortLast}`.split(' ');
}

/** Returns the words to find an identifier by: 'AB-12' is found with and without its punctuation. */
function identifierWords(identifier: string): string[] {
  const parts = sortKey(identifier).split(' ');
  return parts.length > 1 ? [...parts, parts.join('')] : parts;
}

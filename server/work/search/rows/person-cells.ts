/** What a row says of a person: what the groups that list him or her gave, merged, and the flags that follow from the visits. Pure. */
import { FACETS } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import type { PatientFlags } from '#server/record/rules/patient-flags.ts';
import { type AccessScope, IDENTIFIERS_PERMISSION } from '../access-scope.ts';
import type { Row } from '../columns/types.ts';
import type { PersonMulti, PersonNumber, PersonSingle } from '../schema.ts';
import type { ListingFacts } from './row-sources.ts';

export interface PersonCells extends Pick<Row, 'sortTexts' | 'words'> {
  singles: Record<PersonSingle, string | null>;
  multis: Record<PersonMulti | 'lists', readonly string[]>;
  numbers: Record<PersonNumber, number | null>;
}

export interface PersonCellsOf {
  /** The oldest first; one at least. */
  listings: readonly ListingFacts[];
  scope: AccessScope;
  /** The flags as those may know them who hold a permission: from the visits that its part of the groups may read. */
  flagsFor: (permission: Permission | null) => PatientFlags;
  encounters: number;
  outsideEncounters: number;
}

export function personCells({ listings, scope, flagsFor, encounters, outsideEncounters }: PersonCellsOf): PersonCells {
  // What a list said of somebody who has left it counts only where no list has the person now.
  const standing = listings.filter(({ hasLeft }) => !hasLeft);
  const told = standing.length > 0 ? standing : listings;
  const named = told[0] as ListingFacts;
  const within = (rows: readonly ListingFacts[], flag: Permission) => {
    const part = scope.parts[flag];
    return part === undefined ? rows : rows.filter(({ groupId }) => part.includes(groupId));
  };
  const details = within(listings, IDENTIFIERS_PERMISSION);
  const address = details.find(({ hasLeft }) => !hasLeft) ?? details[0];
  const programs = merged(told, (row) => row.programs);
  const practices = merged(told, (row) => row.practices);
  const providers = merged(told, providersOf);
  const careCoordinators = merged(told, (row) => row.careCoordinators);
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
      lists: merged(standing, ({ groupId }) => [groupId]),
      careGaps: merged(within(told, FACETS.careGaps.permission), (row) => row.careGaps),
      currentlyBilling: merged(told, (row) => row.billingAgencies),
      advanceCareDocuments: merged(told, (row) => row.advanceCareDocuments),
      risingRisk: flagsFor(FACETS.risingRisk.permission).risingRisk,
      // Instructions, plans and documents are not there yet.
      storyInformation: providers.length + careCoordinators.length > 0 ? CARE_TEAM : [],
      program: programs,
      activeTags: merged(within(told, FACETS.activeTags.permission), (row) => row.tags),
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
      identifier: merged(details, ({ memberId }) => identifierWords(memberId)),
    },
  };
}

const CARE_TEAM = ['CARE_TEAM'];

/** Values in the order of their first mention; blank ones are none. */
function merged(
  listings: readonly ListingFacts[],
  valuesOf: (row: ListingFacts) => readonly string[],
): readonly string[] {
  const [first] = listings;
  if (first === undefined) return [];
  const values = listings.length === 1 ? valuesOf(first) : listings.flatMap(valuesOf);
  if (values.length < 2) return values[0] === '' ? [] : values;
  return [...new Set(values)].filter((value) => value !== '');
}

function providersOf({ providerFirstName, providerLastName }: ListingFacts): string[] {
  return providerLastName === null ? [] : [[providerFirstName, providerLastName].filter(Boolean).join(' ')];
}

function nameWords({ sortFirst, sortLast, middleName }: ListingFacts): string[] {
  return `${sortFirst} ${middleName ? sortKey(middleName) : ''} ${sortLast}`.split(' ');
}

/** 'AB-12' is found as it is written and without its marks. */
export function identifierWords(identifier: string): string[] {
  const parts = sortKey(identifier).split(' ');
  return parts.length > 1 ? [...parts, parts.join('')] : parts;
}

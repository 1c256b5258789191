/** Who looks after a patient, and in which programs and practices, from the listings that count, merged by name. */
import type { CareCoordinatorDetails, Cohort, ProviderDetails } from '#contract/cohorts.ts';
import { derivedId } from './derived-id.ts';
import type { ListingRow } from './queries.ts';

const NO_META = { admittingFacilityName: null, payer: null, validTo: null };

/** Returns the organizations that list the patient, each once. */
export const orgsOf = (listings: readonly ListingRow[]): Cohort[] =>
  [...Map.groupBy(listings, ({ organizationId }) => organizationId).values()].flatMap(([first]) =>
    first
      ? {
          id: orgId(first.organizationId),
          parentId: null,
          name: first.organizationName,
          type: 'OWNING_ORG',
          metaData: { ...NO_META, state: first.groupState },
        }
      : [],
  );

/** Returns the programs or practices that the listings name, each name once, in order of first mention. */
export function cohortsOf(listings: readonly ListingRow[], type: 'PROGRAM' | 'PRACTICE'): Cohort[] {
  const named = listings.flatMap(({ programs, practices, organizationId, groupState }) =>
    (type === 'PROGRAM' ? programs : practices).map((name) => ({ name, organizationId, groupState })),
  );
  return [...Map.groupBy(named, ({ name }) => name)].flatMap(([name, [first]]) =>
    first
      ? {
          id: derivedId(type, first.organizationId, name),
          parentId: orgId(first.organizationId),
          name,
          type,
          metaData: { ...NO_META, state: first.groupState },
        }
      : [],
  );
}

/** Returns the providers that the listings name. Two listings with one NPI, or without NPIs and one name, mean one provider. */
export function providersOf(listings: readonly ListingRow[]): ProviderDetails[] {
  const named = listings.filter(({ providerLastName }) => providerLastName !== null);
  const fullNameOf = (l: ListingRow) => [l.providerFirstName, l.providerLastName].filter(Boolean).join(' ');
  const same = Map.groupBy(named, (listing) => listing.providerNpi ?? fullNameOf(listing));
  return [...same.values()].map((rows) => {
    const first = rows[0] as ListingRow;
    const { providerNpi: npi, organizationId } = first;
    const fullName = fullNameOf(first);
    const practice = firstOf(rows, ({ practices, organizationId: org }) =>
      practices[0] === undefined ? null : derivedId('PRACTICE', org, practices[0]),
    );
    return {
      // An NPI is of one provider in the whole country.
      id: npi === null ? derivedId('PROVIDER', organizationId, fullName) : derivedId('PROVIDER', '', npi),
      firstName: first.providerFirstName ?? '',
      lastName: first.providerLastName ?? '',
      fullName,
      npi,
      telephone: firstOf(rows, (row) => row.providerPhone),
      title: firstOf(rows, (row) => row.providerTitle),
      fax: firstOf(rows, (row) => row.providerFax),
      email: firstOf(rows, (row) => row.providerEmail),
      directMessage: firstOf(rows, (row) => row.providerDirectMessage),
      cohortId: practice,
      providerType: firstOf(rows, (row) => row.providerType),
    };
  });
}

/** Returns the care coordinators that the listings name, each name once, in order of first mention. */
export function coordinatorsOf(listings: readonly ListingRow[]): CareCoordinatorDetails[] {
  const named = listings.flatMap((listing) => listing.careCoordinators.map((name, at) => ({ listing, name, at })));
  return [...Map.groupBy(named, ({ name }) => name)].map(([fullName, rows]) => {
    const { organizationId, programs } = (rows[0] as (typeof named)[number]).listing;
    const beside = (column: (row: ListingRow) => string[]) =>
      firstOf(rows, ({ listing, at }) => column(listing)[at] || null);
    return {
      id: derivedId('CARE_COORDINATOR', organizationId, fullName),
      fullName,
      telephone: beside((row) => row.careCoordinatorPhones),
      title: beside((row) => row.careCoordinatorTitles),
      fax: beside((row) => row.careCoordinatorFaxes),
      email: beside((row) => row.careCoordinatorEmails),
      cohortId: programs[0] === undefined ? orgId(organizationId) : derivedId('PROGRAM', organizationId, programs[0]),
      eventType: beside((row) => row.careCoordinatorEventTypes),
    };
  });
}

const orgId = (organizationId: string): string => derivedId('OWNING_ORG', organizationId, '');

function firstOf<Row>(rows: readonly Row[], valueOf: (row: Row) => string | null): string | null {
  for (const row of rows) {
    const value = valueOf(row);
    if (value !== null) return value;
  }
  return null;
}

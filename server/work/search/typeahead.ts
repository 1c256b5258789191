/** Typeahead for filter values and patients, among the rows that match the other filters. */
import type { z } from 'zod';
import { type Facet, facetDefinition, hasFacet } from '#contract/facets.ts';
import { isOpen, MANAGEMENT_STATUSES } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { FacetOption, SearchParameters } from '#contract/search.ts';
import {
  type patientOption,
  type patientTypeaheadQuery,
  TYPEAHEADS,
  type TypeaheadKind,
  type typeaheadQuery,
} from '#contract/typeahead.ts';
import { asActor } from '#server/people/access/door.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { loadPatients, type PatientKey } from '#server/work/patients/load.ts';
import { areSimilarNames } from '#server/work/patients/similar-names.ts';
import { assertMayList, LIST_PERMISSIONS, mayUseFacet } from './access-scope.ts';
import type { Condition, Filter, Sort } from './columns/table.ts';
import { facetOptionOf } from './facet-options.ts';
import { patientKeys } from './row-keys.ts';
import { orderOf } from './row-order.ts';
import { columnOf, columnOfFacet } from './schema.ts';
import { DEFAULT_PARAMETERS, prepare, type Search, type SearchDeps } from './search.ts';

type Typed = z.output<typeof typeaheadQuery>;
type PatientOption = z.infer<typeof patientOption>;

export interface TypeaheadCall extends Pick<Search, 'actor' | 'now' | 'after'> {
  typed: Typed;
}

/** Returns filter values that match typed text. Errors: NOT_PERMITTED for the list or facet, BAD_REQUEST for a facet that the list does not have, and those of `prepare`. */
export async function completeValue(
  deps: SearchDeps,
  kind: TypeaheadKind,
  { typed: { query, pageSize, parameters = DEFAULT_PARAMETERS, facet: named }, ...caller }: TypeaheadCall,
): Promise<FacetOption[]> {
  const facet = facetOf(kind, named);
  const { searchContext: context } = parameters;
  assertMayList(caller.actor, context);
  if (!hasFacet(context, facet)) throw refuse('This filter does not apply to this list.');
  const of = { ...caller, context, parameters: withoutFacet(parameters, facet) };
  const { scope, condition } = await prepare(deps, of);
  if (!mayUseFacet(caller.actor, scope, facet)) throw new ApiError('NOT_PERMITTED');
  const column = columnOfFacet(context, facet);
  const question = {
    kind: 'values',
    facet: column,
    text: query,
    condition,
    limit: pageSize,
    byDescription: isDiagnosis(facet),
  } as const;
  const { values, descriptions } = await deps.pool.ask<'values'>(scope, context, question, caller);
  return values.map((each) => facetOptionOf(facet, each, descriptions));
}

const isDiagnosis = (facet: Facet): boolean => facetDefinition(facet).isDiagnosis ?? false;

const refuse = (reason: string): ApiError => new ApiError('BAD_REQUEST', { fields: { facet: reason } });

function facetOf(kind: TypeaheadKind, named: Facet | undefined): Facet {
  if (kind === 'values') {
    if (named === undefined) throw refuse('Name the filter to look in.');
    return named;
  }
  const own = TYPEAHEADS[kind];
  if (named === undefined || named === own || (isDiagnosis(named) && isDiagnosis(own))) return named ?? own;
  throw refuse('This call does not look up this filter.');
}

/** The looked-up value is added to the selected values, so these don't restrict it. */
function withoutFacet(parameters: SearchParameters, facet: Facet): SearchParameters {
  const { [facet]: _, ...preferenceMap } = parameters.userDefinedFacetPreferences.preferenceMap;
  return {
    ...parameters,
    userDefinedFacetPreferences: { ...parameters.userDefinedFacetPreferences, preferenceMap },
  };
}

/** Rows to read for each option: a person can have many stays in the inbox. */
const STAYS_PER_PERSON = 20;

export interface PatientTypeaheadCall extends Pick<Search, 'actor' | 'now' | 'after'> {
  typed: z.output<typeof patientTypeaheadQuery>;
}

/**
 * Returns patients whose name or identifier matches typed text, and whose birth date is that of the parameters, if they have one; in the inbox
 * their stays (`staysToShow`).
 */
export async function completePatient(
  deps: SearchDeps,
  { typed: { query, pageSize, parameters = DEFAULT_PARAMETERS }, ...caller }: PatientTypeaheadCall,
): Promise<PatientOption[]> {
  const { actor, now } = caller;
  const { searchContext: context } = parameters;
  assertMayList(actor, context);
  const preferences = { ...parameters.userDefinedFacetPreferences, query };
  const typed = { ...parameters, userDefinedFacetPreferences: preferences, sortBy: [] };
  const { scope, condition } = await prepare(deps, { ...caller, context, parameters: typed });
  const sort = orderOf(typed, context, now);
  const keysOf = async (of: Condition, order: Sort[], limit: number): Promise<readonly number[]> => {
    const page = { sort: order, offset: 0, limit, facets: [], facetSize: 0 };
    const question = { kind: 'search', query: { ...of, ...page } } as const;
    return (await deps.pool.ask<'search'>(scope, context, question, caller)).answer.keys;
  };
  const newestFirst = [...sort, { by: columnOf(context, 'eventAt'), descending: true }];
  const stays = (of: Condition) => keysOf(of, newestFirst, pageSize * STAYS_PER_PERSON);
  const isOfPings = context === 'PINGS';
  const [found, open] = isOfPings
    ? [await stays(condition), await stays({ ...condition, where: [...condition.where, OPEN] })]
    : [await keysOf(condition, sort, pageSize), []];
  const patients = await asActor(deps.db, actor, LIST_PERMISSIONS[context], async (tx) => {
    const keys = await patientKeys(tx, context, found);
    const shown = isOfPings ? staysToShow(keys, await patientKeys(tx, context, open)) : keys;
    return loadPatients(tx, shown.slice(0, pageSize), now);
  });
  return patients.map((patient) => ({
    ...optionOf(patient.id, `${patient.lastName.toUpperCase()}, ${patient.firstName}`),
    dateOfBirth: patient.dateOfBirth,
    gender: patient.gender,
    memberId: patient.listings.find(({ memberId }) => memberId !== null)?.memberId ?? null,
    isSimilarToAnother: patients.some(
      (other) => listingOf(other) !== listingOf(patient) && areSimilarNames(nameOf(other), nameOf(patient)),
    ),
    ...(isOfPings && { stay: stayOf(patient) }),
  }));
}

const OPEN: Filter = {
  facet: columnOf('PINGS', 'managementStatus'),
  any: MANAGEMENT_STATUSES.filter((status) => isOpen(status)),
  none: [],
};

/** Returns the stays of each person that have an open ping, or the newest stay of a person without any. Both lists are newest first for a person. */
function staysToShow(found: readonly PatientKey[], open: readonly PatientKey[]): PatientKey[] {
  const openOf = Map.groupBy(open, ({ personId }) => personId);
  const persons = Map.groupBy([...found, ...open], ({ personId }) => personId);
  return [...persons].flatMap(([person, stays]) => openOf.get(person) ?? stays.slice(0, 1));
}

function stayOf({ card, currentPing, currentPingEncounter }: Patient): PatientOption['stay'] {
  const pings = currentPingEncounter?.pings ?? [];
  const headline = pings.find(({ eventIdentifier }) => eventIdentifier === card?.headline.eventIdentifier);
  const ping = headline ?? currentPing;
  if (!ping || !card) return undefined;
  const { status, state, setting, dischargedTo, payor, eventDate, facility } = ping;
  const event = { status, state, setting, dischargedTo, payor, eventDate };
  return { ...event, facilityName: facility.name, timeZone: facility.timeZone, managementStatus: card.status };
}

/** All stays of a person are of the same listing. */
const listingOf = ({ id }: Patient): string => id.split('_')[0] ?? '';

const optionOf = (id: string, name: string) => ({ value: id, label: name, id, name });

const nameOf = ({
  firstName,
  lastName,
  dateOfBirth,
}: {
  firstName: string;
  lastName: string;
  dateOfBirth: string | null;
}) => ({
  family: lastName,
  given: firstName,
  birthDate: dateOfBirth,
});

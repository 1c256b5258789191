/** Typeahead for filter values and patients, among the rows that match the other filters. */
import type { z } from 'zod';
import { type Facet, facetDefinition, hasFacet, type SearchContext } from '#contract/facets.ts';
import type { FacetOption, SearchParameters } from '#contract/search.ts';
import {
  type patientOption,
  type patientTypeaheadQuery,
  TYPEAHEADS,
  type TypeaheadKind,
  type typeaheadQuery,
} from '#contract/typeahead.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { loadPatients } from '#server/work/patients/load.ts';
import { areSimilarNames } from '#server/work/patients/similar-names.ts';
import { LIST_PERMISSIONS, mayUseFacet } from './access-scope.ts';
import { facetOptionOf } from './facet-options.ts';
import { patientKeys } from './row-keys.ts';
import { orderOf } from './row-order.ts';
import { columnOfFacet } from './schema.ts';
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
  const context = contextOf(caller.actor, parameters);
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

function contextOf(actor: Actor, { searchContext }: SearchParameters): SearchContext {
  if (!actor.can(LIST_PERMISSIONS[searchContext])) throw new ApiError('NOT_PERMITTED');
  return searchContext;
}

/** The looked-up value is added to the selected values, so these don't restrict it. */
function withoutFacet(parameters: SearchParameters, facet: Facet): SearchParameters {
  const { [facet]: _, ...preferenceMap } = parameters.userDefinedFacetPreferences.preferenceMap;
  return {
    ...parameters,
    userDefinedFacetPreferences: { ...parameters.userDefinedFacetPreferences, preferenceMap },
  };
}

/** Extra rows to read, because a person can have several in the inbox. */
const ROWS_PER_PERSON = 4;

export interface PatientTypeaheadCall extends Pick<Search, 'actor' | 'now' | 'after'> {
  typed: z.output<typeof patientTypeaheadQuery>;
}

/** Returns patients whose name or identifier matches typed text, and whose birth date is that of the parameters, if they have one. */
export async function completePatient(
  deps: SearchDeps,
  { typed: { query, pageSize, parameters = DEFAULT_PARAMETERS }, ...caller }: PatientTypeaheadCall,
): Promise<PatientOption[]> {
  const { actor, now } = caller;
  const context = contextOf(actor, parameters);
  const preferences = { ...parameters.userDefinedFacetPreferences, query };
  const typed = { ...parameters, userDefinedFacetPreferences: preferences, sortBy: [] };
  const { scope, condition } = await prepare(deps, { ...caller, context, parameters: typed });
  const limit = context === 'ALL' ? pageSize : pageSize * ROWS_PER_PERSON;
  const page = { sort: orderOf(typed, context, now), offset: 0, limit, facets: [], facetSize: 0 };
  const question = { kind: 'search', query: { ...condition, ...page } } as const;
  const { answer } = await deps.pool.ask<'search'>(scope, context, question, caller);
  const patients = await asActor(deps.db, actor, LIST_PERMISSIONS[context], async (tx) => {
    const keys = await patientKeys(tx, context, answer.keys);
    const persons = new Map(keys.toReversed().map((key) => [key.personId, key]));
    return loadPatients(tx, [...persons.values()].reverse().slice(0, pageSize), now);
  });
  return patients.map((patient) => ({
    ...optionOf(patient.id, `${patient.lastName.toUpperCase()}, ${patient.firstName}`),
    dateOfBirth: patient.dateOfBirth,
    gender: patient.gender,
    memberId: patient.listings.find(({ memberId }) => memberId !== null)?.memberId ?? null,
    isSimilarToAnother: patients.some((other) => other !== patient && areSimilarNames(nameOf(other), nameOf(patient))),
  }));
}

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

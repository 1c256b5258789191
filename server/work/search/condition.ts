/** Search parameters as a condition on the columns: what is wrong in them is said here, and what one may not ask is refused. */
import { isKnownValue } from '#contract/facet-labels.ts';
import {
  type DateField,
  FACET_NAMES,
  type Facet,
  facetDefinition,
  hasFacet,
  type SearchContext,
} from '#contract/facets.ts';
import {
  type FacetPreferences,
  type FilterValue,
  isValidFilter,
  type RangeEnds,
  readRange,
  type SearchParameters,
} from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { type AccessScope, mayUseFacet } from './access-scope.ts';
import type { Condition, FacetFilter, Filter, RangeFilter } from './columns/table.ts';
import { ages, dayOf, daysAgo, eventDays, type Range } from './day-ranges.ts';
import { columnOf, columnOfFacet, groupColumn } from './schema.ts';

export interface ConditionContext {
  actor: Actor;
  scope: AccessScope;
  context: SearchContext;
  /** The user's calendar day, in days since 1970. */
  today: number;
}

/** No group has it: what is visible to nobody matches nothing. */
const NO_GROUP = '-';

/**
 * Which rows the parameters ask for: OR among the values of a facet, AND between facets, and none of the negated ones. Errors:
 * BAD_REQUEST with facet and reason; NOT_PERMITTED for a facet whose flag the actor has nowhere. `without` is left to the caller.
 */
export function conditionOf(parameters: SearchParameters, asking: ConditionContext): Condition {
  const { preferenceMap, query, dateOfBirth, openPatientsOnly } = parameters.userDefinedFacetPreferences;
  const { context } = asking;
  const words = sortKey(query).split(' ').filter(Boolean);
  const where: Filter[] = visibleGroups(parameters.visibleTo, asking);
  if (openPatientsOnly) where.push({ facet: columnOf(context, 'isOpen'), any: ['OPEN'], none: [] });
  if (dateOfBirth) where.push(bornOn(dateOfBirth));
  const filters = filtersOf(preferenceMap, asking);
  // Ranges are counted by nobody without themselves, and two may be of one column: visit duration and length of stay.
  where.push(...filters.filter((filter) => 'range' in filter));
  return { words, where, filters: filters.filter((filter) => 'facet' in filter) };
}

function visibleGroups(visibleTo: readonly string[] | undefined, { scope, context }: ConditionContext): Filter[] {
  const facet = groupColumn(context);
  if (visibleTo?.length) {
    const seen = scope.groupIds.filter((id) => visibleTo.includes(id));
    return [{ facet, any: seen.length > 0 ? seen : [NO_GROUP], none: [] }];
  }
  // Persons whom no list has any more are there for what their groups were told before.
  return context === 'ALL' ? [{ facet, any: scope.groupIds, none: [] }] : [];
}

function bornOn(text: string): RangeFilter {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
  const day = dayOf(us ? `${us[3]}-${us[1]?.padStart(2, '0')}-${us[2]?.padStart(2, '0')}` : text.trim());
  if (day === null) throw refuse('dateOfBirth', 'Use MM/DD/YYYY.');
  return { range: 'birthDay', begin: day, end: day, negated: false };
}

const refuse = (field: string, reason: string): ApiError =>
  new ApiError('BAD_REQUEST', { fields: { [field]: reason } });

function filtersOf(preferences: FacetPreferences['preferenceMap'], asking: ConditionContext): Filter[] {
  return FACET_NAMES.flatMap((facet) => {
    const values = preferences[facet];
    if (!values?.length) return [];
    if (!mayUseFacet(asking.actor, asking.scope, facet)) throw new ApiError('NOT_PERMITTED');
    if (!hasFacet(asking.context, facet)) throw refuse(facet, 'This list has no such filter.');
    const { kind } = facetDefinition(facet);
    return kind === 'range' || kind === 'date'
      ? rangeFilter(facet, values, asking)
      : facetFilter(facet, values, asking);
  });
}

function facetFilter(facet: Facet, values: readonly FilterValue[], { context }: ConditionContext): FacetFilter {
  for (const value of values) {
    if (!isValidFilter(facet, value)) throw refuse(facet, 'A value is missing.');
    if (!isKnownValue(facet, value.value)) throw refuse(facet, 'There is no such value.');
  }
  const those = (negated: boolean) => values.filter((each) => each.negated === negated).map(({ value }) => value);
  return { facet: columnOfFacet(context, facet), any: those(false), none: those(true) };
}

function rangeFilter(facet: Facet, values: readonly FilterValue[], { context, today }: ConditionContext): RangeFilter {
  const [value, ...others] = values;
  if (!value || others.length > 0) throw refuse(facet, 'A range has a single value.');
  const ends = readRange(facet, value);
  if (ends === null) throw refuse(facet, 'Write a range as begin:end; one of them may be missing.');
  const range = rangeOf(facet, value.field, ends, today);
  if (range === undefined) throw refuse(facet, 'There is no such day.');
  if (range.begin !== null && range.end !== null && range.begin > range.end)
    throw refuse(facet, 'The range ends before it begins.');
  return { range: columnOfFacet(context, facet), ...range, negated: value.negated };
}

function rangeOf(facet: Facet, field: string, ends: RangeEnds, today: number): Range | undefined {
  if (facet === 'age') return ages(ends, today);
  if (facet === 'dischargedDaysAgo') return daysAgo(ends, today);
  if (facet === 'eventDate') return eventDays(field as DateField, ends, today);
  return { begin: ends.begin === null ? null : Number(ends.begin), end: ends.end === null ? null : Number(ends.end) };
}

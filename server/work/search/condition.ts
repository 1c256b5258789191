/** Turns search parameters into a condition on the columns. Reports invalid parameters and refuses filters the actor may not use. */
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
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { type AccessScope, mayUseFacet } from './access-scope.ts';
import type { Condition, FacetFilter, Filter, RangeFilter } from './columns/table.ts';
import { MOST_WORDS } from './columns/word-search.ts';
import { ages, dayOf, daysAgo, eventDays, type Range } from './day-ranges.ts';
import { columnOf, columnOfFacet, groupColumn } from './schema.ts';

export interface ConditionContext {
  actor: Actor;
  scope: AccessScope;
  context: SearchContext;
  /** The user's current date, in days since 1970. */
  today: number;
}

/** An id that no group has: rows visible to no group match nothing. */
const NO_GROUP = '-';

/**
 * Returns the condition for the parameters: OR among the values of a facet, AND between facets, and none of the negated values. The
 * caller adds `without`. Errors: BAD_REQUEST with facet and reason; NOT_PERMITTED for a facet that the actor may not use in any group.
 */
export function conditionOf(parameters: SearchParameters, of: ConditionContext): Condition {
  const { preferenceMap, query, dateOfBirth, openPatientsOnly } = parameters.userDefinedFacetPreferences;
  const { context } = of;
  const words = wordsOf(query);
  const where: Filter[] = visibleGroups(parameters.visibleTo, of);
  if (openPatientsOnly) where.push({ facet: columnOf(context, 'isOpen'), any: ['OPEN'], none: [] });
  if (dateOfBirth) where.push(bornOn(dateOfBirth));
  const filters = filtersOf(preferenceMap, of);
  // Ranges need no counts without their own filter, and two may use the same column: visit duration and length of stay.
  where.push(...filters.filter((filter) => 'range' in filter));
  return { words, where, filters: filters.filter((filter) => 'facet' in filter) };
}

/** The words of a text, counted after normalization: one character may become several words. */
function wordsOf(query: string): string[] {
  const words = sortKey(query).split(' ').filter(Boolean);
  if (words.length <= MOST_WORDS) return words;
  throw badField('query', `Use at most ${MOST_WORDS} words.`);
}

function visibleGroups(visibleTo: readonly string[] | undefined, { scope, context }: ConditionContext): Filter[] {
  const facet = groupColumn(context);
  if (visibleTo?.length) {
    const seen = scope.groupIds.filter((id) => visibleTo.includes(id));
    return [{ facet, any: seen.length > 0 ? seen : [NO_GROUP], none: [] }];
  }
  // Persons whom no group lists any more are kept only for their earlier pings.
  return context === 'ALL' ? [{ facet, any: scope.groupIds, none: [] }] : [];
}

function bornOn(text: string): RangeFilter {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
  const day = dayOf(us ? `${us[3]}-${us[1]?.padStart(2, '0')}-${us[2]?.padStart(2, '0')}` : text.trim());
  if (day === null) throw badField('dateOfBirth', 'Not a valid date. Use MM/DD/YYYY.');
  return { range: 'birthDay', begin: day, end: day, negated: false };
}

function filtersOf(preferences: FacetPreferences['preferenceMap'], of: ConditionContext): Filter[] {
  return FACET_NAMES.flatMap((facet) => {
    const values = preferences[facet];
    if (!values?.length) return [];
    if (!mayUseFacet(of.actor, of.scope, facet)) throw new ApiError('NOT_PERMITTED');
    if (!hasFacet(of.context, facet)) throw badField(facet, 'This filter does not apply to this list.');
    const { kind } = facetDefinition(facet);
    return kind === 'range' || kind === 'date' ? rangeFilter(facet, values, of) : facetFilter(facet, values, of);
  });
}

function facetFilter(facet: Facet, values: readonly FilterValue[], { context }: ConditionContext): FacetFilter {
  for (const value of values) {
    if (!isValidFilter(facet, value)) throw badField(facet, 'Enter a value.');
    if (!isKnownValue(facet, value.value)) throw badField(facet, 'Not a value of this filter.');
  }
  const valuesThat = (negated: boolean) => values.filter((each) => each.negated === negated).map(({ value }) => value);
  return { facet: columnOfFacet(context, facet), any: valuesThat(false), none: valuesThat(true) };
}

function rangeFilter(facet: Facet, values: readonly FilterValue[], { context, today }: ConditionContext): RangeFilter {
  const [value, ...others] = values;
  if (!value || others.length > 0) throw badField(facet, 'Enter a single range.');
  const ends = readRange(facet, value);
  if (ends === null) throw badField(facet, 'Write a range as begin:end. You can leave one of them out.');
  const range = rangeOf(facet, value.field, ends, today);
  if (range === undefined) throw badField(facet, 'Not a valid date. Use YYYY-MM-DD.');
  if (range.begin !== null && range.end !== null && range.begin > range.end)
    throw badField(facet, 'The range must start before it ends.');
  return { range: columnOfFacet(context, facet), ...range, negated: value.negated };
}

function rangeOf(facet: Facet, field: string, ends: RangeEnds, today: number): Range | undefined {
  if (facet === 'age') return ages(ends, today);
  if (facet === 'dischargedDaysAgo') return daysAgo(ends, today);
  if (facet === 'eventDate') return eventDays(field as DateField, ends, today);
  return { begin: ends.begin === null ? null : Number(ends.begin), end: ends.end === null ? null : Number(ends.end) };
}

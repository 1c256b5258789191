/** Search parameters, as every list of patients, pings and events takes them, and what a search answers (specification, second file, section 3). */
import { z } from 'zod';
import { LARGEST_PAGE_SIZE } from './constants.ts';
import { FACET_NAMES, SEARCH_CONTEXTS } from './facets.ts';
import { id } from './primitives.ts';
import { SORT_KEYS, type SortKey } from './sorts.ts';

export { FACETS, type Facet, SEARCH_CONTEXTS, type SearchContext } from './facets.ts';
export { isValidFilter, type RangeEnds, readRange } from './ranges.ts';
export * from './sorts.ts';

/** How many values of a facet are answered unless `termFacetSizeOverride` says otherwise; with 0 nothing is counted. */
export const TERM_FACET_SIZE = 10;
export const LARGEST_TERM_FACET_SIZE = 1000;

/**
 * One value to filter by. Of a range `value` is 'begin:end', of which one end may be missing. `field` is the facet's name; of a
 * range of days one of `DATE_FIELDS`.
 */
export const filterValue = z.object({
  field: z.string().max(60),
  value: z.string().max(200),
  negated: z.boolean().default(false),
  /** For logs: says what is filtered, never a value that could be a person's. Made by the server; what a client sends is not kept. */
  loggableFilterRepresentation: z.string().max(200).optional(),
});
export type FilterValue = z.infer<typeof filterValue>;

export const facetPreferences = z.object({
  /** Beginnings of names, or of record and member ids. */
  query: z.string().max(200).default(''),
  /** YYYY-MM-DD */
  dateOfBirth: z.string().max(10).nullable().default(null),
  /** Facet name to the set of its filter values: OR within a facet, AND between facets. */
  preferenceMap: z.partialRecord(z.enum(FACET_NAMES), z.array(filterValue).max(200)).default({}),
  openPatientsOnly: z.boolean().default(false),
});
export type FacetPreferences = z.infer<typeof facetPreferences>;

/** Relevance is the empty key (specification, section 3). */
const sortKey = z.union([z.enum(SORT_KEYS), z.literal('')]).transform((key): SortKey => key || 'RELEVANCE');

export const searchParameters = z.object({
  /** Of the saved filter that the parameters come from. */
  name: z.string().max(200).optional(),
  /** The groups searched; all that the actor may see unless said. */
  visibleTo: z.array(id).max(1000).optional(),
  ignoredPatientIds: z.array(z.string().max(40)).max(1000).optional(),
  searchContext: z.enum(SEARCH_CONTEXTS).default('ALL'),
  /** Whether a filter may be saved from here. */
  canSaveStoredFilters: z.boolean().optional(),
  userDefinedFacetPreferences: facetPreferences.prefault({}),
  /** One key, or, as in searches of pings, a list of them. */
  sortBy: z.union([z.array(sortKey).max(3), sortKey.transform((key) => [key])]).default([]),
  /** The default of the first sort key unless said. */
  sortOrder: z.enum(['ASC', 'DESC']).optional(),
  pageNumber: z.number().int().min(1).default(1),
  pageSize: z.number().int().min(1).max(LARGEST_PAGE_SIZE).default(10),
  termFacetSizeOverride: z.number().int().min(0).max(LARGEST_TERM_FACET_SIZE).optional(),
});
export type SearchParameters = z.infer<typeof searchParameters>;
export type SearchParametersInput = z.input<typeof searchParameters>;

/** Of the list of pings: context PINGS, pages of twenty. */
export const pingSearchParameters = searchParameters.extend({
  searchContext: z.enum(SEARCH_CONTEXTS).default('PINGS'),
  pageSize: z.number().int().min(1).max(LARGEST_PAGE_SIZE).default(20),
});

/** Ranges as filters write them, each in the place of the list's own one. */
export const rangeCountsQuery = z.object({
  parameters: searchParameters,
  facet: z.enum(['age', 'visitDuration', 'lengthOfStay']),
  ranges: z.array(z.string().max(20)).min(1).max(50),
});
export type RangeCountsQuery = z.infer<typeof rangeCountsQuery>;

export const rangeCounts = z.object({
  counts: z.array(z.number().int()),
  /** Of lengths of stay: what was expected of the list's stays. Of an even number of them the median is the lower of the two middle ones. */
  expected: z
    .object({
      /** How many of them have an expected length. */
      stays: z.number().int(),
      /** Whole days from admission; null where there are none. */
      medianDays: z.number().int().nullable(),
    })
    .nullable(),
});

export const facetOption = z.object({
  value: z.string(),
  label: z.string(),
  count: z.number().int(),
  field: z.string(),
  typeaheadEnabled: z.boolean(),
});
export type FacetOption = z.infer<typeof facetOption>;

/** Each facet that the actor may filter by, counted without its own filter. Values that are selected are there with any count, also 0. */
export const facetCounts = z.partialRecord(
  z.enum(FACET_NAMES),
  z.object({
    options: z.array(facetOption),
    /** How many values there are, of which `options` holds the most frequent. */
    distinct: z.number().int(),
  }),
);
export type FacetCounts = z.infer<typeof facetCounts>;

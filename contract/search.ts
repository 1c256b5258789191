/** The search parameters of all lists of patients, pings and events, and the answers to searches. */
import { z } from 'zod';
import { LARGEST_PAGE_SIZE } from './constants.ts';
import { FACET_NAMES, SEARCH_CONTEXTS } from './facets.ts';
import { id } from './primitives.ts';
import { SORT_KEYS, type SortKey } from './sorts.ts';

export { FACETS, type Facet, SEARCH_CONTEXTS, type SearchContext } from './facets.ts';
export { isValidFilter, type RangeEnds, readRange } from './ranges.ts';
export * from './sorts.ts';

/** How many values of a facet are returned, unless `termFacetSizeOverride` is set. 0 turns counting off. */
export const TERM_FACET_SIZE = 10;
const LARGEST_TERM_FACET_SIZE = 1000;

/**
 * One filter value. A range is 'begin:end', and either end may be missing. `field`: the facet's name, or one of `DATE_FIELDS` for a range of
 * days.
 */
export const filterValue = z.object({
  field: z.string().max(60),
  value: z.string().max(200),
  negated: z.boolean().default(false),
  /** For logs: names the facet, never a value. Set by the server; the client's is ignored. */
  loggableFilterRepresentation: z.string().max(200).optional(),
});
export type FilterValue = z.infer<typeof filterValue>;

/** Filter values as stored: every part is there. */
export const storedFilterValues = z.partialRecord(
  z.enum(FACET_NAMES),
  z.array(filterValue.extend({ negated: z.boolean() })),
);

export const facetPreferences = z.object({
  /** Prefixes of names, or of record and member ids. */
  query: z.string().max(200).default(''),
  /** YYYY-MM-DD */
  dateOfBirth: z.string().max(10).nullable().default(null),
  /** Filter values by facet: OR within a facet, AND between facets. */
  preferenceMap: z.partialRecord(z.enum(FACET_NAMES), z.array(filterValue).max(200)).default({}),
  openPatientsOnly: z.boolean().default(false),
});
export type FacetPreferences = z.infer<typeof facetPreferences>;

/** The empty key means relevance. */
const sortKey = z.union([z.enum(SORT_KEYS), z.literal('')]).transform((key): SortKey => key || 'RELEVANCE');

export const searchParameters = z.object({
  /** The name of the saved filter that the parameters come from. */
  name: z.string().max(200).optional(),
  /** The groups to search; by default all that the actor may see. */
  visibleTo: z.array(id).max(1000).optional(),
  ignoredPatientIds: z.array(z.string().max(40)).max(1000).optional(),
  searchContext: z.enum(SEARCH_CONTEXTS).default('ALL'),
  /** Whether filters can be saved on the searching page. */
  canSaveStoredFilters: z.boolean().optional(),
  userDefinedFacetPreferences: facetPreferences.prefault({}),
  /** One key, or a list of keys as in searches of pings. */
  sortBy: z.union([z.array(sortKey).max(3), sortKey.transform((key) => [key])]).default([]),
  /** By default the default order of each sort key. */
  sortOrder: z.enum(['ASC', 'DESC']).optional(),
  pageNumber: z.number().int().min(1).default(1),
  pageSize: z.number().int().min(1).max(LARGEST_PAGE_SIZE).default(10),
  termFacetSizeOverride: z.number().int().min(0).max(LARGEST_TERM_FACET_SIZE).optional(),
});
export type SearchParameters = z.infer<typeof searchParameters>;
export type SearchParametersInput = z.input<typeof searchParameters>;

/** Parameters of the inbox: context PINGS, pages of twenty. */
export const pingSearchParameters = searchParameters.extend({
  searchContext: z.enum(SEARCH_CONTEXTS).default('PINGS'),
  pageSize: z.number().int().min(1).max(LARGEST_PAGE_SIZE).default(20),
});

/** Counts of ranges, each instead of the list's own range. `ranges`: written like filter values. */
export const rangeCountsQuery = z.object({
  parameters: searchParameters,
  facet: z.enum(['age', 'visitDuration', 'lengthOfStay']),
  ranges: z.array(z.string().max(20)).min(1).max(50),
});
export type RangeCountsQuery = z.infer<typeof rangeCountsQuery>;

export const rangeCounts = z.object({
  counts: z.array(z.number().int()),
  /** For the facet `lengthOfStay`: the expected stays of the list. The median of an even number is the lower of the two middle values. */
  expected: z
    .object({
      /** How many stays have an expected length. */
      stays: z.number().int(),
      /** Whole days from admission; null if there are no such stays. */
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

/** The counts of each facet that the actor may filter by, without the facet's own filter. Selected values are always included, even with count 0. */
export const facetCounts = z.partialRecord(
  z.enum(FACET_NAMES),
  z.object({
    options: z.array(facetOption),
    /** How many values there are in total; `options` holds the most frequent. */
    distinct: z.number().int(),
  }),
);
export type FacetCounts = z.infer<typeof facetCounts>;

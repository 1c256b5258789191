/** Search parameters, as every list of patients, pings and events takes them, and what a search answers (specification, second file, section 3). */
import { z } from 'zod';
import { LARGEST_PAGE_SIZE } from './constants.ts';
import { DATE_FIELDS, FACET_NAMES, FACETS, type Facet, SEARCH_CONTEXTS } from './facets.ts';
import { id } from './primitives.ts';

export { FACETS, type Facet, SEARCH_CONTEXTS, type SearchContext } from './facets.ts';

export const SORT_KEYS = [
  'FIRST_NAME',
  'LAST_NAME',
  'MANAGEMENT_STATUS_DATE',
  'PING_ENCOUNTER_DATE',
  'VISIT_DURATION',
  'LENGTH_OF_STAY',
  'ROOM_AND_BED',
  'NUMBER_OF_ENCOUNTERS',
  'NUMBER_OF_OUTSIDE_ENCOUNTERS',
  'NUMBER_OF_PROGRAMS',
  'NUMBER_OF_PRACTICES',
  /** How well the text matches: the default once there is one. */
  'RELEVANCE',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

const DESCENDING = new Set<SortKey>(['PING_ENCOUNTER_DATE', 'MANAGEMENT_STATUS_DATE', 'LENGTH_OF_STAY', 'RELEVANCE']);
/** Newest, longest and best first; everything else ascends (section 9). */
export const defaultSortOrder = (key: SortKey): 'ASC' | 'DESC' => (DESCENDING.has(key) ? 'DESC' : 'ASC');
export const DEFAULT_SORT: SortKey = 'PING_ENCOUNTER_DATE';
/** What a list offers to sort by, in words. */
export const SORT_OPTIONS = {
  FIRST_NAME: 'First name',
  LAST_NAME: 'Last name',
  MANAGEMENT_STATUS_DATE: 'Date of current status',
  PING_ENCOUNTER_DATE: 'Date of encounter',
  VISIT_DURATION: 'Visit duration',
} as const satisfies Partial<Record<SortKey, string>>;

export const PAGE_SIZES = [5, 10, 20] as const;
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
  sortBy: z.array(z.enum(SORT_KEYS)).max(3).default([]),
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

/** The ends of a range as it is written: begin and end, either of which may be missing. Null where neither is there or one is no such value. */
export function readRange(facet: Facet, { field, value }: Pick<FilterValue, 'field' | 'value'>): RangeEnds | null {
  const { kind } = FACETS[facet];
  const isDates = kind === 'date' && field === 'eventDate';
  const end = isDates ? String.raw`\d{4}-\d\d-\d\d` : String.raw`-?\d{1,5}`;
  const [, begin = '', upTo = ''] = new RegExp(`^(${end})?:(${end})?$`).exec(value) ?? [];
  if (kind === 'date' && !Object.hasOwn(DATE_FIELDS, field)) return null;
  return begin === '' && upTo === '' ? null : { begin: begin || null, end: upTo || null };
}
export interface RangeEnds {
  begin: string | null;
  end: string | null;
}

/** A range needs one end at least; any other value must not be empty, nor 'null' (section 5). */
export function isValidFilter(facet: Facet, filter: Pick<FilterValue, 'field' | 'value'>): boolean {
  const { kind } = FACETS[facet];
  if (kind === 'range' || kind === 'date') return readRange(facet, filter) !== null;
  return filter.value !== '' && filter.value !== 'null';
}

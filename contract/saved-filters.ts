/** Saved filters: search parameters under a name, of one user in one team, in an order of the user's (specification, second file, sections 3 and 4). */
import { z } from 'zod';
import { FACET_NAMES } from './facets.ts';
import { id, instant } from './primitives.ts';
import { FILTER_NAME_LIMIT, SEARCH_MODULES } from './saved-filter-words.ts';
import { facetPreferences, filterValue, SORT_KEYS, searchParameters } from './search.ts';

export * from './saved-filter-words.ts';

/** What is kept of the parameters: the page of a saved filter is the first one until somebody pages. */
export const savedFilterFields = searchParameters.extend({
  /** Without a name nothing is saved (section 5). */
  name: z.string().trim().min(1, 'Enter a name for the filter.').max(FILTER_NAME_LIMIT),
  /** From 1. A new filter stands last; another number moves it there, and its neighbours by one. */
  orderNum: z.number().int().min(1).optional(),
});
export type SavedFilterFields = z.input<typeof savedFilterFields>;

/** As they are kept: every part is there. */
const savedPreferences = facetPreferences.extend({
  query: z.string(),
  dateOfBirth: z.string().nullable(),
  preferenceMap: z.partialRecord(z.enum(FACET_NAMES), z.array(filterValue.extend({ negated: z.boolean() }))),
  openPatientsOnly: z.boolean(),
});

export const savedFilter = searchParameters.extend({
  userDefinedFacetPreferences: savedPreferences,
  sortBy: z.array(z.enum(SORT_KEYS)),
  id,
  name: z.string(),
  teamId: id,
  orderNum: z.number().int(),
  /** Rows before the page: (pageNumber − 1) × pageSize. */
  offset: z.number().int(),
  /** The same as `userDefinedFacetPreferences.query`. */
  query: z.string(),
  /** Facets whose values were left out: those of an older version that are gone, and those that the user may not filter by now. */
  ignoredFacets: z.array(z.string()),
  /** What is filtered, for logs and support: facets and how many values each, no value. */
  loggableFilterRepresentation: z.string(),
});
export type SavedFilter = z.infer<typeof savedFilter>;

export const searchPreference = z.object({ moduleName: z.enum(SEARCH_MODULES), filterId: id });
export type SearchPreference = z.infer<typeof searchPreference>;

/** What the list of one's filters says of each beside its name. */
export const filterUse = z.object({
  filterId: id,
  /** When a list was last opened with it; null: not yet. */
  lastUsedAt: instant.nullable(),
  /** How many rows it finds now, in the list for which it was saved; null where that cannot be asked any more. */
  count: z.number().int().nullable(),
});
export type FilterUse = z.infer<typeof filterUse>;

/** How many pings a filter would have brought. */
export const filterPreview = z.object({
  /** Days looked back over, today included. */
  days: z.number().int(),
  pings: z.number().int(),
  /** Different persons among them. */
  patients: z.number().int(),
});

/** Saved filters: named search parameters of a user in a team, in the user's order. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';
import { FILTER_NAME_LIMIT, SEARCH_MODULES } from './saved-filter-words.ts';
import { facetPreferences, SORT_KEYS, searchParameters, storedFilterValues } from './search.ts';

export * from './saved-filter-words.ts';

/** The fields of a saved filter. Its page is the first one unless the user has paged. */
export const savedFilterFields = searchParameters.extend({
  name: z.string().trim().min(1, 'Enter a name for the filter.').max(FILTER_NAME_LIMIT),
  /** The position, from 1. A new filter goes last; setting another number moves it there and shifts its neighbors by one. */
  orderNum: z.number().int().min(1).optional(),
});
export type SavedFilterFields = z.input<typeof savedFilterFields>;

/** Stored preferences have every part. */
const savedPreferences = facetPreferences.extend({
  query: z.string(),
  dateOfBirth: z.string().nullable(),
  preferenceMap: storedFilterValues,
  openPatientsOnly: z.boolean(),
});

export const savedFilter = searchParameters.extend({
  userDefinedFacetPreferences: savedPreferences,
  /** Empty if every group is searched. */
  visibleTo: z.array(id),
  /** Empty if no one is ignored. */
  ignoredPatientIds: z.array(z.string()),
  sortBy: z.array(z.enum(SORT_KEYS)),
  /** As saved, else the default order of the first sort key. */
  sortOrder: z.enum(['ASC', 'DESC']),
  id,
  name: z.string(),
  teamId: id,
  /** From 1, in the user's own order. Filters that colleagues share follow the user's own, by name. */
  orderNum: z.number().int(),
  /** Whether everyone on the team sees and uses it. */
  isShared: z.boolean(),
  /** Who saved it. A shared filter stays when its owner leaves the team. */
  owner: z.object({ name: z.string(), isYou: z.boolean(), isOnTeam: z.boolean() }),
  /** Whether the user may change and delete it: the owner, and for a shared one the team's administrators. */
  mayChange: z.boolean(),
  /** Rows before the page: (pageNumber − 1) × pageSize. */
  offset: z.number().int(),
  /** The same as `userDefinedFacetPreferences.query`. */
  query: z.string(),
  /** Facets whose values were left out: removed since the filter was saved, or no longer permitted for the user. */
  ignoredFacets: z.array(z.string()),
  /** For logs and support: the facets and how many values each has, never a value. */
  loggableFilterRepresentation: z.string(),
});
export type SavedFilter = z.infer<typeof savedFilter>;

export const searchPreference = z.object({ moduleName: z.enum(SEARCH_MODULES), filterId: id });
export type SearchPreference = z.infer<typeof searchPreference>;

/** How a saved filter is used, shown in the list of filters. */
export const filterUse = z.object({
  filterId: id,
  /** When a list was last opened with it; null if never. */
  lastUsedAt: instant.nullable(),
  /** How many rows it finds now in its list; null if it can no longer be searched. */
  count: z.number().int().nullable(),
  /** How many others of the team have used it, open lists with it or are notified by it, its owner included; 0 for one that isn't shared. */
  colleagues: z.number().int(),
});
export type FilterUse = z.infer<typeof filterUse>;

/** How many pings a filter would have found. */
export const filterPreview = z.object({
  /** The number of days counted, including today. */
  days: z.number().int(),
  pings: z.number().int(),
  /** The number of different persons. */
  patients: z.number().int(),
});

import { z } from 'zod';
import { id } from '../primitives.ts';
import {
  filterPreview,
  filterUse,
  SEARCH_MODULES,
  savedFilter,
  savedFilterFields,
  searchPreference,
} from '../saved-filters.ts';
import { searchParameters } from '../search.ts';
import type { RouteTable } from './route.ts';

export const savedFiltersRoutes = {
  'GET /api/patient-search-params': {
    permission: 'in-team',
    summary: 'List your saved filters in the selected team, in order, and then those that colleagues share',
    answer: z.array(savedFilter),
  },
  'POST /api/patient-search-params': {
    permission: 'in-team',
    summary: 'Save a filter',
    body: savedFilterFields,
    nullIsUnset: true,
    answer: savedFilter,
  },
  'PUT /api/patient-search-params/:id': {
    permission: 'in-team',
    summary: 'Change, rename or move a saved filter',
    params: z.object({ id }),
    body: savedFilterFields,
    nullIsUnset: true,
    answer: savedFilter,
  },
  'DELETE /api/patient-search-params/:id': {
    permission: 'in-team',
    summary: 'Delete a saved filter; later ones move up',
    params: z.object({ id }),
    status: 204,
  },
  'PUT /api/patient-search-params/:id/shared': {
    permission: 'in-team',
    summary: 'Share your saved filter with the team, or stop sharing it, which ends what others have set for it',
    params: z.object({ id }),
    body: z.object({ shared: z.boolean() }),
    answer: savedFilter,
  },
  'GET /api/patient-search-params/uses': {
    permission: 'in-team',
    summary: 'List when each saved filter was last used and how many rows it finds now',
    audit: 'saved-filter.counts',
    answer: z.array(filterUse),
  },
  'POST /api/patient-search-params/:id/uses': {
    permission: 'in-team',
    summary: 'Record that a list was opened with a saved filter',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/patient-search-params/preview': {
    permission: 'canViewPings',
    summary: 'Count the pings a filter would have matched in the last 30 days',
    audit: 'saved-filter.preview',
    body: searchParameters,
    nullIsUnset: true,
    answer: filterPreview,
  },
  'GET /api/patient-search-params/preferences': {
    permission: 'in-team',
    summary: 'List the default filter of each module',
    answer: z.array(searchPreference),
  },
  'POST /api/patient-search-params/preferences': {
    permission: 'in-team',
    summary: 'Set the default filter of a module',
    query: z.object({ filterId: id, moduleName: z.enum(SEARCH_MODULES) }),
    status: 204,
  },
  'DELETE /api/patient-search-params/preferences': {
    permission: 'in-team',
    summary: 'Remove the default filter of a module',
    query: z.object({ moduleName: z.enum(SEARCH_MODULES) }),
    status: 204,
  },
} as const satisfies RouteTable;

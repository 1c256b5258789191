import { queryOptions } from '@tanstack/react-query';
import type { SearchModule } from '#contract/saved-filter-words.ts';
import { call } from '../api/call.ts';
import { SEARCH_PREFERENCES_KEY } from '../session/queries.ts';

/** The user's saved filters in the selected team, in their order. */
export const savedFiltersQuery = queryOptions({
  queryKey: ['saved-filters'],
  queryFn: () => call('GET /api/patient-search-params'),
});

/** The default filter of each module. */
export const searchPreferencesQuery = queryOptions({
  queryKey: SEARCH_PREFERENCES_KEY,
  queryFn: () => call('GET /api/patient-search-params/preferences'),
});

/** Makes a saved filter the default of a module; null removes the default. */
export const setDefault = async (moduleName: SearchModule, filterId: string | null): Promise<void> => {
  if (filterId) await call('POST /api/patient-search-params/preferences', { query: { filterId, moduleName } });
  else await call('DELETE /api/patient-search-params/preferences', { query: { moduleName } });
};

import { queryOptions } from '@tanstack/react-query';
import type { SearchModule } from '#contract/saved-filter-words.ts';
import { call } from '../api/call.ts';

/** One's saved filters in the selected team, in order. */
export const savedFiltersQuery = queryOptions({
  queryKey: ['saved-filters'],
  queryFn: () => call('GET /api/patient-search-params'),
});

/** Which filter is the default of which module. */
export const searchPreferencesQuery = queryOptions({
  queryKey: ['search-preferences'],
  queryFn: () => call('GET /api/patient-search-params/preferences'),
});

/** Makes a saved filter the default of a module, or, with null, none. */
export const setDefault = async (moduleName: SearchModule, filterId: string | null): Promise<void> => {
  if (filterId) await call('POST /api/patient-search-params/preferences', { query: { filterId, moduleName } });
  else await call('DELETE /api/patient-search-params/preferences', { query: { moduleName } });
};

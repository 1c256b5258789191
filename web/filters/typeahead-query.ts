import { queryOptions } from '@tanstack/react-query';
import type { Facet } from '#contract/facets.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import type { TypeaheadKind } from '#contract/typeahead.ts';
import { call } from '../api/call.ts';

/** Facets whose values have a typeahead call of their own. All others share `values`. */
const TYPEAHEAD_OF: Partial<Record<Facet, TypeaheadKind>> = {
  facilityName: 'facilities',
  program: 'programs',
  practice: 'practices',
  careCoordinator: 'care-coordinators',
  provider: 'providers',
  city: 'cities',
  zipCode: 'zipCodes',
  diagnoses: 'diagnoses',
  priorDiagnoses: 'diagnoses',
};

/**
 * The values of a facet that match `query`, among the rows that the other filters in `parameters` leave. `size`: the most values to
 * return; the server's default where it is absent.
 */
export const typeaheadQuery = (facet: Facet, query: string, parameters: SearchParametersInput, size?: number) => {
  const kind = TYPEAHEAD_OF[facet] ?? 'values';
  const named = kind === 'values' || facet === 'priorDiagnoses' ? { facet } : {};
  const body = { query, parameters, ...named, ...(size === undefined ? {} : { pageSize: size }) };
  return queryOptions({
    queryKey: ['typeahead', kind, body],
    queryFn: () => call('POST /api/typeahead/:kind', { params: { kind }, body }),
    enabled: query !== '',
    retry: false,
    gcTime: 60_000,
  });
};

import { queryOptions } from '@tanstack/react-query';
import type { RouteAnswer } from '#contract/routes.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { untilWhole } from '../lists/list-part.ts';

export type SearchResults = RouteAnswer<'POST /api/patients/search'>;

/** A page of patients. Loaded whenever the page is opened, never while it is open. */
export const patientsQuery = (body: SearchParametersInput) =>
  queryOptions({
    queryKey: ['patients', body],
    queryFn: () => call('POST /api/patients/search', { body, takesPart: true }),
    staleTime: 0,
    refetchInterval: untilWhole,
  });

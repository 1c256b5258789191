import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { VisitKind } from '#contract/story.ts';
import { call } from '../api/call.ts';

/** What the reader chose of a patient's visits. */
export interface VisitChoice {
  kind: VisitKind | null;
  facilityId: string | null;
  includeHHA: boolean;
}

/** In milliseconds: what the page asked for before it was drawn is not asked for again. Live events say what has changed since. */
const FRESH_FOR = 5000;

export const ALL_VISITS: VisitChoice = { kind: null, facilityId: null, includeHHA: false };

/** Visits that a patient's page adds at a time. The call by itself answers ten. */
const VISIT_HISTORY_PAGE_SIZE = 5;

/** A patient's visits, newest first, a page at a time. */
export const visitsQuery = (id: string, { kind, facilityId, includeHHA }: VisitChoice) =>
  infiniteQueryOptions({
    queryKey: ['visits', id, kind, facilityId, includeHHA],
    queryFn: ({ pageParam }) =>
      call('GET /api/patients/:id/encounters', {
        params: { id },
        query: {
          pageNumber: pageParam,
          pageSize: VISIT_HISTORY_PAGE_SIZE,
          includeHHA: includeHHA ? 'true' : 'false',
          ...(kind && { kind }),
          ...(facilityId && { admittingFacilityId: facilityId }),
        },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ numPages }, _, page) => (page < numPages ? page + 1 : null),
    staleTime: FRESH_FOR,
    placeholderData: keepPreviousData,
  });

/** A patient's diagnoses, the latest first. */
export const diagnosesQuery = (id: string) =>
  queryOptions({
    queryKey: ['diagnoses', id],
    queryFn: () => call('GET /api/patients/:id/diagnosis-summary', { params: { id } }),
    staleTime: FRESH_FOR,
  });

/** A page of the periods in which a home health agency looked after the patient. */
export const homeHealthQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['home-health', id, page],
    queryFn: () => call('GET /api/patients/:id/hha-coverage', { params: { id }, query: { pageNumber: page } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** The HL7-based programs that the patient is in now, with their definitions. */
export const programsQuery = (id: string) =>
  queryOptions({
    queryKey: ['hl7-programs', id],
    queryFn: () => call('GET /api/patients/:id/hl7-based-programs', { params: { id } }),
    staleTime: 0,
  });

/** The names of the queries to load again when something about a patient changed. */
export const LIVE_KEYS = ['patient', 'visits', 'diagnoses', 'home-health', 'hl7-programs'] as const;

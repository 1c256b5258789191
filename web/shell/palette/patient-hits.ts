import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { MANAGEMENT_STATUSES } from '#contract/management-status.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import type { SearchContext, SearchParametersInput } from '#contract/search.ts';
import { call } from '../../api/call.ts';
import { useSession } from '../../session/session.ts';
import { useNow } from '../../ui/use-now.ts';
import { type TypedPatient, typedPatient } from './typed-patient.ts';

export type PatientHit = RouteAnswer<'POST /api/typeahead/patients'>[number];

/** Milliseconds without a key before the server is asked. */
const PAUSE = 200;
export const MOST = 6;

/** Every status: a ping is found whichever list it is in. */
const ANY_STATUS = MANAGEMENT_STATUSES.map((value) => ({ field: 'managementStatus', value, negated: false }));

const parametersOf = (searchContext: SearchContext, { dateOfBirth }: TypedPatient): SearchParametersInput => ({
  searchContext,
  userDefinedFacetPreferences: {
    dateOfBirth,
    ...(searchContext === 'PINGS' ? { preferenceMap: { managementStatus: ANY_STATUS } } : {}),
  },
});

/** Patients, or patients with pings, who match. What was typed is in the cache only as long as the palette is open. */
const useHits = (context: SearchContext, typed: TypedPatient | null, allowed: boolean) =>
  useQuery({
    queryKey: ['palette', context, typed],
    queryFn: () =>
      call('POST /api/typeahead/patients', {
        body: { query: typed?.query ?? '', pageSize: MOST, parameters: parametersOf(context, typed as TypedPatient) },
      }),
    enabled: allowed && typed !== null,
    placeholderData: typed ? keepPreviousData : undefined,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });

/** Looks for patients while the user types. */
export const usePatientHits = (text: string) => {
  const { can } = useSession();
  const [settled, settle] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const today = useNow();
  const wanted = typedPatient(text, today);
  const typed = wanted && typedPatient(settled, today);
  const patients = useHits('ALL', typed, can('canViewPatients'));
  const pings = useHits('PINGS', typed, can('canViewPings'));
  const all = [patients, pings];
  return {
    /** Whether there is enough text to look for anyone, and the user may. */
    asked: wanted !== null && (can('canViewPatients') || can('canViewPings')),
    patients: (typed && patients.data) ?? [],
    pings: (typed && pings.data) ?? [],
    searching: wanted !== null && (text !== settled || all.some(({ isFetching }) => isFetching)),
    failed: typed !== null && all.some(({ isError }) => isError),
    retry: (): void => all.forEach((one) => one.isError && void one.refetch()),
  };
};

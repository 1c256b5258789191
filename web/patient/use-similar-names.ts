import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { LARGEST_PAGE_SIZE } from '#contract/constants.ts';
import { MINUTE } from '#contract/durations.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';

/** The first part of the key of these queries. */
export const SIMILAR_NAMES = 'similar-names';

const NONE: ReadonlySet<string> = new Set();
/** A list without these marks looks as if no patient had a similar name, so a failed call is soon made again. In milliseconds. */
const RETRY_AFTER = 15_000;

/** Asks for as many patients at once as the call takes. */
const findSimilar = async (patientIds: readonly string[]): Promise<{ patientIds: string[] }> => {
  const found: string[] = [];
  for (let start = 0; start < patientIds.length; start += LARGEST_PAGE_SIZE) {
    const body = { patientIds: patientIds.slice(start, start + LARGEST_PAGE_SIZE) };
    found.push(...(await call('POST /api/patients/similar-names', { body })).patientIds);
  }
  return { patientIds: found };
};

/**
 * Returns the ids of those patients who could be mistaken for another one; empty until the answer is there. `asOf`: when the
 * patients were loaded, in epoch milliseconds. Asks at most once a minute. While the call fails, the last answer counts.
 */
export const useSimilarNames = (patients: readonly { id: string }[], asOf: number): ReadonlySet<string> => {
  const { can } = useSession();
  const patientIds = patients.map(({ id }) => id);
  const [last, setLast] = useState<{ patientIds: string[] }>();
  const { data } = useQuery({
    queryKey: [SIMILAR_NAMES, patientIds, Math.floor(asOf / MINUTE)],
    // Follows from what a list shows, so it must not count as activity that keeps the session open.
    queryFn: () => inBackground(() => findSimilar(patientIds)),
    enabled: patientIds.length > 0 && (can('canViewPatients') || can('canViewPings')),
    placeholderData: (previous) => previous,
    retry: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_AFTER : false),
    refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : false),
  });
  if (data && data !== last) setLast(data);
  const known = data ?? last;
  // Not by `select`: it would make a new set on every render, which looks like a change and renders again without end.
  return useMemo(() => (known ? new Set(known.patientIds) : NONE), [known]);
};

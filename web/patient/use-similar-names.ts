import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';

const NONE: ReadonlySet<string> = new Set();
const MINUTE = 60_000;

/**
 * Returns the ids of those patients who could be mistaken for another one; empty until the answer is there. `asOf`: when the
 * patients were loaded, in epoch milliseconds. Asks at most once a minute.
 */
export const useSimilarNames = (patients: readonly { id: string }[], asOf: number): ReadonlySet<string> => {
  const { can } = useSession();
  const patientIds = patients.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: ['similar-names', patientIds, Math.floor(asOf / MINUTE)],
    // Follows from what a list shows, so it must not count as activity that keeps the session open.
    queryFn: () => inBackground(() => call('POST /api/patients/similar-names', { body: { patientIds } })),
    enabled: patientIds.length > 0 && (can('canViewPatients') || can('canViewPings')),
    placeholderData: (previous) => previous,
    retry: false,
  });
  // Not by `select`: it would make a new set on every render, which looks like a change and renders again without end.
  return useMemo(() => (data ? new Set(data.patientIds) : NONE), [data]);
};

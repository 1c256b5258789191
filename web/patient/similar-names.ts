import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';

const NOBODY: ReadonlySet<string> = new Set();
const MINUTE = 60_000;

/**
 * Those of these patients whom one may take for somebody else; nobody until it is known. `asOf`: when they were read, in epoch
 * milliseconds; asked again at most once a minute.
 */
export const useSimilarNames = (patients: readonly { id: string }[], asOf: number): ReadonlySet<string> => {
  const { can } = useSession();
  const patientIds = patients.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: ['similar-names', patientIds, Math.floor(asOf / MINUTE)],
    // It follows from what a list shows, also where nobody watches it.
    queryFn: () => inBackground(() => call('POST /api/patients/similar-names', { body: { patientIds } })),
    enabled: patientIds.length > 0 && (can('canViewPatients') || can('canViewPings')),
    placeholderData: (previous) => previous,
    retry: false,
  });
  // Not by `select`: a set that is made anew looks changed, and is drawn again without end.
  return useMemo(() => (data ? new Set(data.patientIds) : NOBODY), [data]);
};

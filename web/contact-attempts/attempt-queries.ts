import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ContactAttempt } from '#contract/contact-attempts.ts';
import { call } from '../api/call.ts';

/** The team's attempts to reach a patient, newest first. Loaded again with the patient. */
export const attemptsQuery = (patientId: string) =>
  queryOptions({
    queryKey: ['patient', patientId, 'contact-attempts'],
    queryFn: () => call('GET /api/patients/:id/contact-attempts', { params: { id: patientId } }),
    staleTime: 0,
  });

/** Shows the attempts as they are now, and loads again what depends on them. */
export const showAttempts = async (
  client: QueryClient,
  patientId: string,
  attempts: ContactAttempt[],
): Promise<void> => {
  client.setQueryData(attemptsQuery(patientId).queryKey, attempts);
  const shown = [['patient', patientId], ['patient', patientId, 'follow-ups'], ['pings'], ['patients']];
  await Promise.all(shown.map((queryKey) => client.invalidateQueries({ queryKey, exact: queryKey[0] === 'patient' })));
};

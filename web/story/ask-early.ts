import { queryClient } from '../api/query-client.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { meQuery, selectedTeam } from '../session/queries.ts';
import { ALL_VISITS, diagnosesQuery, visitsQuery } from './story-queries.ts';

/** Asks for what a patient's page shows first, while the page itself still loads. The three answers take equally long. */
export const askEarly = (patientId: string): void => {
  void queryClient.prefetchQuery(patientQuery(patientId));
  const me = queryClient.getQueryData(meQuery.queryKey);
  const seesVisits = me && selectedTeam(me)?.permissions.includes('canViewPatients');
  if (!seesVisits || patientId.endsWith('_0')) return;
  void queryClient.prefetchInfiniteQuery(visitsQuery(patientId, ALL_VISITS));
  void queryClient.prefetchQuery(diagnosesQuery(patientId));
};

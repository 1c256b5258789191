import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** What is due after the patient's discharges. Loaded again with the patient, and after each contact attempt. */
export const followUpsQuery = (patientId: string) =>
  queryOptions({
    queryKey: ['patient', patientId, 'follow-ups'],
    queryFn: () => call('GET /api/patients/:id/follow-ups', { params: { id: patientId } }),
    staleTime: 0,
  });

import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** One patient, with the encounter that the id names and its pings. */
export const patientQuery = (id: string) =>
  queryOptions({
    queryKey: ['patient', id],
    queryFn: () => call('GET /api/patients/:id', { params: { id } }),
    staleTime: 0,
  });

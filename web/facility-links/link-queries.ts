import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The team's links to the facility of a stay, and whether another can be created. `stay`: what is known of it; loaded again when that changes. */
export const linksQuery = (patientId: string, stay: string) =>
  queryOptions({
    queryKey: ['patient', patientId, 'facility-links', stay],
    queryFn: () => call('GET /api/patients/:id/facility-links', { params: { id: patientId } }),
    staleTime: 0,
  });

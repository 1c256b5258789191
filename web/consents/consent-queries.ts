import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The consents that the user's 42 CFR Part 2 facilities recorded for a patient. NOT_FOUND where there is no such facility. */
export const consentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['consents', id],
    queryFn: () => call('GET /api/patients/:id/consents', { params: { id } }),
    staleTime: 0,
  });

/** Groups by the beginnings of words of their name, or of their organization's. */
export const recipientsQuery = (text: string) =>
  queryOptions({
    queryKey: ['consent-recipients', text],
    queryFn: () => call('GET /api/consent-recipients', { query: { query: text } }),
  });

import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The exchanges that a patient can be opened at, by the last part of the page's path. */
export const EXCHANGES = {
  pulse: { name: 'WISHIN Pulse', action: 'Open WISHIN Pulse' },
  vynca: { name: 'Vynca', action: 'Open advance care documents' },
} as const;
export type Exchange = keyof typeof EXCHANGES;

/** The form that opens the patient. Never kept: it holds what identifies the patient. */
export const exchangeQuery = (id: string, exchange: Exchange) =>
  queryOptions({
    queryKey: ['exchange-link', id, exchange],
    queryFn: () =>
      exchange === 'pulse'
        ? call('GET /api/patients/:id/pulse-link', { params: { id } })
        : call('GET /api/patients/:id/vynca-link', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

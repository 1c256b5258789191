import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** Users of the team to whom a stay can be given, whose names begin with the text. */
export const colleaguesQuery = (query: string) =>
  queryOptions({
    queryKey: ['colleagues', query],
    queryFn: () => call('POST /api/colleagues', { body: { query } }),
    staleTime: 60_000,
  });

/** Who has given a stay to whom, newest first. */
export const workHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['work-history', id],
    queryFn: () => call('GET /api/patients/:id/work-history', { params: { id } }),
    staleTime: 0,
  });

/** How many stays the user has taken. */
export const ownStaysQuery = queryOptions({
  queryKey: ['own-stays'],
  queryFn: () => call('GET /api/hand-over'),
  staleTime: 0,
});

/** What the user did lately, newest first. */
export const doneQuery = infiniteQueryOptions({
  queryKey: ['recently-done'],
  queryFn: ({ pageParam: before }) => call('GET /api/recently-done', { query: { before } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ before }) => before,
  staleTime: 0,
});

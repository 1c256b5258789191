import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** Why there is a ping. Loaded again on each visit, because the messages' text may be gone by then. */
export const explanationQuery = (id: string, eventId: string) =>
  queryOptions({
    queryKey: ['explanation', id, eventId],
    queryFn: () => call('GET /api/patients/:id/events/:eventId/explanation', { params: { id, eventId } }),
    staleTime: 0,
  });

/** The evidence about a discharge. */
export const evidenceQuery = (id: string, eventId: string) =>
  queryOptions({
    queryKey: ['evidence', id, eventId],
    queryFn: () => call('GET /api/patients/:id/events/:eventId/evidence', { params: { id, eventId } }),
    staleTime: 0,
  });

/** Why there is no ping on a day. `day`: null for today. */
export const missingPingsQuery = (id: string, day: string | null, facilityId: string | null) =>
  queryOptions({
    queryKey: ['missing-pings', id, day, facilityId],
    queryFn: () =>
      call('GET /api/patients/:id/missing-pings', {
        params: { id },
        query: { ...(day && { day }), ...(facilityId && { facilityId }) },
      }),
    staleTime: 0,
  });

/** One message with its text. That is patient data, so it is dropped from the cache once the message is closed. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['feed-message', id],
    queryFn: () => call('GET /api/feeds/messages/:id', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

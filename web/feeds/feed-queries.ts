import { queryOptions } from '@tanstack/react-query';
import type { MessageStatus } from '#contract/feeds.ts';
import { call } from '../api/call.ts';

/** What narrows the list of messages; what is absent does not. */
export interface MessageFilters {
  feedId?: string;
  status?: MessageStatus;
  controlId?: string;
  receivedFrom?: string;
  receivedTo?: string;
  pageNumber: number;
}

export const feedsQuery = queryOptions({
  queryKey: ['feeds'],
  queryFn: () => call('GET /api/feeds'),
  staleTime: 0,
  refetchInterval: 10_000,
});

/** Empty for who is no operator. */
export const unknownSendersQuery = queryOptions({
  queryKey: ['feeds', 'unknown-senders'],
  queryFn: () => call('GET /api/feeds/unknown-senders'),
  staleTime: 0,
  refetchInterval: 30_000,
});

export const messagesQuery = (filters: MessageFilters) =>
  queryOptions({
    queryKey: ['feed-messages', filters],
    queryFn: () => call('GET /api/feeds/messages', { query: { ...filters, pageSize: 50 } }),
    staleTime: 0,
  });

/** One message with its text: patient data, so it is not kept once it is closed. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['feed-message', id],
    queryFn: () => call('GET /api/feeds/messages/:id', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

export const reviewsQuery = (pageNumber: number) =>
  queryOptions({
    queryKey: ['feed-reviews', pageNumber],
    queryFn: () => call('GET /api/feeds/reviews', { query: { pageNumber } }),
    staleTime: 0,
  });

/** How a feed's messages are read; asked anew each time it is edited. */
export const feedSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['feed-settings', id],
    queryFn: () => call('GET /api/admin/feeds/:id/settings', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

import { queryOptions } from '@tanstack/react-query';
import type { MessageStatus } from '#contract/feeds.ts';
import { call } from '../api/call.ts';

/** The filters of the message list; an absent one does not filter. */
export interface MessageFilters {
  feedId?: string | undefined;
  status?: MessageStatus | undefined;
  controlId?: string | undefined;
  receivedFrom?: string | undefined;
  receivedTo?: string | undefined;
  pageNumber: number;
}

export const feedsQuery = queryOptions({
  queryKey: ['feeds'],
  queryFn: () => call('GET /api/feeds'),
  staleTime: 0,
  refetchInterval: 10_000,
});

/** The health of one feed, with what it is told by. */
export const feedHealthQuery = (id: string) =>
  queryOptions({
    queryKey: ['feeds', id, 'health'],
    queryFn: () => call('GET /api/feeds/:id/health', { params: { id } }),
    staleTime: 0,
  });

/** Empty for everyone but operators. */
export const unknownSendersQuery = queryOptions({
  queryKey: ['feeds', 'unknown-senders'],
  queryFn: () => call('GET /api/feeds/unknown-senders'),
  staleTime: 0,
  refetchInterval: 30_000,
});

/** Empty for everyone but operators. */
export const refusedSendersQuery = queryOptions({
  queryKey: ['feeds', 'refused-senders'],
  queryFn: () => call('GET /api/feeds/refused-senders'),
  staleTime: 0,
  refetchInterval: 30_000,
});

export const messagesQuery = (filters: MessageFilters) =>
  queryOptions({
    queryKey: ['feed-messages', filters],
    queryFn: () => call('GET /api/feeds/messages', { query: { ...filters, pageSize: 50 } }),
    staleTime: 0,
  });

/** A feed's settings, loaded again each time they are edited. */
export const feedSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['feed-settings', id],
    queryFn: () => call('GET /api/admin/feeds/:id/settings', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

/** The tokens of a feed of documents. */
export const documentTokensQuery = (id: string) =>
  queryOptions({
    queryKey: ['document-tokens', id],
    queryFn: () => call('GET /api/admin/feeds/:id/tokens', { params: { id } }),
    staleTime: 0,
  });

/** How often outpatients of a feed had which codes; nothing for a feed that isn't added yet. */
export const outpatientCodesQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['outpatient-codes', id],
    queryFn: () => call('GET /api/admin/feeds/:id/outpatient-codes', { params: { id: id ?? '' } }),
    enabled: id !== undefined,
    staleTime: 60_000,
  });

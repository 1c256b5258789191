import { queryOptions } from '@tanstack/react-query';
import type { InboxListCode } from '#contract/inbox-lists.ts';
import { call } from '../api/call.ts';

/** How many pings the team has; what is null is known once the live stream has sent it. */
export interface Counts {
  open: number;
  resolved: number;
  new: number | null;
  needsAction: number | null;
}

export const countsQuery = queryOptions({
  queryKey: ['ping-counts'],
  queryFn: async ({ client, queryKey }): Promise<Counts> => {
    const [open, resolved] = await Promise.all([
      call('GET /api/pings/count/:kind', { params: { kind: 'open' } }),
      call('GET /api/pings/count/:kind', { params: { kind: 'resolved' } }),
    ]);
    // The stream may have sent counts while these two calls were under way.
    const streamed = client.getQueryData<Counts>(queryKey);
    const atMost = (count: number | null = null) => (count === null ? null : Math.min(count, open.count));
    return {
      open: open.count,
      resolved: resolved.count,
      new: atMost(streamed?.new),
      needsAction: atMost(streamed?.needsAction),
    };
  },
});

/** Returns how many pings a list has without filters; null where that is unknown. */
export const unfilteredCount = (code: InboxListCode, counts: Counts | undefined): number | null => {
  if (code === 'ALL_RESOLVED') return counts?.resolved ?? null;
  if (code === 'NEEDS_ACTION') return counts?.needsAction ?? null;
  if (!counts || counts.new === null) return null;
  return code === 'NEW' ? counts.new : code === 'IN_PROGRESS' ? counts.open - counts.new : null;
};

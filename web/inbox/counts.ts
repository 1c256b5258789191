import { queryOptions } from '@tanstack/react-query';
import type { InboxListCode } from '#contract/inbox-lists.ts';
import { call } from '../api/call.ts';

/** How many pings the team has; `new` is null until the live stream has sent it. */
export interface Counts {
  open: number;
  resolved: number;
  new: number | null;
}

export const countsQuery = queryOptions({
  queryKey: ['ping-counts'],
  queryFn: async ({ client, queryKey }): Promise<Counts> => {
    const [open, resolved] = await Promise.all([
      call('GET /api/pings/count/:kind', { params: { kind: 'open' } }),
      call('GET /api/pings/count/:kind', { params: { kind: 'resolved' } }),
    ]);
    // The stream may have sent counts while these two calls were under way.
    const streamed = client.getQueryData<Counts>(queryKey)?.new ?? null;
    return {
      open: open.count,
      resolved: resolved.count,
      new: streamed === null ? null : Math.min(streamed, open.count),
    };
  },
});

/** Returns how many pings a list has without filters; null where that is unknown. */
export const unfilteredCount = (code: InboxListCode, counts: Counts | undefined): number | null => {
  if (code === 'ALL_RESOLVED') return counts?.resolved ?? null;
  if (!counts || counts.new === null) return null;
  return code === 'NEW' ? counts.new : code === 'IN_PROGRESS' ? counts.open - counts.new : null;
};

import { queryOptions } from '@tanstack/react-query';
import type { ManagementStatus } from '#contract/management-status.ts';
import { call } from '../api/call.ts';

/** How many pings the team has; `new` is known once the live stream has told it. */
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
    // The stream may have told more while these two were under way.
    const told = client.getQueryData<Counts>(queryKey)?.new ?? null;
    return { open: open.count, resolved: resolved.count, new: told === null ? null : Math.min(told, open.count) };
  },
});

/** How many pings a list has without filters, where that is known. */
export const countOf = (status: ManagementStatus, counts: Counts | undefined): number | null => {
  if (!counts || counts.new === null) return null;
  return status === 'NEW' ? counts.new : status === 'IN_PROGRESS' ? counts.open - counts.new : null;
};

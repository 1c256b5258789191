import { queryOptions } from '@tanstack/react-query';
import type { ExportJob } from '#contract/exports.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';

/** In milliseconds. */
export const EXPORT_POLL_EVERY = 30_000;
/** While the user is looking at the exports. */
const WATCHED_POLL_EVERY = 2000;

const isAnyRunning = (jobs: ExportJob[] | undefined): boolean => jobs?.some(({ inProgress }) => inProgress) ?? false;

/** The user's exports, of all teams. Polled while one is in progress. */
export const recentExportsQuery = queryOptions({
  queryKey: ['recent-export-jobs'],
  queryFn: () => inBackground(() => call('GET /api/export/recent-export-jobs')),
  refetchInterval: ({ state }) => isAnyRunning(state.data) && EXPORT_POLL_EVERY,
  retry: false,
});

/** The same, for a page that shows how far they are. */
export const watchedExportsQuery = queryOptions({
  ...recentExportsQuery,
  staleTime: 0,
  refetchInterval: ({ state }) => isAnyRunning(state.data) && WATCHED_POLL_EVERY,
});

/** The fields that an export of encounters can have for these groups; none for all groups. */
export const exportFieldsQuery = (groupIds: readonly string[]) =>
  queryOptions({
    queryKey: ['export-fields', groupIds],
    queryFn: () => call('POST /api/export/fields', { body: { groupIds: [...groupIds] } }),
    placeholderData: (previous) => previous,
  });

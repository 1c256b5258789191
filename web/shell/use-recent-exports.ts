import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ExportJob } from '#contract/exports.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { showToast } from '../ui/toasts.tsx';

/** In milliseconds. */
export const EXPORT_POLL_EVERY = 30_000;
export const EXPORT_HISTORY_FAILED = 'There was an error getting your recent exports.';
const running = (jobs: ExportJob[] | undefined): boolean => jobs?.some(({ inProgress }) => inProgress) ?? false;

/** Polls the user's exports every 30 seconds while one is in progress, and says when they are done. */
export const useRecentExports = (): void => {
  const { data, isError, errorUpdatedAt } = useQuery({
    queryKey: ['recent-export-jobs'],
    queryFn: () => inBackground(() => call('GET /api/export/recent-export-jobs')),
    refetchInterval: ({ state }) => running(state.data) && EXPORT_POLL_EVERY,
    retry: false,
  });
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!data) return;
    const ended = data.filter(({ id, inProgress }) => !inProgress && before.current.has(id));
    const done = ended.filter(({ failed }) => !failed);
    before.current = new Set(data.filter(({ inProgress }) => inProgress).map(({ id }) => id));
    if (before.current.size > 0 || ended.length === 0) return;
    if (done.length > 0)
      showToast({ type: 'success', message: 'Your export has completed and can be found in Recent Exports.' });
    else showToast({ type: 'warning', message: 'Your export failed. Start it again.' });
  }, [data]);
  useEffect(() => {
    if (isError && errorUpdatedAt) showToast({ type: 'warning', message: EXPORT_HISTORY_FAILED });
  }, [isError, errorUpdatedAt]);
};

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { recentExportsQuery } from '../exports/export-queries.ts';
import { showToast } from '../ui/toasts.tsx';

export const EXPORT_HISTORY_FAILED = 'There was an error getting your recent exports.';

/** Polls the user's exports every 30 seconds while one is in progress, and says when they are done. */
export const useRecentExports = (): void => {
  const { data, isError, errorUpdatedAt } = useQuery(recentExportsQuery);
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

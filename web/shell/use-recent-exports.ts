import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { recentExportsQuery } from '../exports/export-queries.ts';
import { showToast } from '../ui/toasts.tsx';

export const EXPORT_HISTORY_FAILED = 'There was an error getting your recent exports.';

/** Polls the user's exports every 30 seconds while one is in progress, and says when they are done, also of one that ended before it was seen. */
export const useRecentExports = (): void => {
  const { data, isError, errorUpdatedAt } = useQuery(recentExportsQuery);
  /** Whether an export was in progress, by its id; null before the first answer. */
  const before = useRef<ReadonlyMap<string, boolean> | null>(null);
  useEffect(() => {
    if (!data) return;
    const known = before.current;
    const ended = data.filter(({ id, inProgress }) => !inProgress && known && known.get(id) !== false);
    const done = ended.filter(({ failed }) => !failed);
    before.current = new Map(data.map(({ id, inProgress }) => [id, inProgress]));
    if (data.some(({ inProgress }) => inProgress) || ended.length === 0) return;
    if (done.length > 0)
      showToast({ type: 'success', message: 'Your export has completed and can be found in Recent Exports.' });
    else showToast({ type: 'warning', message: 'Your export failed. Start it again.' });
  }, [data]);
  useEffect(() => {
    if (isError && errorUpdatedAt) showToast({ type: 'warning', message: EXPORT_HISTORY_FAILED });
  }, [isError, errorUpdatedAt]);
};

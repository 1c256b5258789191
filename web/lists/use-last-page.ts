import { useEffect } from 'react';
import type { ListFilters } from '../filters/use-filters.ts';

interface Page {
  data: { patients: readonly unknown[]; total: number; numPages: number } | undefined;
  isPlaceholderData: boolean;
}

/** An address, or the way back, may lead to a page that a list no longer has: its last one is shown instead. */
export const useLastPage = ({ data, isPlaceholderData }: Page, { page, patch }: ListFilters): void => {
  const last =
    data && !isPlaceholderData && data.patients.length === 0 && data.total > 0 && page > data.numPages
      ? data.numPages
      : null;
  useEffect(() => {
    if (last !== null) patch({ p: last > 1 ? last : undefined }, true);
    // Once for each page that is not there.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [last]);
};

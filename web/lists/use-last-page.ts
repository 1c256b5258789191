import { useEffect } from 'react';
import type { ListFilters } from '../filters/use-filters.ts';

interface Page {
  data: { patients: readonly unknown[]; total: number; numPages: number } | undefined;
  isPlaceholderData: boolean;
}

/** Shows the last page instead of one that the list no longer has, which an old link or the back button may ask for. */
export const useLastPage = ({ data, isPlaceholderData }: Page, { page, patch }: ListFilters): void => {
  const last =
    data && !isPlaceholderData && data.patients.length === 0 && data.total > 0 && page > data.numPages
      ? data.numPages
      : null;
  useEffect(() => {
    if (last !== null) patch({ p: last > 1 ? last : undefined }, true);
    // Once for each missing page.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [last]);
};

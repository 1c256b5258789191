import { useState } from 'react';
import { useWidth } from '../ui/use-width.ts';
import type { ListFilters } from './use-filters.ts';

/** Values of a facet that are counted at first, and once somebody asks for more. */
const AT_FIRST = 10;
const MORE = 100;

/**
 * Whether the panel stands open, as the address says (`showFilters`), and how many values of each facet it needs: none while it is
 * closed. `beside`: on a desk it is there by itself.
 */
export const usePanel = ({ search, patch }: ListFilters, beside: boolean, atFirst = AT_FIRST) => {
  const usual = useWidth() === 'wide' && beside;
  const open = search.showFilters ?? usual;
  const [many, setMany] = useState(false);
  const [asked, setAsked] = useState(0);
  const set = (next: boolean): void => patch({ showFilters: next === usual ? undefined : next }, true);
  return {
    open,
    facetSize: open ? (many ? MORE : atFirst) : 0,
    /** Grows when the finder is asked for. */
    asked,
    more: (): void => setMany(true),
    toggle: (): void => set(!open),
    close: (): void => set(false),
    /** Opens it with the focus on "Find a filter…". */
    find: (): void => {
      setAsked((times) => times + 1);
      if (!open) set(true);
    },
  };
};
export type Panel = ReturnType<typeof usePanel>;

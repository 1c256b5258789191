import { useState } from 'react';
import { useWidth } from '../ui/use-width.ts';
import type { ListFilters } from './use-filters.ts';

/** Values of a facet that are counted at first, and once somebody asks for more. */
const AT_FIRST = 10;
const MORE = 100;

/** "Find a filter…", or name or identifier where the panel asks for them; another object each time. */
export interface AskedField {
  field: 'finder' | 'name';
}

/**
 * Whether the panel stands open, as the address says (`showFilters`), and how many values of each facet it needs: none while it is
 * closed. `beside`: on a desk it is there by itself.
 */
export const usePanel = ({ search, patch }: ListFilters, beside: boolean, atFirst = AT_FIRST) => {
  const usual = useWidth() === 'wide' && beside;
  const open = search.showFilters ?? usual;
  const [many, setMany] = useState(false);
  const [asked, setAsked] = useState<AskedField | null>(null);
  const set = (next: boolean, field: AskedField | null = null): void => {
    setAsked(field);
    if (next !== open) patch({ showFilters: next === usual ? undefined : next }, true);
  };
  return {
    open,
    facetSize: open ? (many ? MORE : atFirst) : 0,
    asked,
    more: (): void => setMany(true),
    toggle: (): void => set(!open),
    close: (): void => set(false),
    /** Opens it with the focus on one of its fields. */
    find: (field: AskedField['field']): void => set(true, { field }),
  };
};
export type Panel = ReturnType<typeof usePanel>;

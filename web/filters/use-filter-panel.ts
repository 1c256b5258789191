import { useState } from 'react';
import { useWidth } from '../ui/use-width.ts';
import type { ListFilters } from './use-filters.ts';

/** How many values of each facet are counted at first, and after a request for more. */
const FACET_SIZE = 10;
const LARGE_FACET_SIZE = 100;

/** Asks for the focus on a field of the panel: "Find a filter…", or the name field. Each request is a new object. */
export interface FocusRequest {
  field: 'finder' | 'name';
}

/**
 * The state of the filter panel: whether it is open (`showFilters` in the URL) and how many values of each facet to count, which is
 * none while it is closed. `openOnDesktop`: it is open on wide screens unless the URL says otherwise.
 */
export const useFilterPanel = ({ search, patch }: ListFilters, openOnDesktop: boolean, facetSize = FACET_SIZE) => {
  const openByDefault = useWidth() === 'wide' && openOnDesktop;
  const open = search.showFilters ?? openByDefault;
  const [wantsMore, setWantsMore] = useState(false);
  const [focus, setFocus] = useState<FocusRequest | null>(null);
  const set = (next: boolean, request: FocusRequest | null = null): void => {
    setFocus(request);
    if (next !== open) patch({ showFilters: next === openByDefault ? undefined : next }, true);
  };
  return {
    open,
    facetSize: open ? (wantsMore ? LARGE_FACET_SIZE : facetSize) : 0,
    focus,
    more: (): void => setWantsMore(true),
    toggle: (): void => set(!open),
    close: (): void => set(false),
    /** Opens the panel with the focus on one of its fields. */
    openOn: (field: FocusRequest['field']): void => set(true, { field }),
  };
};
export type FilterPanelState = ReturnType<typeof useFilterPanel>;

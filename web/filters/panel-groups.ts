import { useState } from 'react';
import { FACETS, type Facet, facetDefinition } from '#contract/facets.ts';
import { FILTER_GROUPS, type FilterGroup } from '#contract/filter-groups.ts';
import type { FacetCounts, SearchContext } from '#contract/search.ts';
import { useSession } from '../session/session.ts';
import { containsText } from '../ui/contains-text.ts';
import { isRange, valueLabel } from './filter-words.ts';
import type { ListFilters } from './use-filters.ts';

/** A group with those of its facets that are offered. */
interface PanelGroup {
  group: FilterGroup;
  facets: Facet[];
}

/** Returns the groups that this list offers to this user, `ownGroups` first. */
export const usePanelGroups = (context: SearchContext, ownGroups: readonly FilterGroup[]): PanelGroup[] => {
  const { can } = useSession();
  const isOffered = (facet: Facet): boolean => {
    const { permission, contexts } = facetDefinition(facet);
    return (!permission || can(permission)) && (!contexts || contexts.includes(context));
  };
  return [...ownGroups, ...FILTER_GROUPS]
    .map((group) => ({ group, facets: group.facets.filter(isOffered) }))
    .filter(({ facets }) => facets.length > 0);
};

/** Returns what identifies a group in the panel; labels may repeat. */
export const groupKey = ({ facets }: FilterGroup): string => facets.join();

const hasMatchingValue = (facet: Facet, counts: FacetCounts | undefined, text: string): boolean =>
  !isRange(facet) &&
  (counts?.[facet]?.options ?? []).some(({ value, label }) =>
    containsText(label === value ? valueLabel(facet, value) : label, text),
  );

/**
 * Returns the groups that "Find a filter…" finds: by the name of the group, of a facet, or of a value. `valueText` is set where only
 * values match, and only those are shown.
 */
export const matchingGroups = (
  groups: readonly PanelGroup[],
  text: string,
  counts: FacetCounts | undefined,
): (PanelGroup & { valueText: string })[] =>
  groups.flatMap(({ group, facets }) => {
    if (!text || containsText(group.label, text)) return [{ group, facets, valueText: '' }];
    const named = facets.filter((facet) => containsText(FACETS[facet].label, text));
    if (named.length > 0) return [{ group, facets: named, valueText: '' }];
    const valued = facets.filter((facet) => hasMatchingValue(facet, counts, text));
    return valued.length > 0 ? [{ group, facets: valued, valueText: text }] : [];
  });

/**
 * Which groups are open: those with a chosen value and those that are open by default, until the user opens or closes them. Another
 * saved or fixed filter starts over.
 */
export const useOpenGroups = ({ saved, criteria }: ListFilters) => {
  const [byHand, setByHand] = useState<Record<string, boolean>>({});
  const filter = saved?.id ?? criteria.view;
  const [followed, setFollowed] = useState(filter);
  if (filter !== followed) {
    setFollowed(filter);
    setByHand({});
  }
  return {
    isOpen: ({ group, facets }: PanelGroup): boolean =>
      byHand[groupKey(group)] ?? (facets.some((facet) => criteria.filters[facet]) || group.isExpanded === true),
    setOpen: (group: FilterGroup, open: boolean): void => setByHand((all) => ({ ...all, [groupKey(group)]: open })),
  };
};

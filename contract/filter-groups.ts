/** The groups of the filter panel, in the order of the facets. */
import { FACET_NAMES, type Facet, facetDefinition, type PanelPlace } from './facets.ts';

export interface FilterGroup extends Omit<PanelPlace, 'group'> {
  label: string;
  facets: readonly Facet[];
}

export const FILTER_GROUPS: readonly FilterGroup[] = groupsOf(FACET_NAMES);

function groupsOf(names: readonly Facet[]): FilterGroup[] {
  const groups = new Map<string, FilterGroup>();
  for (const facet of names) {
    const { label: own, panel } = facetDefinition(facet);
    if (!panel) continue;
    const { group: label = own, ...rest } = panel;
    groups.set(label, { label, facets: [...(groups.get(label)?.facets ?? []), facet], ...rest });
  }
  return [...groups.values()];
}

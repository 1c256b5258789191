import { valueLabel } from '#contract/facet-labels.ts';
import { type Facet, facetDefinition } from '#contract/facets.ts';
import type { FacetOption } from '#contract/search.ts';
import type { ValueCount } from './columns/table.ts';

/** Returns a counted value as the filter panel shows it. `descriptions`: what diagnosis codes mean, by code. */
export function facetOptionOf(
  facet: Facet,
  { value, count }: ValueCount,
  descriptions: Readonly<Record<string, string>>,
): FacetOption {
  return {
    value,
    label: valueLabel(facet, value, Object.hasOwn(descriptions, value) ? descriptions[value] : undefined),
    count,
    field: facet,
    typeaheadEnabled: facetDefinition(facet).panel?.typeahead !== undefined,
  };
}

import { DATE_FIELDS, FACETS, type Facet, facetDefinition } from '#contract/facets.ts';
import type { FilterValue } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';

/** Filter values by facet. */
export type PreferenceMap = Partial<Record<Facet, FilterValue[]>>;

export const isFacet = (name: string): name is Facet => Object.hasOwn(FACETS, name);

/** Returns the facets that have values, in the order of the map. */
export const entriesOf = (map: PreferenceMap): [Facet, FilterValue[]][] =>
  (Object.entries(map) as [Facet, FilterValue[]][]).filter(([, values]) => values.length > 0);

/** Returns whether the actor may filter by the facet: it needs no permission, or the actor holds it for a group of the team. */
export function mayFilterBy(actor: Actor, facet: Facet): boolean {
  const { permission } = facetDefinition(facet);
  return permission === undefined || actor.can(permission);
}

/** Returns whether the field name is one of the facet's. Clients choose the name and it is logged, so unknown names are refused. */
export const isFieldOf = (facet: Facet, field: string): boolean =>
  FACETS[facet].kind === 'date' ? Object.hasOwn(DATE_FIELDS, field) : field === facet;

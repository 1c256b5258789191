import { DATE_FIELDS, FACETS, type Facet, facetDefinition } from '#contract/facets.ts';
import type { FilterValue } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';

/** Facet name to the values filtered by. */
export type PreferenceMap = Partial<Record<Facet, FilterValue[]>>;

export const isFacet = (name: string): name is Facet => Object.hasOwn(FACETS, name);

/** Facets with at least one value, in the order in which the map has them. */
export const entriesOf = (map: PreferenceMap): [Facet, FilterValue[]][] =>
  (Object.entries(map) as [Facet, FilterValue[]][]).filter(([, values]) => values.length > 0);

/** Whether the facet is the actor's to filter by: it needs no flag, or one that he or she holds for a group of the team. */
export function mayFilterBy(actor: Actor, facet: Facet): boolean {
  const { permission } = facetDefinition(facet);
  return permission === undefined || actor.can(permission);
}

/** A client names the field freely, and what we log tells it: nothing but the names that there are. */
export const isFieldOf = (facet: Facet, field: string): boolean =>
  FACETS[facet].kind === 'date' ? Object.hasOwn(DATE_FIELDS, field) : field === facet;

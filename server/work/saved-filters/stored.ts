/**
 * The form in which a saved filter is kept, and how it is read again: perhaps years later, by a newer version that has other facets,
 * for a user who has lost a permission since.
 */
import { z } from 'zod';
import type { Facet } from '#contract/facets.ts';
import {
  facetPreferences,
  filterValue,
  isValidFilter,
  type SearchParameters,
  searchParameters,
} from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { loggableValue } from './loggable.ts';
import { entriesOf, isFacet, isFieldOf, mayFilterBy, type PreferenceMap } from './preference-map.ts';

/** What is kept: not the name, which has a column, nor what the page sets that searches. */
const kept = searchParameters.omit({ name: true, canSaveStoredFilters: true, termFacetSizeOverride: true });
export type KeptParameters = z.infer<typeof kept>;

export interface ReadFilter {
  parameters: KeptParameters;
  /** Facets whose values were left out: those that are gone, and those that the actor may not filter by now. */
  ignoredFacets: string[];
  /** The latter with their values; they stay stored. */
  withheld: PreferenceMap;
}

/** The parameters to store; `withheld` are values of facets that the actor may not filter by, and so neither sees nor changes. */
export function toStored(parameters: SearchParameters, withheld: PreferenceMap = {}): KeptParameters {
  const { userDefinedFacetPreferences: preferences, ...rest } = kept.parse(parameters);
  const preferenceMap: PreferenceMap = Object.fromEntries(
    entriesOf({ ...preferences.preferenceMap, ...withheld }).map(([facet, values]) => [
      facet,
      values.map(({ field, value, negated }) => ({ field, value, negated })),
    ]),
  );
  return { ...rest, userDefinedFacetPreferences: { ...preferences, preferenceMap } };
}

export function readStored(json: unknown, actor: Actor): ReadFilter {
  const raw = z.record(z.string(), z.unknown()).parse(json);
  const preferences = z.record(z.string(), z.unknown()).catch({}).parse(raw['userDefinedFacetPreferences']);
  const { map, gone } = readMap(preferences['preferenceMap']);
  const known = readLeniently(facetPreferences.omit({ preferenceMap: true }), preferences);
  const rest = readLeniently(kept.omit({ userDefinedFacetPreferences: true }), raw);
  const [withheld, usable] = [false, true].map((wanted) =>
    Object.fromEntries(entriesOf(map).filter(([facet]) => mayFilterBy(actor, facet) === wanted)),
  ) as [PreferenceMap, PreferenceMap];
  return {
    parameters: { ...rest, userDefinedFacetPreferences: { ...known, preferenceMap: usable } },
    ignoredFacets: [...gone, ...Object.keys(withheld)],
    withheld,
  };
}

/** A facet is read whole or not at all: with half of its values it would mean something else. */
function readMap(json: unknown): { map: PreferenceMap; gone: string[] } {
  const map: PreferenceMap = {};
  const gone: string[] = [];
  for (const [name, values] of Object.entries(z.record(z.string(), z.unknown()).catch({}).parse(json))) {
    const parsed = isFacet(name) ? readValues(name, values) : null;
    if (isFacet(name) && parsed) map[name] = parsed;
    else gone.push(name);
  }
  return { map, gone };
}

function readValues(facet: Facet, json: unknown) {
  const { success, data } = z.array(filterValue).safeParse(json);
  if (!success || !data.every((value) => isFieldOf(facet, value.field) && isValidFilter(facet, value))) return null;
  return data.map((value) => ({ ...value, loggableFilterRepresentation: loggableValue(facet, value) }));
}

/** With the default where a part is not as the schema has it now, such as a sort key that is gone. */
function readLeniently<S extends z.ZodObject>(schema: S, raw: Record<string, unknown>): z.output<S> {
  const { success, data, error } = schema.safeParse(raw);
  if (success) return data;
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  return schema.parse(Object.fromEntries(Object.entries(raw).filter(([key]) => !wrong.has(key))));
}

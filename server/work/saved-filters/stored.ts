/**
 * How saved filters are stored and read. They may be read years later, by a newer version with other facets, for a user who has lost a
 * permission.
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

/** What is stored: neither the name, which has its own column, nor what the searching page sets. */
const storedSchema = searchParameters.omit({ name: true, canSaveStoredFilters: true, termFacetSizeOverride: true });
export type StoredParameters = z.infer<typeof storedSchema>;

export interface ReadFilter {
  parameters: StoredParameters;
  /** Facets whose values were left out: facets that no longer exist, and facets that the actor may no longer use. */
  ignoredFacets: string[];
  /** The values of facets that the actor may no longer use. They stay stored. */
  withheld: PreferenceMap;
}

/** Returns the parameters to store. `withheld`: values of facets that the actor may not use, and so neither sees nor changes. */
export function toStored(parameters: SearchParameters, withheld: PreferenceMap = {}): StoredParameters {
  const { userDefinedFacetPreferences: preferences, ...rest } = storedSchema.parse(parameters);
  const preferenceMap: PreferenceMap = Object.fromEntries(
    entriesOf({ ...preferences.preferenceMap, ...withheld }).map(([facet, values]) => [
      facet,
      values.map(({ field, value, negated }) => ({ field, value, negated })),
    ]),
  );
  return { ...rest, userDefinedFacetPreferences: { ...preferences, preferenceMap } };
}

/** Parses stored parameters for an actor. */
export function readStored(json: unknown, actor: Actor): ReadFilter {
  const raw = z.record(z.string(), z.unknown()).parse(json);
  const preferences = z.record(z.string(), z.unknown()).catch({}).parse(raw['userDefinedFacetPreferences']);
  const { map, unknown } = readMap(preferences['preferenceMap']);
  const known = readLeniently(facetPreferences.omit({ preferenceMap: true }), preferences);
  const rest = readLeniently(storedSchema.omit({ userDefinedFacetPreferences: true }), raw);
  const [withheld, usable] = [false, true].map((wanted) =>
    Object.fromEntries(entriesOf(map).filter(([facet]) => mayFilterBy(actor, facet) === wanted)),
  ) as [PreferenceMap, PreferenceMap];
  return {
    parameters: { ...rest, userDefinedFacetPreferences: { ...known, preferenceMap: usable } },
    ignoredFacets: [...unknown, ...Object.keys(withheld)],
    withheld,
  };
}

/** A facet is read completely or not at all, because some of its values would mean something else. */
function readMap(json: unknown): { map: PreferenceMap; unknown: string[] } {
  const map: PreferenceMap = {};
  const unknown: string[] = [];
  for (const [name, values] of Object.entries(z.record(z.string(), z.unknown()).catch({}).parse(json))) {
    const parsed = isFacet(name) ? readValues(name, values) : null;
    if (isFacet(name) && parsed) map[name] = parsed;
    else unknown.push(name);
  }
  return { map, unknown };
}

function readValues(facet: Facet, json: unknown) {
  const { success, data } = z.array(filterValue).safeParse(json);
  if (!success || !data.every((value) => isFieldOf(facet, value.field) && isValidFilter(facet, value))) return null;
  return data.map((value) => ({ ...value, loggableFilterRepresentation: loggableValue(facet, value) }));
}

/** Parses with defaults for parts that no longer fit the schema, such as a removed sort key. */
function readLeniently<S extends z.ZodObject>(schema: S, raw: Record<string, unknown>): z.output<S> {
  const { success, data, error } = schema.safeParse(raw);
  if (success) return data;
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  return schema.parse(Object.fromEntries(Object.entries(raw).filter(([key]) => !wrong.has(key))));
}

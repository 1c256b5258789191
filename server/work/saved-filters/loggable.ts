/** Describes a filter for logs: the facets and how many values each has, never a value. */
import { FACETS, type Facet } from '#contract/facets.ts';
import type { FacetPreferences, FilterValue } from '#contract/search.ts';
import { entriesOf } from './preference-map.ts';

/** Describes one value, such as 'not diagnoses'. A range of days includes its unit, as in 'eventDate (eventDaysAgo)'. */
export function loggableValue(facet: Facet, { field, negated }: FilterValue): string {
  const what = FACETS[facet].kind === 'date' ? `${facet} (${field})` : facet;
  return negated ? `not ${what}` : what;
}

/** Describes a whole filter, such as 'diagnoses: 2, not gender: 1, text, birth date, current stays only', or 'none'. */
export function loggableFilter({ query, dateOfBirth, preferenceMap, openPatientsOnly }: FacetPreferences): string {
  const counts = new Map<string, number>();
  for (const [facet, values] of entriesOf(preferenceMap)) {
    for (const value of values) {
      const what = loggableValue(facet, value);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  const parts = [...counts].map(([what, count]) => `${what}: ${count}`);
  if (query !== '') parts.push('text');
  if (dateOfBirth !== null) parts.push('birth date');
  if (openPatientsOnly) parts.push('current stays only');
  return parts.join(', ') || 'none';
}

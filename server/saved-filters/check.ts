import { z } from 'zod';
import { FACETS, type Facet } from '#contract/facets.ts';
import { type FilterValue, isValidFilter, type SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/access/actor.ts';
import { ApiError } from '#server/api-error.ts';
import { entriesOf, isFieldOf, mayFilterBy } from './facets.ts';

const PREFERENCES = 'userDefinedFacetPreferences';

/**
 * Refuses what could not be searched for, with a message for each field by its path: a birth date that is no day, a facet without its
 * permission, a value that is none (specification, second file, section 5). No message repeats a value: it may be a person's.
 */
export function checkFilter(actor: Actor, { userDefinedFacetPreferences: preferences }: SearchParameters): void {
  const fields: Record<string, string> = {};
  const { dateOfBirth, preferenceMap } = preferences;
  if (dateOfBirth !== null && !z.iso.date().safeParse(dateOfBirth).success) {
    fields[`${PREFERENCES}.dateOfBirth`] = 'A date of birth is a day, written as YYYY-MM-DD.';
  }
  for (const [facet, values] of entriesOf(preferenceMap)) {
    const path = `${PREFERENCES}.preferenceMap.${facet}`;
    const { label, kind } = FACETS[facet];
    const isRange = kind === 'range' || kind === 'date';
    if (!mayFilterBy(actor, facet)) fields[path] = `Your role in this team does not allow to filter by ${label}.`;
    else if (isRange && values.length > 1) fields[path] = `${label} takes one range.`;
    else Object.assign(fields, wrongValues(path, facet, values));
  }
  if (Object.keys(fields).length > 0) throw new ApiError('BAD_REQUEST', { fields });
}

function wrongValues(path: string, facet: Facet, values: readonly FilterValue[]): Record<string, string> {
  const { label, kind } = FACETS[facet];
  const isRange = kind === 'range' || kind === 'date';
  const wrong = isRange ? `${label} needs one end of its range at least.` : `${label} needs a value.`;
  const problems = values.map((value, index): [string, string] | null => {
    if (!isFieldOf(facet, value.field)) return [`${path}.${index}.field`, `${label} has no such field.`];
    return isValidFilter(facet, value) ? null : [`${path}.${index}.value`, wrong];
  });
  return Object.fromEntries(problems.filter((problem) => problem !== null));
}

import { z } from 'zod';
import { FACETS, type Facet } from '#contract/facets.ts';
import { type FilterValue, isValidFilter, type SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { entriesOf, isFieldOf, mayFilterBy } from './preference-map.ts';

const PREFERENCES = 'userDefinedFacetPreferences';

/**
 * Refuses parameters that could not be searched for, with a message by the path of each field: an invalid birth date, a facet without its
 * permission, an empty value. Messages never repeat a value, because it may identify a person.
 */
export function checkFilter(actor: Actor, parameters: SearchParameters): void {
  const { name = '', ignoredPatientIds = [], userDefinedFacetPreferences: preferences } = parameters;
  const { query, dateOfBirth, preferenceMap } = preferences;
  const fields: Record<string, string> = {};
  if (!isText(name)) fields['name'] = UNREADABLE;
  if (!isText(query)) fields[`${PREFERENCES}.query`] = UNREADABLE;
  if (!ignoredPatientIds.every(isText)) fields['ignoredPatientIds'] = UNREADABLE;
  if (dateOfBirth !== null && !z.iso.date().safeParse(dateOfBirth).success) {
    fields[`${PREFERENCES}.dateOfBirth`] = 'Not a valid date of birth. Use YYYY-MM-DD.';
  }
  for (const [facet, values] of entriesOf(preferenceMap)) {
    const path = `${PREFERENCES}.preferenceMap.${facet}`;
    const { label, kind } = FACETS[facet];
    const isRange = kind === 'range' || kind === 'date';
    if (!mayFilterBy(actor, facet)) fields[path] = `Your role on this team doesn't allow filtering by ${label}.`;
    else if (isRange && values.length > 1) fields[path] = `Enter a single range for ${label}.`;
    else Object.assign(fields, wrongValues(path, facet, values));
  }
  if (Object.keys(fields).length > 0) throw new ApiError('BAD_REQUEST', { fields });
}

function wrongValues(path: string, facet: Facet, values: readonly FilterValue[]): Record<string, string> {
  const { label, kind } = FACETS[facet];
  const isRange = kind === 'range' || kind === 'date';
  const wrong = isRange ? `Enter at least one end of the range for ${label}.` : `Enter a value for ${label}.`;
  const problems = values.map((value, index): [string, string] | null => {
    if (!isFieldOf(facet, value.field)) return [`${path}.${index}.field`, `Not a field of ${label}.`];
    if (!isText(value.value)) return [`${path}.${index}.value`, UNREADABLE];
    return isValidFilter(facet, value) ? null : [`${path}.${index}.value`, wrong];
  });
  return Object.fromEntries(problems.filter((problem) => problem !== null));
}

/** PostgreSQL cannot store U+0000, nor half of a surrogate pair in JSON. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');
const UNREADABLE = 'Contains an unreadable character.';

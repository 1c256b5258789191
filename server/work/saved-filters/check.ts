import { z } from 'zod';
import { FACETS, type Facet } from '#contract/facets.ts';
import { type FilterValue, isValidFilter, type SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { entriesOf, isFieldOf, mayFilterBy } from './preference-map.ts';

const PREFERENCES = 'userDefinedFacetPreferences';

/**
 * Refuses what could not be searched for, with a message for each field by its path: a birth date that is no day, a facet without its
 * permission, a value that is none (specification, second file, section 5). No message repeats a value: it may be a person's.
 */
export function checkFilter(actor: Actor, parameters: SearchParameters): void {
  const { name = '', ignoredPatientIds = [], userDefinedFacetPreferences: preferences } = parameters;
  const { query, dateOfBirth, preferenceMap } = preferences;
  const fields: Record<string, string> = {};
  if (!isText(name)) fields['name'] = NO_TEXT;
  if (!isText(query)) fields[`${PREFERENCES}.query`] = NO_TEXT;
  if (!ignoredPatientIds.every(isText)) fields['ignoredPatientIds'] = NO_TEXT;
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
    if (!isText(value.value)) return [`${path}.${index}.value`, NO_TEXT];
    return isValidFilter(facet, value) ? null : [`${path}.${index}.value`, wrong];
  });
  return Object.fromEntries(problems.filter((problem) => problem !== null));
}

/** PostgreSQL keeps no U+0000, and JSON of it no half of a surrogate pair. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');
const NO_TEXT = 'This holds a character that is no text.';

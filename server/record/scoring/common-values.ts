/** How common values are: a rare name says more than Smith. */
import { familyNameShare, givenNameShare } from '#server/platform/name-frequencies/name-tables.ts';
import type { Comparison, Field } from './comparison.ts';
import type { NormalizedDemographics } from './demographics.ts';

/** Forms take the first of January for a birthday that is not known: it tells the year at most. */
const FIRST_OF_JANUARY = 0.9;

/** Two people with one full name are never rarer than this, however rare its parts are. */
const FULL_NAME = 5e-7;

/** Returns how often strangers have the value that two records have in common, for the fields where that is known. */
export function commonShare(
  a: NormalizedDemographics,
  b: NormalizedDemographics,
  { given, family, birthDate }: Comparison,
): Partial<Record<Field, number>> {
  const givenShare = Math.max(0.002, givenNameShare(a.givenWhole), givenNameShare(b.givenWhole));
  return {
    given: givenShare,
    family:
      family === 'exact' ? Math.max(familyNameShare(a.familyWhole), given === 'exact' ? FULL_NAME / givenShare : 0) : 0,
    birthDate: birthDate === 'exact' && a.birthDate?.endsWith('-01-01') ? FIRST_OF_JANUARY : 0,
  };
}

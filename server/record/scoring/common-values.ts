/** How common values are: a rare name says more than Smith. */
import { familyNameShare, givenNameShare } from '#server/platform/name-frequencies/name-tables.ts';
import type { Comparison, Field } from './comparison.ts';
import type { NormalizedDemographics } from './demographics.ts';

/** Forms take the first of January for a birthday that is not known: it tells the year at most. */
const FIRST_OF_JANUARY = 0.9;

/**
 * Names come together: someone called Garcia is called Maria more often than others are. So a full name is this many times more common than
 * its parts would have it, and never rarer than one in two million.
 */
const TOGETHER = 4;
const FULL_NAME = 5e-7;

/** Returns how often strangers have the value that two records have in common, for the fields where that is known. */
export function commonShare(
  a: NormalizedDemographics,
  b: NormalizedDemographics,
  { given, family, birthDate }: Comparison,
): Partial<Record<Field, number>> {
  const givenShare = Math.max(0.002, givenNameShare(a.givenWhole), givenNameShare(b.givenWhole));
  const familyShare = family === 'exact' ? familyNameShare(a.familyWhole) : 0;
  return {
    given: givenShare,
    family: given === 'exact' ? Math.max(familyShare * TOGETHER, FULL_NAME / givenShare) : familyShare,
    birthDate: birthDate === 'exact' && a.birthDate?.endsWith('-01-01') ? FIRST_OF_JANUARY : 0,
  };
}

/** How common values are: a rare name says more than Smith. */
import { familyNameShare, givenNameShare } from '#server/platform/name-frequencies/name-tables.ts';
import { type Comparison, type Field, formerInCommon, type Level } from './comparison.ts';
import type { NormalizedDemographics } from './demographics.ts';

/** What an installation's own lists are like, frozen under a number. */
export interface ListSnapshot {
  number: number;
  /** How many people were known, listed or not. */
  persons: number;
  /** How common names (`givenWhole`, `familyWhole`) are. It has names only that are more common there than in the United States. */
  given: ReadonlyMap<string, number>;
  family: ReadonlyMap<string, number>;
  /** How many others of the same home are listed beside someone listed, in the mean. */
  housemates: number;
}

/** Forms take the first of January for a birthday that is not known: it tells the year at most. */
export const FIRST_OF_JANUARY = 0.9;

/**
 * Names come together: someone called Garcia is called Maria more often than others are. So a full name is this many times more common than
 * its parts would have it, and never rarer than one in two million.
 */
const TOGETHER = 4;
const FULL_NAME = 5e-7;

/** Assumed: how many records have a former family name. */
const HAS_FORMER = 0.1;

/** Of two strangers of one given name, so many have one sex. */
const SEX_OF_NAME = 0.97;
const OF_ONE_NAME: ReadonlySet<Level> = new Set(['exact', 'nickname', 'typo', 'similar']);

/** No given name counts as rarer than this: names come together. */
const LEAST_GIVEN = 0.002;

/**
 * Returns how often strangers have the value that two records have in common, for the fields where that is known. A name counts with its published share or,
 * where that is larger, with the one in `names`.
 */
export function commonShare(
  a: NormalizedDemographics,
  b: NormalizedDemographics,
  { given, family, birthDate }: Comparison,
  snapshot: ListSnapshot | null = null,
): Partial<Record<Field, number>> {
  const ofGiven = (name: string): number => Math.max(givenNameShare(name), snapshot?.given.get(name) ?? 0);
  const ofFamily = (name: string): number => Math.max(familyNameShare(name), snapshot?.family.get(name) ?? 0);
  const givenShare = Math.max(LEAST_GIVEN, ofGiven(a.givenWhole), ofGiven(b.givenWhole));
  const inCommon = family === 'exact' ? [a.familyWhole] : family === 'former' ? formerInCommon(a, b) : [];
  const familyShare = Math.max(0, ...inCommon.map(ofFamily));
  const together =
    given === 'exact' ? Math.max(Math.min(1, familyShare * TOGETHER), FULL_NAME / givenShare) : familyShare;
  return {
    given: givenShare,
    family: family === 'former' ? together * HAS_FORMER : together,
    sex: OF_ONE_NAME.has(given) ? SEX_OF_NAME : 0,
    birthDate: birthDate === 'exact' && a.birthDate?.endsWith('-01-01') ? FIRST_OF_JANUARY : 0,
  };
}

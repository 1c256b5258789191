/** Whether what is known about one patient rules out that it is about another. Used for the patients of one facility's record numbers. */
import { type Comparison, compare } from './comparison.ts';
import { type NormalizedDemographics, normalize } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';
import { demographicsOfSource, type SourceDemographics } from './source-demographics.ts';

/** Name and birth date, normalized. Contains patient data: keep it out of logs. */
export type Identity = NormalizedDemographics;

/** Returns name and birth date alone, so that comparing two identities is cheap. */
export function identityOf({ name, birthDate }: SourceDemographics): Identity {
  return normalize(demographicsOfSource({ name, birthDate }));
}

const hasGivenName = ({ givenWhole }: Identity): boolean => givenWhole !== '' && givenWhole !== UNNAMED_NEWBORN;

/** Whether nothing is missing that could contradict someone. */
export const isComplete = (identity: Identity): boolean =>
  hasGivenName(identity) && identity.familyWhole !== '' && identity.birthDate !== null;

/** Returns the identity with what it lacks taken from another one of the same person. */
export function completedBy(identity: Identity, other: Identity): Identity {
  const { given, givenParts, givenWhole, givenForms } = hasGivenName(identity) ? identity : other;
  const { family, familyParts, familyWhole } = identity.familyWhole === '' ? other : identity;
  const suffix = identity.suffix ?? other.suffix;
  const birthDate = identity.birthDate ?? other.birthDate;
  const names = { given, givenParts, givenWhole, givenForms, family, familyParts, familyWhole };
  return { ...identity, ...names, suffix, birthDate };
}

/**
 * Whether two records can't be one person's: another given name, birth date or generation, or another family name without the same birth
 * date. A family name may change by marriage and a birth date may be corrected, but not both at once. Typing errors, nicknames, missing
 * fields and newborns without a name contradict no one.
 */
export const levelsContradict = (levels: Comparison): boolean =>
  ['differs', 'generation', 'part'].includes(levels.birthDate) || isSomeoneElse(levels);

export const contradicts = (a: Identity, b: Identity): boolean => levelsContradict(compare(a, b));

/**
 * Whether two identities can't be one person's although the facility says so by merging their record numbers. A wrong birth date is what
 * makes a duplicate record in the first place, so it contradicts a merge only together with another name.
 */
export const contradictsMerge = (a: Identity, b: Identity): boolean => isSomeoneElse(compare(a, b));

const isSomeoneElse = ({ given, family, birthDate, suffix }: Comparison): boolean =>
  given === 'differs' || given === 'alike' || suffix === 'differs' || (family === 'differs' && birthDate !== 'exact');

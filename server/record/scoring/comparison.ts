import { isOneEdit } from '#server/platform/text/edit-distance.ts';
import type { NormalisedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';
import { isKnownGivenName } from './nicknames.ts';

/**
 * How two values of a field relate. `missing`: at least one side is silent or too short to tell (an initial).
 * `fuzzy` for a birth date is one digit off or day and month swapped: no rule takes it for agreement, it only softens
 * the veto.
 */
export type Level = 'exact' | 'fuzzy' | 'nickname' | 'differs' | 'missing';

// biome-ignore format: a list
export const FIELDS = [
  'family', 'given', 'birthDate', 'sex', 'suffix', 'street', 'zip', 'phone', 'email', 'ssnLast4', 'medicareId', 'memberId',
] as const;
export type Field = (typeof FIELDS)[number];
/** The level of each field, without any value. `street` includes ZIP5. */
export type Comparison = Record<Field, Level>;

/** A slip of the keyboard: one edit or a swap of neighbours, in values of five characters or more. */
export const isSlip = (a: string, b: string): boolean => a.length >= 5 && b.length >= 5 && isOneEdit(a, b);

/** Compares two normalised people; symmetric. */
export function compare(a: NormalisedDemographics, b: NormalisedDemographics): Comparison {
  return {
    family: compareFamily(a, b),
    given: compareGiven(a, b),
    birthDate: compareBirthDate(a.birthDate, b.birthDate),
    sex: compareExactly(a.sex, b.sex),
    suffix: compareExactly(a.suffix, b.suffix),
    street: compareStreet(a, b),
    zip: compareExactly(a.zip, b.zip),
    phone: compareSets(a.phones, b.phones),
    email: compareExactly(a.email, b.email),
    ssnLast4: compareExactly(a.ssnLast4, b.ssnLast4),
    medicareId: compareExactly(a.medicareId, b.medicareId),
    memberId: compareSets(a.memberKeys, b.memberKeys),
  };
}

function compareExactly(a: string | null, b: string | null): Level {
  if (a === null || b === null) return 'missing';
  return a === b ? 'exact' : 'differs';
}

function compareSets(a: readonly string[], b: readonly string[]): Level {
  if (a.length === 0 || b.length === 0) return 'missing';
  return a.some((value) => b.includes(value)) ? 'exact' : 'differs';
}

function compareFamily(a: NormalisedDemographics, b: NormalisedDemographics): Level {
  if (a.familyWhole === '' || b.familyWhole === '') return 'missing';
  if (a.familyWhole === b.familyWhole) return 'exact';
  if (isSlip(a.familyWhole, b.familyWhole)) return 'fuzzy';
  return samePart(a.familyParts, b.familyParts) ? 'fuzzy' : 'differs';
}

function compareGiven(a: NormalisedDemographics, b: NormalisedDemographics): Level {
  const [x, y] = [a.givenWhole, b.givenWhole];
  if (x === '' || y === '' || x === UNNAMED_NEWBORN || y === UNNAMED_NEWBORN) return 'missing';
  if (x === y) return x.length === 1 ? 'missing' : 'exact';
  if (x.length === 1 || y.length === 1) return x[0] === y[0] ? 'missing' : 'differs';
  if (a.givenForms.some((form) => b.givenForms.includes(form))) return 'nickname';
  if (isSlip(x, y) && !(isKnownGivenName(x) && isKnownGivenName(y))) return 'fuzzy';
  return samePart(a.givenParts, b.givenParts) ? 'fuzzy' : 'differs';
}

/**
 * Double names compared both ways: SMITH-JONES with SMITH, with JONES, and with JONES-SMITH. Two ways to agree make the
 * u-value of a fuzzy agreement, twice that of an exact one.
 */
function samePart(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 1 && b.length > 1) return isPartOf(a[0] ?? '', b);
  if (b.length === 1 && a.length > 1) return isPartOf(b[0] ?? '', a);
  return (
    a.length > 1 && a.length === b.length && a.every((part) => b.includes(part)) && b.every((part) => a.includes(part))
  );
}

const isPartOf = (part: string, parts: readonly string[]): boolean => part.length >= 3 && parts.includes(part);

function compareBirthDate(a: string | null, b: string | null): Level {
  if (a === null || b === null) return 'missing';
  if (a === b) return 'exact';
  const swapped = `${a.slice(0, 4)}-${a.slice(8)}-${a.slice(5, 7)}`;
  return swapped === b || isOneEdit(a, b) ? 'fuzzy' : 'differs';
}

/** ZIP5 and all digits are exact, for 784 and 785 are neighbours; the words may be one edit apart, a unit absent. */
function compareStreet(a: NormalisedDemographics, b: NormalisedDemographics): Level {
  if (a.street === null || b.street === null || a.zip === null || b.zip === null) return 'missing';
  if (a.zip !== b.zip) return 'differs';
  if (a.unit !== null && b.unit !== null && a.unit !== b.unit) return 'differs';
  if (a.street === b.street) return a.unit === b.unit ? 'exact' : 'fuzzy';
  return digitsOf(a.street) === digitsOf(b.street) && isSlip(a.street, b.street) ? 'fuzzy' : 'differs';
}

/** The house number and any other digits of a street, in order. */
export const digitsOf = (street: string): string => street.replace(/\D/g, '');

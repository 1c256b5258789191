import { isOneEdit } from '#server/platform/text/edit-distance.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';
import { isKnownGivenName } from './nicknames.ts';

/**
 * How two values of a field compare. `missing`: at least one value is absent, or too short to tell (an initial). For a birth
 * date `fuzzy` means one digit off, or day and month swapped: no rule counts that as agreement, it only softens the veto.
 */
export type Level = 'exact' | 'fuzzy' | 'nickname' | 'differs' | 'missing';

// biome-ignore format: a list
export const FIELDS = [
  'family', 'given', 'birthDate', 'sex', 'suffix', 'street', 'zip', 'phone', 'email', 'ssnLast4', 'medicareId', 'memberId',
] as const;
export type Field = (typeof FIELDS)[number];
/** The level of each field; contains no values. `street` includes ZIP5. */
export type Comparison = Record<Field, Level>;

/** Whether two values of five characters or more differ by a typing error: one edit, or two neighbors swapped. */
export const isTypo = (a: string, b: string): boolean => a.length >= 5 && b.length >= 5 && isOneEdit(a, b);

/** Compares two people field by field. Symmetric. */
export function compare(a: NormalizedDemographics, b: NormalizedDemographics): Comparison {
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

function compareFamily(a: NormalizedDemographics, b: NormalizedDemographics): Level {
  if (a.familyWhole === '' || b.familyWhole === '') return 'missing';
  if (a.familyWhole === b.familyWhole) return 'exact';
  if (isTypo(a.familyWhole, b.familyWhole)) return 'fuzzy';
  return samePart(a.familyParts, b.familyParts) ? 'fuzzy' : 'differs';
}

function compareGiven(a: NormalizedDemographics, b: NormalizedDemographics): Level {
  const [x, y] = [a.givenWhole, b.givenWhole];
  if (x === '' || y === '' || x === UNNAMED_NEWBORN || y === UNNAMED_NEWBORN) return 'missing';
  if (x === y) return x.length === 1 ? 'missing' : 'exact';
  if (x.length === 1 || y.length === 1) return x[0] === y[0] ? 'missing' : 'differs';
  if (a.givenForms.some((form) => b.givenForms.includes(form))) return 'nickname';
  if (isTypo(x, y) && !(isKnownGivenName(x) && isKnownGivenName(y))) return 'fuzzy';
  return samePart(a.givenParts, b.givenParts) ? 'fuzzy' : 'differs';
}

/**
 * Whether double names share a part or have their parts swapped: SMITH-JONES agrees with SMITH, JONES and JONES-SMITH. With
 * two ways to agree, the u-value of a fuzzy agreement is twice that of an exact one.
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

/** ZIP5 and all digits must be equal, since 784 and 785 are neighbors. The words may have a typo, and the unit may be absent. */
function compareStreet(a: NormalizedDemographics, b: NormalizedDemographics): Level {
  if (a.street === null || b.street === null || a.zip === null || b.zip === null) return 'missing';
  if (a.zip !== b.zip) return 'differs';
  if (a.unit !== null && b.unit !== null && a.unit !== b.unit) return 'differs';
  if (a.street === b.street) return a.unit === b.unit ? 'exact' : 'fuzzy';
  return digitsOf(a.street) === digitsOf(b.street) && isTypo(a.street, b.street) ? 'fuzzy' : 'differs';
}

/** Returns the digits of a street, in order: the house number and any others. */
export const digitsOf = (street: string): string => street.replace(/\D/g, '');

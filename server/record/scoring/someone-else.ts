/** When a second candidate, however alike, is no reason to doubt the first one. */
import { type Comparison, FIELDS } from './comparison.ts';
import type { VetoId } from './vetoes.ts';

/** How the subject compares with a candidate. */
interface Compared {
  fields: Comparison;
  vetoes: readonly VetoId[];
}

/** Numbers that belong to one person, not to a family. */
export const PERSONAL_NUMBERS = ['ssnLast4', 'medicareId'] as const;

/** Whether what agrees exactly with the first candidate says that the second is someone else, or what a hospital that knew less sent. */
export const isSomeoneElse = (second: Compared, first: Compared): boolean =>
  isOtherByName(first, second) || isOtherByNumber(first, second) || isOtherByBirthDate(first, second);

/**
 * Whether both have the name, and the first also the number, of which the second has none and no home, phone or other date that the first lacks: the same
 * patient on a thinner list, or anybody. What that list leaves out says nothing against the first.
 */
export const knowsLess = (second: Compared, first: Compared): boolean =>
  first.fields.given === 'exact' &&
  second.fields.given === 'exact' &&
  PERSONAL_NUMBERS.some((number) => first.fields[number] === 'exact') &&
  PERSONAL_NUMBERS.every((number) => second.fields[number] === 'missing') &&
  FIELDS.every(
    (field) => SAYS_LITTLE.has(field) || second.fields[field] !== 'exact' || first.fields[field] === 'exact',
  );

/** Less than a number, wherever it agrees. */
const SAYS_LITTLE: ReadonlySet<keyof Comparison> = new Set(['middle', 'suffix', 'sex', 'city', 'unit']);

/** Whether the name agrees exactly with the first and is another than the second's: twins who are both listed. */
const isOtherByName = (first: Compared, second: Compared): boolean =>
  first.fields.given === 'exact' && second.vetoes.includes('given-name-differs');

/** Whether name and number agree exactly with the first, and the second has neither: a twin, or what a hospital that knew only the initial sent. */
const isOtherByNumber = (first: Compared, second: Compared): boolean =>
  first.fields.given === 'exact' &&
  second.fields.given !== 'exact' &&
  PERSONAL_NUMBERS.some((number) => first.fields[number] === 'exact' && second.fields[number] !== 'exact');

/**
 * Whether the birth date agrees exactly with the first and is another than the second's: a parent of the same name, or the same patient, registered
 * under a wrong date.
 */
const isOtherByBirthDate = (first: Compared, second: Compared): boolean =>
  first.fields.birthDate === 'exact' && second.vetoes.includes('birth-date-differs');

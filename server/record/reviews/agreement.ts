/** How a reviewer sees the levels of a comparison. Pure. */
import { type Agreement, REVIEW_FIELDS, type ReviewField } from '#contract/reviews.ts';

/** The matcher's levels by field; fields that it didn't compare are absent. */
export type Levels = Readonly<Record<string, string>>;
export type Agreements = Record<ReviewField, Agreement>;

const AGREEMENT_OF: Readonly<Record<string, Agreement>> = {
  exact: 'same',
  differs: 'different',
  // First names that two people have, such as Maria and Marie; birth dates as of parent and child.
  alike: 'different',
  generation: 'different',
  missing: 'unknown',
};

/** Returns the agreement of each field. A level between equal and different (a nickname, a typo) is 'similar'. */
export const agreementsOf = (levels: Levels): Agreements => byField((field) => agreementIn(levels, field));

/** The parts of a street address are compared each by itself; what agrees least counts. */
const STREET_PARTS = ['street', 'houseNumber', 'unit'];

function agreementIn(levels: Levels, field: ReviewField): Agreement {
  if (field !== 'street' || levels['street'] === 'missing') return agreementOf(levels[field]);
  const parts = STREET_PARTS.map((part) => agreementOf(levels[part]));
  return (['different', 'similar', 'same'] as const).find((agreement) => parts.includes(agreement)) ?? 'unknown';
}

/** Values as the records have them; null if not recorded. */
type Values = Readonly<Record<ReviewField, string | null>>;

/**
 * Returns the agreement of two records whose values are shown. Values that the matcher doesn't compare, such as a city or an initial, are
 * compared as they are read; member IDs are not, because two payers may use the same.
 */
export function agreementsOfRecords(levels: Levels, a: Values, b: Values): Agreements {
  return byField((field) => {
    const agreement = agreementIn(levels, field);
    return agreement === 'unknown' && field !== 'memberId' ? readAgreement(field, a[field], b[field]) : agreement;
  });
}

/** Compares what a reviewer reads, without case and punctuation. An initial is similar to its name. */
function readAgreement(field: ReviewField, a: string | null, b: string | null): Agreement {
  if (a === null || b === null) return 'unknown';
  // A record may have several phone numbers.
  const [one, other] = [a, b].map((text) => (field === 'phone' ? text.split(', ') : [text]).map(letters));
  if (one?.some((value) => other?.includes(value))) return 'same';
  const [x, y] = [letters(a), letters(b)];
  const isInitial = (x.length === 1 && y.startsWith(x)) || (y.length === 1 && x.startsWith(y));
  return isInitial ? 'similar' : 'different';
}

const letters = (text: string): string => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const agreementOf = (level: string | undefined): Agreement =>
  level === undefined ? 'unknown' : (AGREEMENT_OF[level] ?? 'similar');

const byField = (agreement: (field: ReviewField) => Agreement): Agreements =>
  Object.fromEntries(REVIEW_FIELDS.map((field) => [field, agreement(field)])) as Agreements;

const WEIGHT: Readonly<Record<Agreement, number>> = { same: 2, similar: 1, unknown: 0, different: -2 };

/** Returns how well two records agree, to choose the record of a person that is shown: more is better. */
export const weightOf = (agreements: Agreements): number =>
  Object.values(agreements).reduce((sum, agreement) => sum + WEIGHT[agreement], 0);

/** Whether street, house number and ZIP code agree, and no apartment differs. */
export const isSameAddress = (levels: Levels): boolean =>
  ['street', 'houseNumber', 'zip'].every((field) => levels[field] === 'exact') && levels['unit'] !== 'differs';

/** Whether both have the same full name, or one has a short form of the other's first name. */
const isSameName = ({ given, family }: Levels): boolean =>
  (given === 'exact' || given === 'nickname') && family === 'exact';

/** Whether both have the same name and live at one address, as a father and a son may. */
export const isNamesakeAtHome = (levels: Levels): boolean => isSameName(levels) && isSameAddress(levels);

/**
 * Whether nobody needs to compare the values: the same name and birth date, or one digit of it off at the same address, and nothing differs.
 * Twins have names that are almost the same, or share a part; namesakes have other addresses.
 */
export const isPlain = (levels: Levels): boolean =>
  isSameName(levels) &&
  (levels['birthDate'] === 'exact' || (levels['birthDate'] === 'typo' && isSameAddress(levels))) &&
  !Object.values(agreementsOf(levels)).includes('different');

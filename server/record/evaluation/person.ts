import type { MemberId } from '#server/record/scoring/demographics.ts';
import type { Culture, Sex } from './name-pools.ts';
import type { Address } from './places.ts';
import type { Random } from './random.ts';

/** An invented person, as they are. Records of them have errors and omissions. */
export interface Person {
  /** The family's number and the position in it, `12:3`. */
  id: string;
  family: string;
  given: string;
  middle: string | null;
  suffix: 'SR' | 'JR' | null;
  sex: Sex;
  /** YYYY-MM-DD */
  birthDate: string;
  home: Address;
  phones: readonly string[];
  email: string | null;
  ssnLast4: string;
  medicareId: string | null;
  memberId: MemberId | null;
  culture: Culture | null;
  /** The family name before a marriage, however long ago that was. */
  maidenName: string | null;
  /** What was true a short time ago, if it was different. */
  formerFamily: string | null;
  formerHome: Address | null;
  formerPhone: string | null;
  /** Positions in the family. */
  spouse: number | null;
  parents: readonly number[];
  /** Which of a multiple birth, or null. */
  birthOrder: 'A' | 'B' | null;
  isNewborn: boolean;
}

/** How two people are related. `namesake`: no relatives, but the same names; `junior`: parent and child of one given name. */
export const RELATIONS = ['twin', 'sibling', 'spouse', 'junior', 'parent', 'relative', 'namesake', 'stranger'] as const;
export type Relation = (typeof RELATIONS)[number];

/** Returns how two different people are related. */
export function relationOf(a: Person, b: Person): Relation {
  const [familyOf, positionOf] = [(id: string) => id.split(':')[0], (id: string) => Number(id.split(':')[1])];
  if (familyOf(a.id) !== familyOf(b.id)) {
    return a.given === b.given && a.family === b.family ? 'namesake' : 'stranger';
  }
  if (a.spouse === positionOf(b.id)) return 'spouse';
  if (a.parents.includes(positionOf(b.id)) || b.parents.includes(positionOf(a.id))) {
    return a.given === b.given ? 'junior' : 'parent';
  }
  const areSiblings = a.parents.length > 0 && a.parents.join() === b.parents.join();
  if (!areSiblings) return a.given === b.given ? 'junior' : 'relative';
  return a.birthOrder !== null && a.birthDate === b.birthDate ? 'twin' : 'sibling';
}

/** The day on which the worlds are looked at. */
const TODAY = '2026-01-01';
const THIS_YEAR = 2026;

export const ageOf = (birthDate: string): number => THIS_YEAR - Number(birthDate.slice(0, 4));

/** Returns a date in the year, or January 1 for those who do not know their birthday. */
export function drawBirthDate(random: Random, year: number, culture: Culture | null): string {
  const isUnknown = year < THIS_YEAR - 12 && random.chance(culture?.unknownBirthdays ?? 0);
  return isUnknown ? `${year}-01-01` : isoDate(Date.UTC(year, 0, 1) + 86_400_000 * random.below(365));
}

/** Returns a day in the last weeks before TODAY. */
export const drawRecentDate = (random: Random): string =>
  isoDate(Date.parse(TODAY) - 86_400_000 * random.between(1, 28));

const isoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

const LETTERS = 'ACDEFGHJKMNPQRTUVWXY';

/** Returns an invented number in the form of a Medicare beneficiary identifier. */
export function drawMedicareId(random: Random): string {
  const letter = (): string => LETTERS[random.below(LETTERS.length)] as string;
  const digit = (): string => String(random.below(10));
  return `${random.between(1, 9)}${letter()}${digit()}${digit()}${letter()}${digit()}${digit()}${letter()}${letter()}${digit()}${digit()}`;
}

const PAYERS = ['HARBOR HEALTH', 'PRAIRIE PLAN', 'NORTHSTAR', 'UNITY CARE', 'STATE MEDICAID'];

export const drawMemberId = (random: Random): MemberId => ({
  value: `W${random.digits(9)}`,
  payer: random.pickRanked(PAYERS),
});

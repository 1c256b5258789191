/** How a reviewer sees the levels of a comparison. Pure. */
import { type Agreement, REVIEW_FIELDS, type ReviewField } from '#contract/reviews.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';

/** The matcher's levels by field; fields that it didn't compare are absent. */
export type Levels = Readonly<Record<string, string>>;
export type Agreements = Record<ReviewField, Agreement>;

const AGREEMENT_OF: Readonly<Record<string, Agreement>> = { exact: 'same', differs: 'different', missing: 'unknown' };

/** Returns the agreement of each field. A level between equal and different (a nickname, a typo) is 'similar'. */
export const agreementsOf = (levels: Levels): Agreements => byField((field) => agreementOf(levels[field]));

/** Returns the agreement of two records whose values are shown: also of fields that the matcher doesn't compare. */
export function agreementsOfRecords(levels: Levels, a: NormalizedDemographics, b: NormalizedDemographics): Agreements {
  return byField((field) => {
    if (levels[field] !== undefined || (field !== 'middle' && field !== 'city')) return agreementOf(levels[field]);
    if (a[field] === null || b[field] === null) return 'unknown';
    return a[field] === b[field] ? 'same' : 'different';
  });
}

const agreementOf = (level: string | undefined): Agreement =>
  level === undefined ? 'unknown' : (AGREEMENT_OF[level] ?? 'similar');

const byField = (agreement: (field: ReviewField) => Agreement): Agreements =>
  Object.fromEntries(REVIEW_FIELDS.map((field) => [field, agreement(field)])) as Agreements;

const WEIGHT: Readonly<Record<Agreement, number>> = { same: 2, similar: 1, unknown: 0, different: -2 };

/** Returns how well two records agree, to choose the record of a person that is shown: more is better. */
export const weightOf = (agreements: Agreements): number =>
  Object.values(agreements).reduce((sum, agreement) => sum + WEIGHT[agreement], 0);

/** What distinguishes one person from another in a household: if one of these differs, the match is not clear. */
const PERSONAL: readonly ReviewField[] = ['family', 'given', 'suffix', 'birthDate', 'sex', 'ssnLast4', 'medicareId'];

export const differsInPerson = (agreements: Agreements): boolean =>
  PERSONAL.some((field) => agreements[field] === 'different');

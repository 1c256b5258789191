import type { Evidence } from '#server/record/scoring/decide.ts';
import { likelihoodOf } from '#server/record/scoring/likelihood.ts';

export interface Score {
  /** How much more likely one person is than two: the logarithm to base 2 of the likelihood ratio. */
  bits: number;
  /** How many people other than the subject are expected to score as high. */
  expectedFalse: number;
}

/** The smallest number of people for which false links are expected: a small roster still meets a whole city's hospital. */
const LEAST_PEOPLE = 100_000;

/** Returns the score of a candidate. The only place of the evaluation that knows how evidence holds it. */
export const scoreOf = (evidence: Evidence, people: number): Score => ({
  bits: likelihoodOf(evidence),
  expectedFalse: evidence.probability * Math.max(people, LEAST_PEOPLE),
});

import type { Evidence } from '#server/record/scoring/decide.ts';

export interface Score {
  /** How much more likely one person is than two: the logarithm to base 2 of the likelihood ratio. */
  bits: number;
  /** How many people other than the subject are expected to score as high. */
  expectedFalse: number;
}

/** Returns the score of a candidate. The only place of the evaluation that knows how evidence holds it. */
export const scoreOf = ({ bits, expectedFalse }: Evidence): Score => ({ bits, expectedFalse });

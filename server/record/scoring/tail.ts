/** A level that two strangers' field may have: what it adds to the score, and how often it occurs. */
export interface Outcome {
  bits: number;
  probability: number;
}

/** Scores are rounded to this many parts of a bit. */
const STEPS = 8;

/**
 * Returns how often two strangers score at least so many bits: the sum over all combinations of outcomes of independent fields, field by
 * field. Takes about 100,000 multiplications.
 */
export function tailOf(fields: readonly (readonly Outcome[])[], bits: number): number {
  let [lowest, shares] = [0, new Float64Array([1])];
  for (const outcomes of fields) {
    const steps = outcomes.map((outcome) => Math.round(outcome.bits * STEPS));
    const [least, most] = [Math.min(...steps), Math.max(...steps)];
    const next = new Float64Array(shares.length + most - least);
    for (const [index, { probability }] of outcomes.entries()) {
      const shift = (steps[index] as number) - least;
      for (let at = 0; at < shares.length; at++)
        next[at + shift] = (next[at + shift] as number) + (shares[at] as number) * probability;
    }
    [lowest, shares] = [lowest + least, next];
  }
  const from = Math.max(0, Math.floor(bits * STEPS) - lowest);
  return shares.subarray(from).reduce((sum, share) => sum + share, 0);
}

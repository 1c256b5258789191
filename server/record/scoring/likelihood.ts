/** How evidence ranks matches to review. */
import type { Evidence } from './decide.ts';
import { CLEAR_LEAD } from './parameters.ts';

/** Returns how likely it is that both are one person, in bits: the higher, the more likely. 0 if something speaks against it. */
export const likelihoodOf = ({ bits, vetoes }: Evidence): number => (vetoes.length > 0 ? 0 : Math.max(0, bits ?? 0));

/** Whether the first candidate is far ahead of all others. `candidates` are in order, most likely first. */
export function isFarAhead(candidates: readonly { evidence: Evidence }[]): boolean {
  const [first, ...others] = candidates.map(({ evidence }) => likelihoodOf(evidence));
  return first !== undefined && others.every((other) => first - other >= CLEAR_LEAD) && first >= CLEAR_LEAD;
}

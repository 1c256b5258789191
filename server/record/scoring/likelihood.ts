/** How evidence ranks matches to review. */
import type { Evidence } from './decide.ts';

/** Returns how likely it is that both are one person, in bits: the higher, the more likely. 0 if something speaks against it. */
export const likelihoodOf = ({ bits, vetoes }: Evidence): number => (vetoes.length > 0 ? 0 : Math.max(0, bits ?? 0));

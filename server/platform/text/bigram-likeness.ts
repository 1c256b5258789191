/** Longer texts are not read to their end. */
const LONGEST = 80;
/** A text is compared with many others in a row, so its pairs are kept for a while. */
const MOST_KEPT = 5000;
const kept = new Map<string, Uint32Array>();

/**
 * Returns how many pairs of neighboring characters two texts have in common, from 0 to 1: the Sørensen–Dice coefficient of their bigrams,
 * each counted as often as it occurs. Takes a time proportional to the lengths.
 */
export function bigramLikeness(a: string, b: string): number {
  const [x, y] = [bigramsOf(a), bigramsOf(b)];
  if (x.length === 0 || y.length === 0) return a === b ? 1 : 0;
  let common = 0;
  for (let i = 0, j = 0; i < x.length && j < y.length; ) {
    const order = (x[i] as number) - (y[j] as number);
    if (order === 0) common++;
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return (2 * common) / (x.length + y.length);
}

/** Returns the pairs as sorted numbers. */
function bigramsOf(text: string): Uint32Array {
  const before = kept.get(text);
  if (before !== undefined) return before;
  const pairs = Math.max(Math.min(text.length, LONGEST) - 1, 0);
  const bigrams = Uint32Array.from(
    { length: pairs },
    (_, at) => text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1),
  );
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(text, bigrams.sort());
  return bigrams;
}

/** Letters that are looked at from both ends of a name, and the shortest and the longest name for which they are. */
const ENDS = [
  [1, 1, 4],
  [2, 3, 6],
  [3, 6, Number.POSITIVE_INFINITY],
] as const;

/**
 * Returns how a name and its other forms are written, and how the name begins and ends. A single typo leaves the beginning or the end as it
 * is; names that differ by a letter in length have ends of one length in common. A name that is missing is a name of its own.
 */
export function roughly(whole: string, others: readonly string[]): string[] {
  if (whole === '') return ['-'];
  const names = [whole, ...others.filter((name) => name.length >= 3)].map((name) => `=${name}`);
  const ends = ENDS.filter(([, least, most]) => whole.length >= least && whole.length <= most).flatMap(([letters]) => [
    `^${whole.slice(0, letters)}`,
    `${whole.slice(-letters)}$`,
  ]);
  return [...new Set([...names, ...ends])];
}

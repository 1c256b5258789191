/**
 * Whether exactly one insertion, deletion, replacement, or swap of neighboring characters turns `a` into `b`. False for equal
 * strings. Runs in linear time, because matching calls it for every pair.
 */
export function isOneEdit(a: string, b: string): boolean {
  if (a.length > b.length) return isOneEdit(b, a);
  if (b.length - a.length > 1 || a === b) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  if (a.length < b.length) return a.slice(start) === b.slice(start + 1);
  if (a.slice(start + 1) === b.slice(start + 1)) return true;
  return a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2);
}

/** Whether one digit is another one, or two neighbors are swapped, in different numbers of equally many digits. */
export function isOneDigitOff(a: number, b: number): boolean {
  let [restOfA, restOfB] = [a, b];
  while (restOfA % 10 === restOfB % 10) [restOfA, restOfB] = [Math.trunc(restOfA / 10), Math.trunc(restOfB / 10)];
  const [tens, others] = [Math.trunc(restOfA / 10), Math.trunc(restOfB / 10)];
  if (tens === others) return true;
  const isSwapped = restOfA % 10 === others % 10 && restOfB % 10 === tens % 10;
  return isSwapped && Math.trunc(tens / 10) === Math.trunc(others / 10);
}

/** Returns the fewest insertions, deletions, replacements and swaps of neighbors from `a` to `b` (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  let [beforeLast, last, row] = [new Int32Array(width), new Int32Array(width).map((_, j) => j), new Int32Array(width)];
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    row[0] = i;
    for (let j = 1; j < width; j++) {
      const other = b.charCodeAt(j - 1);
      const replaced = (last[j - 1] as number) + (letter === other ? 0 : 1);
      let best = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, replaced);
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other)
        best = Math.min(best, (beforeLast[j - 2] as number) + 1);
      row[j] = best;
    }
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length] as number;
}

/** Returns the edit distance if it is at most `most`, else null. Quick for texts that differ much, as nearly all do. */
export function editsUpTo(a: string, b: string, most: number): number | null {
  if (Math.abs(a.length - b.length) > most || unlikeness(lettersIn(a) ^ lettersIn(b)) > 2 * most) return null;
  const distance = editDistance(a, b);
  return distance <= most ? distance : null;
}

/** Returns one bit for each letter that occurs. An edit changes two of them at most. */
export function lettersIn(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}

/** Returns how many bits are set: of the difference of two sets of letters, how many letters only one of them has. */
export function unlikeness(letters: number): number {
  let count = 0;
  for (let rest = letters; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** From this many letters on, a word forgives one typo. */
export const FORGIVING = 4;

/**
 * Returns whether the query is at most one typo away from a prefix of the word: a letter inserted, missing or replaced, or two neighboring
 * letters swapped. Both are code points, of which the first `length` count.
 */
export function beginsWithinOneTypo(
  query: Int32Array,
  queryLength: number,
  word: Int32Array,
  wordLength: number,
): boolean {
  let same = 0;
  while (same < queryLength && same < wordLength && query[same] === word[same]) same += 1;
  // If all letters match, or all but the last, the query is a prefix give or take one letter.
  if (same >= queryLength - 1) return true;
  const rest = (queryFrom: number, wordFrom: number): boolean => {
    if (queryLength - queryFrom > wordLength - wordFrom) return false;
    for (let at = 0; queryFrom + at < queryLength; at += 1)
      if (query[queryFrom + at] !== word[wordFrom + at]) return false;
    return true;
  };
  return (
    rest(same + 1, same + 1) ||
    rest(same + 1, same) ||
    rest(same, same + 1) ||
    (query[same] === word[same + 1] && query[same + 1] === word[same] && rest(same + 2, same + 2))
  );
}

/** Decodes UTF-8 into code points and returns how many. `target` needs room for one per byte. */
export function codePoints(target: Int32Array, bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; ) {
    const first = bytes[at++] as number;
    if (first < 0x80) {
      target[count++] = first;
      continue;
    }
    let point = first & (first < 0xe0 ? 0x1f : first < 0xf0 ? 0x0f : 0x07);
    for (let more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3; more > 0; more -= 1)
      point = (point << 6) | ((bytes[at++] as number) & 0x3f);
    target[count++] = point;
  }
  return count;
}

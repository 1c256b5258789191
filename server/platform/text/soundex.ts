// biome-ignore format: a table
const DIGITS: Readonly<Record<string, string>> = {
  B: '1', F: '1', P: '1', V: '1', C: '2', G: '2', J: '2', K: '2', Q: '2', S: '2', X: '2', Z: '2', D: '3', T: '3', L: '4', M: '5', N: '5', R: '6',
};

/** Returns the American Soundex code of a name in capitals: a letter and three digits (National Archives, "The Soundex Indexing System"). */
export function soundex(name: string): string {
  const first = name.charAt(0);
  let code = first;
  let last = DIGITS[first] ?? '';
  for (const letter of name.slice(1)) {
    const digit = DIGITS[letter] ?? '';
    if (digit !== '' && digit !== last) code += digit;
    if (code.length === 4) break;
    // H and W don't separate letters of one sound; vowels do.
    if (letter !== 'H' && letter !== 'W') last = digit;
  }
  return code.padEnd(4, '0');
}

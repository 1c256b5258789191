import { foldAccents } from './fold-accents.ts';

const SOUNDEX_DIGITS: Record<string, string> = Object.fromEntries(
  ['BFPV', 'CGJKQSXZ', 'DT', 'L', 'MN', 'R'].flatMap((letters, index) =>
    [...letters].map((letter) => [letter, String(index + 1)]),
  ),
);

/** Returns the letters of a name in capitals without accents: "O'Brién" → 'OBRIEN'. */
export const lettersOf = (name: string): string => foldAccents(name).replace(/[^\p{L}]/gu, '');

/** Returns the American Soundex code as the National Archives define it ('R163'), or '' if the name has no letter A to Z. */
export function soundex(name: string): string {
  const letters = lettersOf(name).replace(/[^A-Z]/g, '');
  if (letters === '') return '';
  let code = letters.slice(0, 1);
  let previous = SOUNDEX_DIGITS[code];
  for (const letter of letters.slice(1)) {
    const digit = SOUNDEX_DIGITS[letter];
    if (digit !== undefined && digit !== previous) code += digit;
    // H and W do not separate two letters with the same code; vowels do.
    if (letter !== 'H' && letter !== 'W') previous = digit;
  }
  return code.slice(0, 4).padEnd(4, '0');
}

/** Returns a code that family names share if they sound alike: the Soundex code, or the letters of a name in another script. */
export const familySound = (family: string): string => soundex(family) || lettersOf(family);

/** Whether two family names are the same or sound alike. */
export const sameSoundexFamily = (a: string, b: string): boolean => {
  const sound = familySound(a);
  return sound !== '' && sound === familySound(b);
};

/** Returns in how many of year, month and day two birth dates (YYYY-MM-DD) differ: 3 if either is unknown. */
export function differingParts(a: string | null, b: string | null): number {
  if (a === null || b === null) return 3;
  const parts = b.split('-');
  return a.split('-').filter((part, index) => part !== parts[index]).length;
}

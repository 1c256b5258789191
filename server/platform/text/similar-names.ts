import { editDistance } from './edit-distance.ts';
import { foldAccents } from './fold-accents.ts';

/** What a list or a patient banner shows of a person, as it is shown. `birthDate` is YYYY-MM-DD. */
export interface NamedPerson {
  family: string;
  given: string;
  birthDate: string | null;
}

const SOUNDEX_DIGITS: Record<string, string> = Object.fromEntries(
  ['BFPV', 'CGJKQSXZ', 'DT', 'L', 'MN', 'R'].flatMap((letters, index) =>
    [...letters].map((letter) => [letter, String(index + 1)]),
  ),
);

const lettersOf = (name: string): string => foldAccents(name).replace(/[^\p{L}]/gu, '');

/** American Soundex as the National Archives describe it ('R163'); '' where the name has no letter A to Z. */
export function soundex(name: string): string {
  const letters = lettersOf(name).replace(/[^A-Z]/g, '');
  if (letters === '') return '';
  let code = letters.slice(0, 1);
  let previous = SOUNDEX_DIGITS[code];
  for (const letter of letters.slice(1)) {
    const digit = SOUNDEX_DIGITS[letter];
    if (digit !== undefined && digit !== previous) code += digit;
    // H and W do not part two letters of one sound, vowels do.
    if (letter !== 'H' && letter !== 'W') previous = digit;
  }
  return code.slice(0, 4).padEnd(4, '0');
}

/** The same for family names that sound alike: their soundex; of a name in another script its letters, '' without any. */
export const familySound = (family: string): string => soundex(family) || lettersOf(family);

/** The same family name, or one that sounds alike. */
export const sameSoundexFamily = (a: string, b: string): boolean => {
  const sound = familySound(a);
  return sound !== '' && sound === familySound(b);
};

/**
 * Two people whom one may take for each other, so that both get a caution badge: family names that are the same or
 * sound alike, and given names within two edits or birth dates that differ in at most one of year, month and day. It
 * never decides a link.
 */
export function areSimilarNames(a: NamedPerson, b: NamedPerson): boolean {
  if (!sameSoundexFamily(a.family, b.family)) return false;
  const [x, y] = [lettersOf(a.given), lettersOf(b.given)];
  if (x !== '' && y !== '' && editDistance(x, y) <= 2) return true;
  return differingParts(a.birthDate, b.birthDate) <= 1;
}

/** In how many of year, month and day two birth dates (YYYY-MM-DD) differ; in all of them where one is not known. */
export function differingParts(a: string | null, b: string | null): number {
  if (a === null || b === null) return 3;
  const parts = b.split('-');
  return a.split('-').filter((part, index) => part !== parts[index]).length;
}

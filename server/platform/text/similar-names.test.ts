import { expect, test } from 'vitest';
import { familySound, sameSoundexFamily, soundex } from './similar-names.ts';

test.each([
  ['Robert', 'R163'],
  ['Rupert', 'R163'],
  ['Ashcraft', 'A261'],
  ['Tymczak', 'T522'],
  ['Pfister', 'P236'],
  ['Honeyman', 'H555'],
  ['Lee', 'L000'],
  ["O'Hára", 'O600'],
  ['', ''],
])('The soundex of %s is %s', (name, code) => {
  expect(soundex(name)).toBe(code);
});

test('A family name without Latin letters sounds like itself only', () => {
  expect(familySound('Smyth')).toBe(familySound('SCHMIDT'));
  expect(familySound('山田')).toBe('山田');
  expect(familySound(' - ')).toBe('');
});

test('Family names sound alike, or do not', () => {
  expect(sameSoundexFamily('Smith', 'Smyth')).toBe(true);
  expect(sameSoundexFamily('Smith', 'Okafor')).toBe(false);
  expect(sameSoundexFamily('', '')).toBe(false);
  expect(sameSoundexFamily('山田', '山田')).toBe(true);
  expect(sameSoundexFamily('山田', '佐藤')).toBe(false);
});

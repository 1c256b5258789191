import { expect, test } from 'vitest';
import { areSimilarNames, familySound, sameSoundexFamily, soundex } from './similar-names.ts';

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

test.each([
  ['given names two edits apart', { family: 'Smyth', given: 'Joanne', birthDate: '1990-01-01' }, true],
  ['a birth date on a different day', { family: 'Smith', given: 'Wilhelm', birthDate: '1948-03-18' }, true],
  ['the same birth date', { family: 'Smith', given: 'Wilhelm', birthDate: '1948-03-17' }, true],
  ['a different name and birth date', { family: 'Smith', given: 'Wilhelm', birthDate: '1948-04-18' }, false],
  ['no birth date and a different name', { family: 'Smith', given: 'Wilhelm', birthDate: null }, false],
  ['a different family name', { family: 'Okafor', given: 'Joanna', birthDate: '1948-03-17' }, false],
])('Joanna Smith and someone with %s', (_, other, similar) => {
  const joanna = { family: 'Smith', given: 'Joanna', birthDate: '1948-03-17' };
  expect(areSimilarNames(joanna, other)).toBe(similar);
  expect(areSimilarNames(other, joanna)).toBe(similar);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, isOneEdit } from '#server/platform/text/edit-distance.ts';
import { closePeople, person, sparse } from '#server/testing/invented-people.ts';
import { compare, isTypo } from './comparison.ts';
import { normalize } from './demographics.ts';

test.each([
  ['Margaret', 'MARGARET', 'exact'],
  ['Margaret', 'Peggy', 'nickname'],
  ['Bill', 'Will', 'nickname'],
  ['Patrick', 'Patricia', 'differs'],
  ['Margaret', 'Margarte', 'fuzzy'],
  ['Margaret', 'Marget', 'differs'],
  ['Maria', 'Mariah', 'differs'],
  ['Daniel', 'Daniela', 'differs'],
  ['Noel', 'Noelx', 'differs'],
  ['Mary', 'Mary Ann', 'fuzzy'],
  ['Mary Ann', 'Maryann', 'exact'],
  ['Mary Ann', 'Mary Sue', 'differs'],
  ['M', 'Margaret', 'missing'],
  ['M', 'M', 'missing'],
  ['J', 'Margaret', 'differs'],
  ['Baby Girl', 'Baby Girl', 'missing'],
  [null, 'Margaret', 'missing'],
])('The given names %s and %s: %s', (a, b, level) => {
  expect(compare(sparse({ given: a }), sparse({ given: b })).given).toBe(level);
});

test.each([
  ['Okafor', 'OKAFOR', 'exact'],
  ['Okafor-Reyes', 'Okafor Reyes', 'exact'],
  ['Okafor-Reyes', 'Reyes', 'fuzzy'],
  ['Okafor-Reyes', 'Reyes-Okafor', 'fuzzy'],
  ['Okafor-Reyes', 'Okafor-Lim', 'differs'],
  ['van der Berg', 'Vanderberg', 'exact'],
  ['Lim', 'Lin', 'differs'],
  ['Hansen', 'Hanson', 'fuzzy'],
  ['Thompson', 'Thomson', 'fuzzy'],
  ['Smyth', 'Smith', 'fuzzy'],
  ['Mayer', 'Meier', 'differs'],
])('The family names %s and %s: %s', (a, b, level) => {
  expect(compare(sparse({ family: a }), sparse({ family: b })).family).toBe(level);
});

test.each([
  ['784 Stamm St', '784 Stamm Street', 'exact'],
  ['784 Stamm St', '784 Stamn St', 'fuzzy'],
  ['784 Stamm St', '785 Stamm St', 'differs'],
  ['784 Stamm St Apt 4', '784 Stamm St', 'fuzzy'],
  ['784 Stamm St Apt 4', '784 Stamm St Unit 4', 'exact'],
  ['784 Stamm St Apt 4', '784 Stamm St Apt 5', 'differs'],
])('In the same ZIP, the streets %s and %s: %s', (a, b, level) => {
  expect(compare(person({ line1: a }), person({ line1: b })).street).toBe(level);
});

test('The same street differs in another ZIP, and is not compared without a ZIP', () => {
  expect(compare(person(), person({ zip: '02156' })).street).toBe('differs');
  expect(compare(person(), person({ zip: null })).street).toBe('missing');
});

test('A birth date that is one digit off, or has day and month swapped, is fuzzy and never exact', () => {
  const at = (a: string, b: string): string => compare(sparse({ birthDate: a }), sparse({ birthDate: b })).birthDate;
  expect(at('1948-03-07', '1948-07-03')).toBe('fuzzy');
  expect(at('1948-03-07', '1949-03-07')).toBe('fuzzy');
  expect(at('1948-03-07', '1975-03-07')).toBe('differs');
});

test('Comparing is symmetric', () => {
  fc.assert(
    fc.property(closePeople, closePeople, (a, b) => {
      expect(compare(normalize(a), normalize(b))).toEqual(compare(normalize(b), normalize(a)));
    }),
    { numRuns: 3000 },
  );
});

/** Returns every string that is one edit or swap away, by brute force. */
function oneEditAway(word: string, alphabet: string): Set<string> {
  const found = new Set<string>();
  for (let i = 0; i <= word.length; i++) {
    const [head, tail] = [word.slice(0, i), word.slice(i)];
    for (const letter of alphabet) {
      found.add(head + letter + tail);
      if (tail !== '') found.add(head + letter + tail.slice(1));
    }
    if (tail !== '') found.add(head + tail.slice(1));
    if (tail.length > 1) found.add(`${head}${tail[1]}${tail[0]}${tail.slice(2)}`);
  }
  found.delete(word);
  return found;
}

test('A typo is a string that brute force finds one edit away, of five characters or more', () => {
  const word = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), minLength: 3, maxLength: 7 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const naive = oneEditAway(a, 'ABC').has(b);
      expect(isOneEdit(a, b)).toBe(naive);
      expect(editDistance(a, b) === 1).toBe(naive);
      expect(isTypo(a, b)).toBe(naive && a.length >= 5 && b.length >= 5);
    }),
    { numRuns: 5000 },
  );
  for (const near of oneEditAway('ABCAB', 'ABC')) expect(isOneEdit('ABCAB', near)).toBe(true);
});

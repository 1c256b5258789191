import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, editsUpTo, isOneEdit } from '#server/platform/text/edit-distance.ts';
import { closePeople, sparse } from '#server/testing/invented-people.ts';
import { type Comparison, compare } from './comparison.ts';
import { normalize } from './demographics.ts';

test.each([
  ['Margaret', 'MARGARET', 'exact'],
  ['Margaret', 'Peggy', 'nickname'],
  ['Bob', 'Robert', 'nickname'],
  ['Walt', 'Walter', 'nickname'],
  ['Jon', 'John', 'alike'],
  ['Patrick', 'Patricia', 'alike'],
  ['Maria', 'Marie', 'alike'],
  ['Jaylen', 'Jaylan', 'alike'],
  ['Daniel', 'Daniela', 'alike'],
  ['Margaret', 'Margarte', 'typo'],
  ['Margaret', 'Margreat', 'similar'],
  ['Noel', 'Noelx', 'typo'],
  ['Mary', 'Mary Ann', 'part'],
  ['Mary Ann', 'Maryann', 'exact'],
  ['Mary Ann', 'Mary Sue', 'part'],
  ['M', 'Margaret', 'initial'],
  ['M', 'M', 'initial'],
  ['J', 'Margaret', 'differs'],
  ['Ruth', 'Margaret', 'differs'],
  ['Baby Girl', 'Baby Girl', 'missing'],
  [null, 'Margaret', 'missing'],
])('The given names %s and %s: %s', (a, b, level) => {
  expect(compare(sparse({ given: a }), sparse({ given: b })).given).toBe(level);
});

test.each([
  ['Okafor', 'OKAFOR', 'exact'],
  ['Okafor-Reyes', 'Okafor Reyes', 'exact'],
  ['Okafor-Reyes', 'Reyes', 'part'],
  ['Okafor-Reyes', 'Reyes-Okafor', 'part'],
  ['Okafor-Reyes', 'Okafor-Lim', 'part'],
  ['van der Berg', 'Vanderberg', 'exact'],
  ['Lim', 'Lin', 'typo'],
  ['Li', 'Lu', 'differs'],
  ['Hansen', 'Hanson', 'typo'],
  ['Smyth', 'Smith', 'typo'],
  ['Mayer', 'Meier', 'similar'],
  ['Lindqvist', 'Lindkwits', 'similar'],
  ['Lindqvist', 'Okafor', 'differs'],
])('The family names %s and %s: %s', (a, b, level) => {
  expect(compare(sparse({ family: a }), sparse({ family: b })).family).toBe(level);
});

test.each<[string, string[], string, string[], string]>([
  ['Okafor', ['Lindqvist'], 'Lindqvist', [], 'former'],
  ['Okafor', ['LINDQVIST'], 'Reyes', ['Lindqvist'], 'former'],
  ['Okafor', ['van der Berg'], 'Vanderberg', [], 'former'],
  ['Lindqvist-Okafor', ['Lindqvist'], 'Lindqvist', [], 'former'],
  ['Okafor', ['Okafor'], 'Reyes', ['Okafor'], 'former'],
  ['Okafor', ['Lindqvist'], 'Okafor', [], 'exact'],
  ['Okafor', ['Lindqvist'], 'Okafer', ['Lindqvist'], 'typo'],
  ['Okafor', ['Lindqvist'], 'Reyes', [], 'differs'],
  ['Okafor', ['Unknown', 'Doe'], 'Reyes', ['Unknown', 'Doe'], 'differs'],
  ['Unknown', ['Lindqvist'], 'Lindqvist', [], 'missing'],
])('The family names %s (formerly %j) and %s (formerly %j): %s', (a, formerA, b, formerB, level) => {
  const [x, y] = [sparse({ family: a, formerFamilies: formerA }), sparse({ family: b, formerFamilies: formerB })];
  expect(compare(x, y).family).toBe(level);
});

test('Names in each other’s place are swapped, also with a typo', () => {
  const levels = compare(
    sparse({ given: 'Margaret', family: 'Okafor' }),
    sparse({ given: 'Okafer', family: 'Margaret' }),
  );
  expect(levels).toMatchObject({ given: 'swapped', family: 'swapped' });
});

test.each<[string, string, Partial<Comparison>]>([
  ['784 Stamm St', '784 N Stamm Street', { street: 'exact', houseNumber: 'exact' }],
  ['784 Stamm St', '784 Stamn St', { street: 'typo', houseNumber: 'exact' }],
  ['784 Stamm St', '785 Stamm St', { street: 'exact', houseNumber: 'typo' }],
  ['784 Stamm St', '12 Stamm St', { street: 'exact', houseNumber: 'differs' }],
  ['784 Stamm St', '784 Quay Rd', { street: 'differs', houseNumber: 'exact' }],
  ['784 Stammlock Avenue Oak Park', '784 Oak Park Stammlockavenue', { street: 'similar', houseNumber: 'exact' }],
  ['784 Stamm St Apt 4', '784 Stamm St', { street: 'exact', unit: 'missing' }],
  ['784 Stamm St Apt 4', '784 Stamm St Unit 4', { street: 'exact', unit: 'exact' }],
  ['784 Stamm St Apt 4', '784 Stamm St Apt 5', { street: 'exact', unit: 'differs' }],
  ['Stamm St', '784 Stamm St', { street: 'exact', houseNumber: 'missing' }],
  ['Homeless', 'Homeless', { street: 'missing', houseNumber: 'missing' }],
])('The addresses %s and %s: %o', (a, b, levels) => {
  expect(compare(sparse({ line1: a }), sparse({ line1: b }))).toMatchObject(levels);
});

test.each([
  ['1948-03-07', '1948-03-07', 'exact'],
  ['1948-03-07', '1948-07-03', 'swapped'],
  ['1948-03-07', '1949-03-07', 'typo'],
  ['1948-03-17', '1948-03-29', 'part'],
  ['1948-03-17', '1951-09-17', 'differs'],
  ['1948-03-17', '1975-03-17', 'generation'],
  ['1948-03-17', null, 'missing'],
])('The birth dates %s and %s: %s', (a, b, level) => {
  expect(compare(sparse({ birthDate: a }), sparse({ birthDate: b })).birthDate).toBe(level);
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

test('One edit away is what brute force finds', () => {
  const word = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), minLength: 3, maxLength: 7 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const naive = oneEditAway(a, 'ABC').has(b);
      expect(isOneEdit(a, b)).toBe(naive);
      expect(editDistance(a, b) === 1).toBe(naive);
      for (const most of [1, 2, 3]) expect(editsUpTo(a, b, most) !== null).toBe(editDistance(a, b) <= most);
    }),
    { numRuns: 5000 },
  );
  for (const near of oneEditAway('ABCAB', 'ABC')) expect(isOneEdit('ABCAB', near)).toBe(true);
});

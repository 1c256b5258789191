import { expect, test } from 'vitest';
import { familyNameTable, givenNameTable } from '#server/platform/name-frequencies/name-tables.ts';
import { familySound } from '#server/platform/text/similar-names.ts';
import { Random, Weighted } from '#server/record/evaluation/random.ts';
import { areSimilarNames, type NamedPerson } from './similar-names.ts';

const joanna = { family: 'Smith', given: 'Joanna', birthDate: '1948-03-17' };

test.each<[string, Partial<NamedPerson>, boolean]>([
  [
    'a given name one edit apart, born half a year later',
    { family: 'Smyth', given: 'Joanne', birthDate: '1948-09-30' },
    true,
  ],
  ['the same name and a typing error in the year', { birthDate: '1984-03-17' }, true],
  ['the same name and day and month swapped apart by more than a year', { birthDate: '1950-12-05' }, false],
  ['the same name, born 38 years later', { birthDate: '1986-04-18' }, false],
  ['a given name two edits apart', { given: 'Johana', birthDate: '1948-03-20' }, false],
  ['the same name and no birth date', { birthDate: null }, true],
  ['another name and the same birth date: a twin', { given: 'Wilhelm' }, true],
  [
    'another name, a family name that sounds alike, and the same birth date',
    { family: 'Schmidt', given: 'Wilhelm' },
    false,
  ],
  ['another family name', { family: 'Okafor' }, false],
])('Joanna Smith and someone with %s', (_, other, similar) => {
  expect(areSimilarNames(joanna, { ...joanna, ...other })).toBe(similar);
  expect(areSimilarNames({ ...joanna, ...other }, joanna)).toBe(similar);
});

test('Peggy and Margaret, and two spellings of one name, are similar', () => {
  const at = { family: 'Ostby', birthDate: '1950-02-03' };
  expect(areSimilarNames({ ...at, given: 'Peggy' }, { ...at, given: 'Margaret', birthDate: '1950-05-03' })).toBe(true);
  expect(areSimilarNames({ ...at, given: 'Muhammad' }, { ...at, given: 'Mohamed', birthDate: '1950-05-03' })).toBe(
    true,
  );
});

test('of 100,000 people with the names of the United States, at most 3 % are like someone else', () => {
  const random = new Random(13, 0, 0);
  const draw = (table: ReadonlyMap<string, number>) => {
    const names = new Weighted([...table]);
    return () => names.draw(random);
  };
  const [family, given] = [draw(familyNameTable()), draw(givenNameTable())];
  const two = (n: number) => String(n).padStart(2, '0');
  const people = Array.from({ length: 100_000 }, () => ({
    family: family(),
    given: given(),
    birthDate: `${random.between(1926, 2025)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`,
  }));
  const bySound = Map.groupBy(people, (person) => familySound(person.family));
  const asked = people.slice(0, 4000);
  const similar = asked.filter((person) =>
    bySound.get(familySound(person.family))?.some((other) => other !== person && areSimilarNames(person, other)),
  );
  expect(similar.length / asked.length).toBeLessThanOrEqual(0.03);
});

import { expect, test } from 'vitest';
import { households, makeHousehold } from './people.ts';

const everyone = [...households('people-test', 3000)].flat();

test('a household is the same alone and within the sequence', () => {
  const third = [...households('people-test', 20)][3];
  expect(makeHousehold('people-test', 3)).toEqual(third);
});

test('no two people share a name and birth date, so a complete registration is never ambiguous', () => {
  const keys = everyone.map((person) => `${person.given} ${person.family} ${person.birthDate}`);
  expect(new Set(keys).size).toBe(everyone.length);
  expect(new Set(everyone.map((person) => person.id)).size).toBe(everyone.length);
});

test('phone numbers and email addresses are in ranges reserved for fiction', () => {
  for (const person of everyone) {
    expect(person.homePhone).toMatch(/^\(\d{3}\) 555-01\d\d$/);
    expect(person.mobilePhone).toMatch(/^$|^\(\d{3}\) 555-01\d\d$/);
    expect(person.email).toMatch(/^[a-z]+\.[a-z]+\.\d+@mail\.example$/);
  }
});

test('twins share last name, birth date, address and phone', () => {
  const pairs = [...households('people-test', 3000)].filter((members) =>
    members.some((person) => person.traits.includes('twin')),
  );
  expect(pairs.length).toBeGreaterThanOrEqual(10);
  for (const [one, other] of pairs) {
    expect(other).toMatchObject({
      family: one?.family,
      birthDate: one?.birthDate,
      address: one?.address,
      homePhone: one?.homePhone,
    });
    expect(other?.given).not.toBe(one?.given);
  }
});

test('all hard cases of matching occur', () => {
  const count = (trait: (typeof everyone)[number]['traits'][number]) =>
    everyone.filter((person) => person.traits.includes(trait)).length;
  for (const trait of ['generational', 'sameNameNeighbor', 'moved', 'maidenName'] as const)
    expect(count(trait), trait).toBeGreaterThan(20);
  expect(count('longName')).toBeGreaterThan(3);
  expect(everyone.some((person) => /\p{L}-\p{L}/u.test(person.family))).toBe(true);
  expect(everyone.some((person) => /[\u0080-\u{10ffff}]/u.test(person.family + person.given))).toBe(true);
});

test('every name can be encoded in Latin-1, which one hospital sends', () => {
  for (const person of everyone) {
    const name = `${person.family}${person.given}${person.middle}`;
    expect(Buffer.from(name, 'latin1').toString('latin1')).toBe(name);
  }
});

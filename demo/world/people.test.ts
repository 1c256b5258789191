import { expect, test } from 'vitest';
import { households, makeHousehold } from './people.ts';

const everybody = [...households('people-test', 3000)].flat();

test('a household is the same however it is come by', () => {
  const third = [...households('people-test', 20)][3];
  expect(makeHousehold('people-test', 3)).toEqual(third);
});

test('nobody shares name and birth date, so that a full registration is never in doubt', () => {
  const keys = everybody.map((person) => `${person.given} ${person.family} ${person.birthDate}`);
  expect(new Set(keys).size).toBe(everybody.length);
  expect(new Set(everybody.map((person) => person.id)).size).toBe(everybody.length);
});

test('telephone numbers and mail addresses can belong to nobody', () => {
  for (const person of everybody) {
    expect(person.homePhone).toMatch(/^\(\d{3}\) 555-01\d\d$/);
    expect(person.mobilePhone).toMatch(/^$|^\(\d{3}\) 555-01\d\d$/);
    expect(person.email).toMatch(/^[a-z]+\.[a-z]+\.\d+@mail\.example$/);
  }
});

test('twins share family name, birth date, address and phone', () => {
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

test('the hard cases of matching are all there', () => {
  const count = (trait: (typeof everybody)[number]['traits'][number]) =>
    everybody.filter((person) => person.traits.includes(trait)).length;
  for (const trait of ['generational', 'sameNameNeighbour', 'moved', 'maidenName'] as const)
    expect(count(trait), trait).toBeGreaterThan(20);
  expect(count('longName')).toBeGreaterThan(3);
  expect(everybody.some((person) => /\p{L}-\p{L}/u.test(person.family))).toBe(true);
  expect(everybody.some((person) => /[\u0080-\u{10ffff}]/u.test(person.family + person.given))).toBe(true);
});

test('every name can be written in Latin-1, which one hospital sends', () => {
  for (const person of everybody) {
    const name = `${person.family}${person.given}${person.middle}`;
    expect(Buffer.from(name, 'latin1').toString('latin1')).toBe(name);
  }
});

import { expect, test } from 'vitest';
import { CULTURES } from './name-pools.ts';
import { ageOf, type Person, relationOf } from './person.ts';
import { World } from './world.ts';

const PEOPLE = 12_000;
const world = new World({ people: PEOPLE, seed: 7 });
const families = [...world.families()];
const people = families.flat();

const share = (holds: (person: Person) => boolean, among = people): number => among.filter(holds).length / among.length;

function twinsOf(all: Person[]): [Person, Person][] {
  return all.flatMap((person) => {
    const twin = all.find((other) => other !== person && relationOf(person, other) === 'twin');
    return twin !== undefined && person.id < twin.id ? [[person, twin] as [Person, Person]] : [];
  });
}
const twins = families.flatMap(twinsOf);

test('The same size and seed give the same people and records, and another seed gives others', () => {
  const again = new World({ people: PEOPLE, seed: 7 });
  const [first] = again.families();
  expect(first).toEqual(families[0]);
  const person = families[20]?.[0] as Person;
  expect(again.person(person.id)).toEqual(person);
  expect(again.rosterRecord(person)).toEqual(world.rosterRecord(person));
  expect(again.hospitalRecord(person)).toEqual(world.hospitalRecord(person));
  expect(again.isListed(person)).toBe(world.isListed(person));
  const [others] = new World({ people: PEOPLE, seed: 8 }).families();
  expect(others).not.toEqual(families[0]);
});

test('A world has the people that were asked for, each with an id of their own', () => {
  expect(people.length).toBeGreaterThanOrEqual(PEOPLE);
  expect(people.length).toBeLessThan(PEOPLE + 20);
  expect(new Set(people.map(({ id }) => id)).size).toBe(people.length);
});

test('Half of the people are on the list, and one twin only of about half of the twins', () => {
  expect(share(world.isListed)).toBeCloseTo(0.5, 1);
  const one = twins.filter(([a, b]) => world.isListed(a) !== world.isListed(b));
  expect(one.length / twins.length).toBeGreaterThan(0.3);
  expect(one.length / twins.length).toBeLessThan(0.7);
});

test('Twins have one birth date and differ by name, some by one letter', () => {
  expect((2 * twins.length) / people.length).toBeGreaterThan(0.012);
  expect((2 * twins.length) / people.length).toBeLessThan(0.04);
  for (const [a, b] of twins) {
    expect(a.birthDate).toBe(b.birthDate);
    expect(a.given).not.toBe(b.given);
  }
  const alike = twins.filter(([a, b]) => a.given.slice(0, 2) === b.given.slice(0, 2));
  expect(alike.length).toBeGreaterThan(twins.length / 20);
});

test('Spouses, siblings, and parents of the same name live together, and share phones', () => {
  const pairs = families.flatMap((family) =>
    family.flatMap((a, index) => family.slice(index + 1).map((b) => [a, b] as const)),
  );
  for (const relation of ['spouse', 'sibling', 'junior', 'parent'] as const) {
    const related = pairs.filter(([a, b]) => relationOf(a, b) === relation);
    expect(related.length, relation).toBeGreaterThan(10);
    const close = related.filter(([a, b]) => a.home.street === b.home.street);
    expect(close.length, relation).toBeGreaterThan(related.length / 10);
  }
  const together = pairs.filter(([a, b]) => a.home === b.home);
  const onePhone = together.filter(([a, b]) => a.phones.some((phone) => b.phones.includes(phone)));
  expect(onePhone.length).toBeGreaterThan(together.length / 4);
});

test('Relations go by the family: a stranger of the same names is a namesake', () => {
  const [a] = families[0] as [Person];
  const b = { ...a, id: '99999:0' };
  expect(relationOf(a, b)).toBe('namesake');
  expect(relationOf(a, { ...b, given: 'OTHER' })).toBe('stranger');
});

test('Names of other cultures occur with each other, and some of these people were born on January 1', () => {
  const born = (person: Person): boolean => person.birthDate.endsWith('-01-01');
  const unknown = people.filter(
    ({ culture, birthDate }) => culture?.unknownBirthdays !== undefined && ageOf(birthDate) > 20,
  );
  expect(share(born, unknown)).toBeGreaterThan(0.1);
  expect(share(born)).toBeLessThan(0.03);
  const [spanish] = CULTURES;
  const garcias = people.filter(({ family }) => family.startsWith('GARCIA'));
  expect(share(({ given, sex }) => spanish?.given[sex].includes(given) === true, garcias)).toBeGreaterThan(0.5);
});

test('Many people have the address of a shelter, and most houses have one family', () => {
  const homes = Map.groupBy(people, ({ home }) => `${home.street} ${home.unit ?? ''} ${home.zip}`);
  const sizes = [...homes.values()].map((living) => living.length).toSorted((a, b) => b - a);
  expect(sizes[0]).toBeGreaterThan(15);
  expect(sizes.filter((size) => size < 10).length / sizes.length).toBeGreaterThan(0.98);
});

test('Records lack fields and have errors at about the rates of the table', () => {
  const records = people.map((person) => [person, world.hospitalRecord(person)] as const);
  const among = (holds: (entry: (typeof records)[number]) => boolean): number =>
    records.filter(holds).length / records.length;
  expect(among(([, { birthDate }]) => birthDate === null)).toBeLessThan(0.003);
  expect(among(([, { ssnLast4 }]) => ssnLast4 === null)).toBeCloseTo(0.5, 1);
  expect(among(([{ birthDate }, record]) => record.birthDate !== birthDate)).toBeLessThan(0.02);
  const differs = among(([{ given, family }, record]) => record.given !== given || record.family !== family);
  expect(differs).toBeGreaterThan(0.05);
  expect(differs).toBeLessThan(0.2);
});

test('Hospitals send the maiden name of some, and rosters have none', () => {
  const renamed = people.filter(({ maidenName }) => maidenName !== null);
  expect(renamed.length).toBeGreaterThan(PEOPLE / 20);
  const sent = renamed.filter((person) => world.hospitalRecord(person).formerFamilies[0] === person.maidenName);
  expect(sent.length / renamed.length).toBeCloseTo(0.1, 1);
  expect(people.some((person) => world.rosterRecord(person).formerFamilies.length > 0)).toBe(false);
});

test('Newborns arrive without a name, twins as A and B', () => {
  const newborns = people.filter(({ isNewborn }) => isNewborn);
  const given = newborns.map((person) => world.hospitalRecord(person).given ?? '');
  expect(given.filter((name) => /^(BABY|NEWBORN|B[BG]|BOY|GIRL)/.test(name)).length).toBeGreaterThan(
    newborns.length / 2,
  );
});

/** How many values of a person's details a file can try, however its rows are spelled, and that honest files are not held. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '#server/record/scoring/decide.ts';
import { type Demographics, normalize } from '#server/record/scoring/demographics.ts';
import { GuessList, guessesOf } from '#server/record/scoring/guess-keys.ts';
import { NOBODY } from '#server/testing/invented-people.ts';
import { FAMILY_NAMES, FEMALE_NAMES } from '../../../demo/world/names.ts';
import { makeWorld } from '../../../demo/world/world.ts';
import { GuessTally } from './guess-tally.ts';

/** Returns the indices of the rows that are held. `few`: the rows that can be, if they are not all of them. */
function heldOf(people: readonly Demographics[], few?: ReadonlySet<number>): Set<number> {
  const tally = new GuessTally({ records: people.length, rows: people.length, isExact: few !== undefined });
  const guesses = people.map((person) => guessesOf(normalize(person)));
  const ofFew = guesses.flatMap((each, row) => (few === undefined || few.has(row) ? [{ row, each }] : []));
  for (const { each } of ofFew) for (const { key } of each) tally.first(key);
  for (const guess of guesses.flat()) if (tally.isFrequent(guess.key, guess.kind)) tally.second(guess, 'file');
  tally.settle();
  return new Set(
    ofFew.flatMap(({ row, each }) => {
      const keys = Float64Array.from(each, ({ key }) => key);
      return tally.heldOf({ keys, length: keys.length }) === null ? [] : [row];
    }),
  );
}

const dateOf = (day: number): string => new Date(Date.UTC(1930, 0, 1 + day)).toISOString().slice(0, 10);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Ways to write a name, most of which the matcher reads as the same name. */
const spellings: ((name: string, n: number) => string)[] = [
  (name) => name,
  (name, n) => `${name}${n}`,
  (name, n) => `${name} ${LETTERS[n % 26]}`,
  (name) => name.toUpperCase(),
  (name, n) => `${name.slice(0, n % name.length)}'${name.slice(n % name.length)}`,
  (name, n) => name.slice(0, n % name.length) + LETTERS[n % 26] + name.slice(n % name.length),
  (name, n) => name.slice(0, n % name.length) + name.slice((n % name.length) + 1),
  (name, n) => name.slice(0, n % name.length) + LETTERS[n % 26] + name.slice((n % name.length) + 1),
  (name, n) => `${name}-${LETTERS[n % 26]}${LETTERS[(n * 7) % 26]}rown`,
];

const victim = fc.record({
  given: fc.constantFrom('Ingrid', 'William', 'Bill', 'Mary Ann', 'Quentin', 'Sofia', 'Harriet', 'Maria', 'Bo'),
  family: fc.constantFrom('Nunez', 'Sandoval', 'Farrowby', 'Okafor-Reyes', 'van der Berg', 'Kamau', "O'Shea", 'Lim'),
  birthDate: fc.constant('1948-03-04'),
  sex: fc.constantFrom('Female', 'Unknown'),
  zip: fc.constantFrom('49986', '49982-1000'),
  line1: fc.constantFrom(null, '784 North Stamm Street, Apt 46'),
  phones: fc.constantFrom([], ['617-232-8841']),
  ssnLast4: fc.constantFrom(null, '4321'),
});

type Victim = typeof victim extends fc.Arbitrary<infer V> ? V : never;
const full = (known: Victim): Demographics => ({ ...NOBODY, ...known });

/** The `n`th value of a field that someone tries out. */
const tried: Record<string, (n: number) => Partial<Demographics>> = {
  birthDate: (n) => ({ birthDate: dateOf(n) }),
  ssnLast4: (n) => ({ ssnLast4: String(1000 + n) }),
  zip: (n) => ({ zip: String(10000 + n), line1: null }),
  phones: (n) => ({ phones: [`617-232-${String(1000 + n)}`] }),
  line1: (n) => ({ line1: `${n + 1} North Stamm Street` }),
};

/** Values of a file of 200 that are not held: one limit for each way in which a name can be mistyped. */
const MOST_UNHELD = 48;

test('No file tries out more than a few dozen values of a field of one person, however the names and ZIP codes are spelled', () => {
  let tellingRows = 0;
  fc.assert(
    fc.property(
      victim,
      fc.constantFrom(...Object.keys(tried)),
      fc.array(fc.tuple(fc.nat(8), fc.nat(8), fc.nat(40)), { minLength: 200, maxLength: 200 }),
      (someone, field, hows) => {
        const truth = normalize(full(someone));
        const rows = hows.map(([given, family, n], row) => ({
          ...full(someone),
          given: spellings[given]?.(someone.given, n) ?? '',
          family: spellings[family]?.(someone.family, n) ?? '',
          zip: n % 2 ? someone.zip.slice(0, 5) : `${someone.zip.slice(0, 5)}-${1000 + row}`,
          ...tried[field]?.(row),
        }));
        const held = heldOf(rows);
        // Only what would be linked if the guess were right tells anything.
        const telling = rows.flatMap((row, index) => {
          const right = { ...row, [field]: full(someone)[field as keyof Demographics] };
          return decide(normalize(right), [{ personId: '1', records: [truth] }]).outcome === 'matched' ? [index] : [];
        });
        tellingRows += telling.length;
        expect(telling.filter((index) => !held.has(index)).length, field).toBeLessThanOrEqual(MOST_UNHELD);
      },
    ),
    { numRuns: 25 },
  );
  expect(tellingRows).toBeGreaterThan(3000);
});

test('Of a few new rows the same are held as if all were new', () => {
  let held = 0;
  fc.assert(
    fc.property(
      victim,
      fc.array(fc.tuple(fc.nat(8), fc.nat(40), fc.nat(4), fc.boolean()), { minLength: 40, maxLength: 120 }),
      (someone, rows) => {
        const people = rows.map(([given, n, field], row) => ({
          ...full(someone),
          given: spellings[given]?.(someone.given, n) ?? '',
          ...Object.values(tried)[field]?.(row),
        }));
        const few = new Set(rows.flatMap(([, , , isNew], row) => (isNew ? [row] : [])));
        const expected = [...heldOf(people)].filter((row) => few.has(row));
        held += expected.length;
        expect([...heldOf(people, few)]).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
  expect(held).toBeGreaterThan(200);
});

test('Names with dozens of parts have too many keys to count each of them', () => {
  const word = (n: number): string => [n, n / 26, n / 676].map((letter) => LETTERS[Math.floor(letter) % 26]).join('');
  const name = (row: number): string => Array.from({ length: 50 }, (_, n) => word(97 * row + 7 * n)).join(' ');
  const tally = new GuessTally({ records: 1000, rows: 1000, isExact: true });
  const list = new GuessList();
  for (let row = 0; row < 1000 && !tally.isFull; row++) {
    list.fillKeys(
      normalize({ ...NOBODY, given: name(row), family: name(row + 1), birthDate: dateOf(row), zip: '49986' }),
    );
    expect(list.length).toBeLessThan(20_000);
    tally.firstOf(list);
    if (row === 2) expect(tally.isFull).toBe(false);
  }
  expect(tally.isFull).toBe(true);
});

test('A given name tried with a birth date and a phone is held, and so is a family name with an address', () => {
  const someone = { ...NOBODY, given: 'Ingrid', family: 'Nunez', birthDate: '1948-03-04', sex: 'Female', zip: '49986' };
  const names = ['Anna', 'Berta', 'Clara', 'Dora', 'Emma', 'Frieda', 'Greta', 'Hanna', 'Ingrid'];
  expect(heldOf(names.map((given) => ({ ...someone, given, phones: ['617-232-8841'] }))).size).toBe(names.length);
  const families = names.map((name) => ({ ...someone, family: `${name}son`, line1: '784 Stamm St' }));
  expect(heldOf(families).size).toBe(names.length);
});

test('Seven phones under one name and birth date are held', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...NOBODY,
      given: 'Ingrid',
      family: 'Fenwick',
      birthDate: '1951-03-04',
      phones: [`617-232-${1000 + n}`],
    }));
  expect(heldOf(rows(7)).size).toBe(7);
  expect(heldOf(rows(6)).size).toBe(0);
});

test('The rosters of an invented region, families and namesakes are not held', () => {
  const world = makeWorld({
    seed: 'guesses',
    people: 6_000,
    visits: 50,
    from: '2026-01-01T00:00:00Z',
    to: '2026-03-01T00:00:00Z',
  });
  for (const rows of Object.values(world.rosters)) {
    const people = rows.map(({ cells }): Demographics => {
      const [, given = '', middle = '', family = '', suffix = '', born = '', sex = '', line1 = '', line2 = ''] = cells;
      const [city = '', state = '', zip = '', home = '', mobile = '', ssnLast4 = '', medicareId = ''] = cells.slice(9);
      const birthDate = born.replace(/(\d+)\/(\d+)\/(\d+)/, '$3-$1-$2');
      const phones = [home, mobile].filter((phone) => phone !== '');
      return {
        ...NOBODY,
        given,
        middle,
        family,
        suffix,
        birthDate,
        sex,
        line1: `${line1} ${line2}`,
        city,
        state,
        zip,
        phones,
        ssnLast4,
        medicareId,
      };
    });
    expect(people.length).toBeGreaterThan(1000);
    expect(heldOf(people).size).toBe(0);
  }
});

test('Triplets, three generations, three hundred newborns without a name and the residents of a home are not held', () => {
  const home = { ...NOBODY, zip: '49986', sex: 'Female', line1: '12 Elm St', phones: ['617-232-8841'] };
  const triplets = ['Maria', 'Mariana', 'Marta'].map((given) => ({
    ...home,
    given,
    family: 'Garcia',
    birthDate: '2015-05-05',
  }));
  const generations = ['1940-01-01', '1965-02-02'].map((birthDate) => ({
    ...home,
    given: 'John',
    family: 'Abel',
    birthDate,
  }));
  const newborns = Array.from({ length: 300 }, () => ({
    ...home,
    given: 'Baby Girl',
    family: 'Garcia',
    birthDate: '2026-05-05',
  }));
  const residents = Array.from({ length: 300 }, (_, n) => ({
    ...home,
    given: FEMALE_NAMES[(n * 7) % FEMALE_NAMES.length] ?? '',
    family: FAMILY_NAMES[(n * 11) % FAMILY_NAMES.length] ?? '',
    birthDate: dateOf(n * 13),
    phones: [`617-233-${1000 + n}`],
  }));
  expect([...heldOf([...triplets, ...generations, ...newborns, ...residents])]).toEqual([]);
});

const febrl = process.env.TIDINGS_FEBRL;

test.skipIf(febrl === undefined)('Five hundred people who are listed twice, with errors, are not held', () => {
  const rows = readFileSync(febrl ?? '', 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const people = rows.map((row): Demographics => {
    const [, given = '', family = '', number, street, , city = '', postcode, state = '', birthDate = '', ssn = ''] = row
      .split(',')
      .map((cell) => cell.trim());
    return {
      ...NOBODY,
      given,
      family,
      line1: `${number} ${street}`,
      city,
      zip: `0${postcode}`,
      state,
      birthDate,
      ssnLast4: ssn.slice(-4),
    };
  });
  expect(heldOf(people).size).toBe(0);
});

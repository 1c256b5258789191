import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closePeople, FULL, NOBODY, person, sparse } from '#server/testing/invented-people.ts';
import { type Comparison, compare } from './comparison.ts';
import { decide } from './decide.ts';
import { type Demographics, type NormalizedDemographics, normalize } from './demographics.ts';
import { GuessList, guessesOf, nameKeys, type Varied } from './guess-keys.ts';

const isLinked = (subject: Demographics, truth: NormalizedDemographics): boolean =>
  decide(normalize(subject), [{ personId: '1', records: [truth] }]).outcome === 'matched';

/** For each field that someone could try out: a value that no other record has, and none. */
const WRONG: Record<Varied, Partial<Demographics>[]> = {
  birthDate: [{ birthDate: '1931-11-29' }, { birthDate: null }],
  ssnLast4: [{ ssnLast4: '8362' }, { ssnLast4: null }],
  phone: [{ phones: ['212-777-3456'] }, { phones: [] }],
  street: [{ line1: '93 Quarry Road' }, { line1: null }],
  zip: [{ zip: '90210' }, { zip: null }],
  given: [{ given: 'Zebulon' }, { given: null }],
  family: [{ family: 'Whitcombe' }, { family: null }],
};

/** Of a person whose names are known. That names themselves are tried out, the tests of the tally show. */
const TRIED: readonly Varied[] = ['birthDate', 'ssnLast4', 'phone', 'street', 'zip'];

/** Whoever leaves names out, or swaps them, has to do so in each row, so the rows have that in common. */
function writtenLike(truth: Demographics, row: Demographics): Demographics[] {
  const { given, family } = normalize(row);
  const written = {
    ...truth,
    given: given === null ? null : given.length === 1 ? given : truth.given,
    family: family === null ? null : truth.family,
  };
  const former = truth.formerFamilies.map((name) => ({ ...truth, family: name }));
  return [truth, written, { ...truth, given: truth.family, family: truth.given }, ...former];
}

/** The ways to write a row's names that a guess might use, besides those of other people. */
const names: fc.Arbitrary<Partial<Demographics>> = fc.constantFrom(
  {},
  { given: 'Unknown' },
  { given: 'M' },
  { given: 'Peggy' },
  { given: 'Margret' },
  { family: 'Unknown' },
  { family: 'Lindquist' },
  { family: 'Lindqvist-Okafor' },
  { given: 'Lindqvist', family: 'Margaret' },
  { given: 'Margarte', family: 'Lindqist' },
);

test('A record that links without a review shares a key for each field that could have been tried out', () => {
  const compared: Partial<Record<Varied, number>> = {};
  const fields = Object.keys(NOBODY) as (keyof typeof NOBODY)[];
  fc.assert(
    fc.property(
      fc.oneof(closePeople, fc.constant(FULL)),
      closePeople,
      fc.subarray(fields, { minLength: 1 }),
      fc.boolean(),
      names,
      (a, b, copied, isSparse, spelled) => {
        // A roster row has no former name, and no email and no member ID that could agree.
        const unlisted = { email: null, memberIds: [] };
        const roster = { ...unlisted, formerFamilies: [] };
        const truth = { ...a, ...unlisted };
        const rest = isSparse ? { ...NOBODY, given: a.given, family: a.family } : b;
        const row = { ...rest, ...Object.fromEntries(copied.map((field) => [field, a[field]])), ...spelled, ...roster };
        const person = normalize(truth);
        // Who is known without a name is known by numbers alone; from five people on, the matcher ignores a phone.
        const isNamed = person.givenWhole.length > 1 && person.familyWhole !== '';
        if (!isNamed || !isLinked(row, person)) return;
        const right = namesRight(compare(normalize(row), person));
        const guesses = guessesOf(normalize(row));
        const known = new Set(
          writtenLike(truth, row).flatMap((each) => guessesOf(normalize(each)).map(({ key }) => key)),
        );
        for (const field of TRIED) {
          if (!isGiven(normalize(row), field) || right < 2) continue;
          if (WRONG[field].every((wrong) => isLinked({ ...row, ...wrong }, person))) continue;
          compared[field] = (compared[field] ?? 0) + 1;
          const others = new Set(guessesOf(normalize({ ...row, ...WRONG[field][0] })).map(({ key }) => key));
          const isSeen = guesses.some(
            ({ key, kind }) => [field, 'rest'].includes(kind.varies) && known.has(key) && others.has(key),
          );
          expect(isSeen, field).toBe(true);
        }
      },
    ),
    { numRuns: 8000 },
  );
  for (const field of TRIED) expect(compared[field], field).toBeGreaterThan(10);
});

/** Whether a record has a value that could be one of many tried. */
function isGiven(row: NormalizedDemographics, field: Varied): boolean {
  const isKnown = { phone: row.phones.length > 0, given: row.givenWhole.length > 1, family: row.familyWhole !== '' };
  return field in isKnown ? isKnown[field as keyof typeof isKnown] : row[field as 'zip'] !== null;
}

/** How many names of a row are those of the person. */
const namesRight = ({ given, family }: Comparison): number =>
  [given, family].filter((level) => !['differs', 'missing', 'initial', 'alike'].includes(level)).length;

const letters = 'abcdefghijklmnopqrstuvwxyz';

test('A typo, a part of a name and a short form leave a rough key in common', () => {
  const typo = (name: string, at: number, how: number, letter: string): string => {
    const [head, tail] = [name.slice(0, at), name.slice(at)];
    return (
      [
        head + letter + tail,
        head + tail.slice(1),
        head + letter + tail.slice(1),
        head + tail.charAt(1) + tail.charAt(0) + tail.slice(2),
      ][how] ?? name
    );
  };
  const names = fc.constantFrom(
    'Lindqvist',
    'Nunez',
    'Okafor-Reyes',
    'van der Berg',
    'Ingrid',
    'Wilhelmina',
    'Farrowby',
  );
  fc.assert(
    fc.property(names, names, fc.nat(12), fc.nat(3), fc.constantFrom(...letters), (given, family, at, how, letter) => {
      const truth = person({ given, family });
      for (const spelled of [
        person({ given, family: typo(family, at, how, letter) }),
        person({ given: typo(given, at, how, letter), family }),
        person({ given, family: family.split('-').reverse().join(' ') }),
      ]) {
        const fields = compare(truth, spelled);
        if (fields.given === 'differs' || fields.family === 'differs') continue;
        const rough = new Set(nameKeys(truth).rough);
        expect(nameKeys(spelled).rough.some((key) => rough.has(key))).toBe(true);
      }
    }),
    { numRuns: 3000 },
  );
});

test('Spelling, marks, digits, initials, titles and the rest of a ZIP code change no key', () => {
  const keys = guessesOf(person()).map(({ key }) => key);
  for (const family of ['LINDQVIST', 'Lindqvist17', 'Lindqvist Jr.', 'Lindqvist b', "Lind'qvist", 'Líndqvist']) {
    for (const given of ['Margaret', 'Mrs. Margaret', 'Margaret a', 'Margaret4']) {
      for (const zip of ['02155', '02155-1000']) {
        expect(guessesOf(person({ family, given, zip })).map(({ key }) => key)).toEqual(keys);
      }
    }
  }
});

test('Swapped names, and a typo in the first letter too, leave the birth date as what varies', () => {
  const dates = (row: Partial<Demographics>) =>
    guessesOf(sparse({ family: 'Venkatesan', given: 'Nikhil', birthDate: '1961-03-14', zip: '53703', ...row }))
      .filter(({ kind }) => kind.varies === 'birthDate')
      .map(({ key }) => key);
  const known = new Set(dates({}));
  for (const [given, family] of [
    ['Venkatesan', 'Nikhil'],
    ['Venkatesan', 'Pikhil'],
    ['Fikhil', 'Benkatesan'],
    ['Nikhils', 'Venkatesan'],
  ])
    expect(
      dates({ given, family, birthDate: '1958-11-02' }).some((key) => known.has(key)),
      `${given} ${family}`,
    ).toBe(true);
});

test('Newborns without a name have nothing in common', () => {
  expect(guessesOf(person({ given: 'Baby Boy' }))).toEqual([]);
});

test('Initials and placeholders are not tried out', () => {
  for (const given of ['M', 'Unknown']) {
    expect(guessesOf(person({ given })).filter(({ kind }) => kind.varies === 'given')).toEqual([]);
  }
});

test('The keys alone are those of the guesses, in their order', () => {
  const list = new GuessList();
  fc.assert(
    fc.property(fc.oneof(closePeople, fc.constant(FULL)), (demographics) => {
      const normalized = normalize(demographics);
      list.fillKeys(normalized);
      const keys = list.guesses().map(({ kind, key }) => ({ kind, key }));
      expect(keys).toEqual(guessesOf(normalized).map(({ kind, key }) => ({ kind, key })));
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closePeople, FULL, NOBODY, person } from '#server/testing/invented-people.ts';
import { compare, type Field } from './comparison.ts';
import { normalize } from './demographics.ts';
import { guessesOf, nameKeys, type Varied } from './guess-keys.ts';
import { AUTO_THRESHOLD, collisionProbability, RULES } from './link-rules.ts';

/** Of a roster row: it has no email and no member ID that could agree. Medicare IDs and the sex are not tried out. */
const isTried = (field: Field): field is Varied & Field => !['sex', 'medicareId', 'email', 'memberId'].includes(field);

test('Two records that a rule links share a key for each field of the rule that someone could have tried out', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      closePeople,
      closePeople,
      fc.subarray(Object.keys(NOBODY) as (keyof typeof NOBODY)[]),
      (a, b, copied) => {
        const roster = { email: null, memberIds: [] };
        const near = { ...b, ...Object.fromEntries(copied.map((field) => [field, a[field]])) };
        const [x, y] = [normalize({ ...a, ...roster }), normalize({ ...near, ...roster })];
        const fields = compare(x, y);
        const keys = new Set(guessesOf(y).map(({ key, kind }) => `${kind.varies} ${key}`));
        const linking = RULES.filter((rule) => (collisionProbability(rule, fields) ?? 1) <= AUTO_THRESHOLD);
        for (const rule of linking) {
          for (const [field] of rule.fields) {
            const isNeeded = linking.every((other) => other.fields.some(([each]) => each === field));
            if (!isTried(field) || !isNeeded) continue;
            compared++;
            const isSeen = guessesOf(x).some(({ key, kind }) => kind.varies === field && keys.has(`${field} ${key}`));
            expect(isSeen, `${rule.id} ${field}`).toBe(true);
          }
        }
      },
    ),
    { numRuns: 8000 },
  );
  expect(compared).toBeGreaterThan(1000);
});

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

test('Newborns without a name, initials and placeholders have nothing in common', () => {
  const unknown = { ...FULL, line1: null, phones: [], ssnLast4: null, medicareId: null };
  for (const given of ['Baby Boy', 'M', 'Unknown']) {
    const guesses = guessesOf(normalize({ ...unknown, given }));
    expect(guesses.map(({ kind }) => kind.varies)).toEqual(guesses.map(() => 'given'));
    expect(guesses).toEqual([]);
  }
});

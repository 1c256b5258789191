import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closePeople, NOBODY } from '#server/testing/invented-people.ts';
import { compare } from './comparison.ts';
import { type Demographics, normalize } from './demographics.ts';
import { ADDRESS, EXPECTED_FALSE_LIMIT, PARAMETERS } from './parameters.ts';
import { scoreOf } from './score.ts';
import { type Outcome, tailOf } from './tail.ts';

const score = (a: Partial<Demographics>, b: Partial<Demographics>) => {
  const [x, y] = [normalize({ ...NOBODY, ...a }), normalize({ ...NOBODY, ...b })];
  return scoreOf(x, y, compare(x, y));
};

describe('the table of parameters', () => {
  test.each(Object.entries(PARAMETERS))(
    '%s: the levels of one person, and those of strangers, are all there are',
    (field, rows) => {
      const sum = (column: 0 | 1) => Object.values(rows).reduce((total, row) => total + row[column], 0);
      // The given name's share of swapped names is that of the pair, and common values count more than the table says.
      const match = field === 'family' ? sum(0) - 1 : sum(0);
      expect(match).toBeGreaterThan(0.97);
      expect(match).toBeLessThanOrEqual(1.021);
      expect(sum(1)).toBeGreaterThan(0.97);
      expect(sum(1)).toBeLessThanOrEqual(1.021);
    },
  );

  test.each(Object.entries(ADDRESS))('%s: the levels are all there are', (_, rows) => {
    for (const column of [0, 1, 2] as const) {
      const sum = Object.values(rows).reduce((total, row) => total + row[column], 0);
      expect(sum).toBeGreaterThan(0.95);
      expect(sum).toBeLessThanOrEqual(1.021);
    }
  });
});

describe('a score', () => {
  test('is the same for both orders', () => {
    fc.assert(
      fc.property(closePeople, closePeople, (a, b) => {
        expect(score(a, b)).toEqual(score(b, a));
      }),
      { numRuns: 2000 },
    );
  });

  test('does not change with what only one record has', () => {
    fc.assert(
      fc.property(closePeople, closePeople, (a, b) => {
        const silent = { ...b, email: null, medicareId: null, ssnLast4: null };
        expect(score({ ...a, email: null, medicareId: null, ssnLast4: null }, silent).bits).toBe(score(a, silent).bits);
      }),
      { numRuns: 1000 },
    );
  });

  test('is higher for a rare name than for a common one', () => {
    const of = (family: string) => score({ family }, { family }).bits;
    expect(of('Smith')).toBeLessThan(of('Holloway'));
    expect(of('Holloway')).toBeLessThan(of('Quillfeather'));
  });

  test('falls with each disagreement', () => {
    const known = {
      family: 'Lindqvist',
      given: 'Ruth',
      birthDate: '1948-03-17',
      sex: 'F',
      ssnLast4: '5017',
      zip: '02155',
    };
    const change = {
      family: 'Okafor',
      given: 'Margaret',
      birthDate: '1951-09-02',
      sex: 'M',
      ssnLast4: '9944',
      zip: '60601',
    };
    for (const field of Object.keys(change) as (keyof typeof change)[]) {
      const silent = score({ ...known, [field]: null }, known).bits;
      expect(score({ ...known, [field]: change[field] }, known).bits, field).toBeLessThan(silent);
      expect(score(known, known).bits, field).toBeGreaterThan(silent);
    }
  });

  test('gets nothing from the first of January, a specimen number, or someone who has no name', () => {
    const born = (birthDate: string) => score({ birthDate }, { birthDate }).bits;
    expect(born('1970-01-01')).toBeLessThan(0.1);
    expect(born('1970-01-02')).toBeGreaterThan(10);
    for (const ssnLast4 of ['123-45-6789', '111-11-1111', '999-99-9999'])
      expect(score({ ssnLast4 }, { ssnLast4 }).bits).toBe(0);
    for (const [given, family] of [
      ['John', 'Doe'],
      ['Juliet', 'Xxtrauma'],
      ['Delta', 'Trauma'],
    ])
      expect(score({ given, family }, { given, family }).bits).toBe(0);
  });

  test('expects relatives to agree: the same household says little more than one relative does', () => {
    const home = {
      family: 'Lindqvist',
      line1: '784 Stamm St',
      zip: '02155',
      phones: ['617-232-8841'],
      birthDate: '2012-03-17',
    };
    const twin = score({ ...home, given: 'Ruth' }, { ...home, given: 'Rachel' });
    expect(twin.bits).toBeGreaterThan(50);
    expect(twin.expectedFalse).toBeGreaterThan(0.01);
    const grown = { ...home, birthDate: '1948-03-17' };
    expect(score({ ...grown, given: 'Ruth' }, { ...grown, given: 'Rachel' }).expectedFalse).toBeLessThan(
      twin.expectedFalse / 10,
    );
  });
});

test('the share of strangers with so high a score is what trying all combinations gives', () => {
  const outcome = fc.record({
    bits: fc.integer({ min: -8, max: 40 }),
    probability: fc.double({ min: 0.01, max: 1, noNaN: true }),
  });
  const fields = fc.array(fc.array(outcome, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fields, fc.integer({ min: -20, max: 80 }), (all: Outcome[][], bits) => {
      let combinations: Outcome[] = [{ bits: 0, probability: 1 }];
      for (const field of all)
        combinations = combinations.flatMap((sofar) =>
          field.map((each) => ({ bits: sofar.bits + each.bits, probability: sofar.probability * each.probability })),
        );
      const expected = combinations
        .filter((each) => each.bits >= bits)
        .reduce((sum, each) => sum + each.probability, 0);
      expect(tailOf(all, bits)).toBeCloseTo(expected, 9);
    }),
  );
});

test('No pair scores higher because of how common names are on the installation’s own lists', () => {
  fc.assert(
    fc.property(closePeople, closePeople, fc.double({ min: 1e-6, max: 1, noNaN: true }), (a, b, share) => {
      const [x, y] = [normalize(a), normalize(b)];
      const [given, family] = [new Map([[x.givenWhole, share]]), new Map([[y.familyWhole, share]])];
      const levels = compare(x, y);
      const [published, own] = [
        scoreOf(x, y, levels),
        scoreOf(x, y, levels, { number: 1, given, family, housemates: 2, persons: 0 }),
      ];
      expect(own.bits).toBeLessThanOrEqual(published.bits);
      if (own.expectedFalse <= EXPECTED_FALSE_LIMIT)
        expect(published.expectedFalse).toBeLessThanOrEqual(EXPECTED_FALSE_LIMIT);
    }),
    { numRuns: 2000 },
  );
});

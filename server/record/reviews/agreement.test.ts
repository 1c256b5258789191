import { expect, test } from 'vitest';
import { REVIEW_FIELDS, type ReviewField } from '#contract/reviews.ts';
import { agreementsOf, agreementsOfRecords, isPlain, type Levels, weightOf } from './agreement.ts';

type Values = Record<ReviewField, string | null>;
const NOTHING = Object.fromEntries(REVIEW_FIELDS.map((field) => [field, null])) as Values;

/** Returns the agreement of one field of two records. */
const agreement = (field: ReviewField, level: string, a: string | null, b: string | null) =>
  agreementsOfRecords({ [field]: level }, { ...NOTHING, [field]: a }, { ...NOTHING, [field]: b })[field];

test('levels between equal and different are similar, and what was not compared is unknown', () => {
  const agreements = agreementsOf({
    family: 'exact',
    given: 'nickname',
    birthDate: 'typo',
    sex: 'differs',
    zip: 'missing',
  });
  expect(agreements).toMatchObject({
    family: 'same',
    given: 'similar',
    birthDate: 'similar',
    sex: 'different',
    zip: 'unknown',
    city: 'unknown',
  });
  expect(weightOf(agreements)).toBe(2 + 1 + 1 - 2);
});

test.each<[ReviewField, string | null, string | null, string]>([
  ['city', 'Alder Bay, NY', 'ALDER BAY, NY', 'same'],
  ['city', 'Alder Bay, NY', 'Fairhaven, NY', 'different'],
  ['middle', 'J', 'Jane', 'similar'],
  ['given', 'P.', 'Per', 'similar'],
  ['phone', '(585) 555-0100, 585-555-0199', '5855550199', 'same'],
  ['phone', '585-555-0100', '206-555-0100', 'different'],
  ['email', null, 'per@lakeside.example', 'unknown'],
  ['memberId', 'A1', 'B2', 'unknown'],
])('%s that the matcher does not compare is compared as it is read: %s and %s', (field, a, b, expected) => {
  expect(agreement(field, 'missing', a, b)).toBe(expected);
});

test('the level of the matcher comes first', () => {
  expect(agreement('given', 'nickname', 'Peggy', 'Margaret')).toBe('similar');
});

test('a match is plain only if the full name and the birth date agree and nothing differs', () => {
  const same = { given: 'exact', family: 'exact', birthDate: 'exact' };
  const home = { street: 'exact', houseNumber: 'exact', zip: 'exact' };
  expect(isPlain(same)).toBe(true);
  expect(isPlain({ ...same, given: 'nickname', ...home })).toBe(true);
  expect(isPlain({ ...same, birthDate: 'typo', ...home })).toBe(true);
  const less: Levels[] = [
    { birthDate: 'typo' },
    { birthDate: 'missing', ...home },
    { birthDate: 'part', ...home },
    { birthDate: 'swapped', ...home },
    { given: 'part', ...home },
    { given: 'initial', ...home },
    { given: 'typo', ...home },
    { family: 'typo', ...home },
    { zip: 'differs' },
    { phone: 'differs' },
  ];
  for (const levels of less) expect(isPlain({ ...same, ...levels })).toBe(false);
});

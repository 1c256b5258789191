import { expect, test } from 'vitest';
import type { VetoId } from '#server/record/scoring/vetoes.ts';
import { reasonOf } from './reason.ts';

const base = { family: 'exact', given: 'exact', birthDate: 'exact', sex: 'exact' };

test.each<[string, Record<string, string>, VetoId[], string]>([
  [
    'a move',
    { ...base, street: 'differs', zip: 'exact' },
    [],
    'Same name, birth date and ZIP code. The street address differs.',
  ],
  [
    'another town',
    { ...base, street: 'differs', zip: 'differs' },
    [],
    'Same name and birth date. The address differs.',
  ],
  ['only a ZIP code', { ...base, zip: 'differs' }, [], 'Same name and birth date. The ZIP code differs.'],
  ['no address', { ...base, street: 'missing', zip: 'missing' }, [], 'Same name and birth date.'],
  [
    'a twin',
    { ...base, given: 'differs', street: 'exact', houseNumber: 'exact', zip: 'exact' },
    ['given-name-differs'],
    'Same last name, birth date and address. Different first names at the same address: possibly a twin.',
  ],
  [
    'a sibling on the phone',
    { ...base, given: 'differs', birthDate: 'differs', phone: 'exact' },
    ['given-name-differs', 'birth-date-differs'],
    'Same last name and phone number. Different first names with the same phone number or email: possibly a relative. The birth date differs.',
  ],
  [
    'a nickname',
    { ...base, given: 'nickname', phone: 'exact' },
    [],
    'Same last name, birth date and phone number. One first name is short for the other.',
  ],
  [
    'a maiden name',
    { ...base, family: 'former', zip: 'exact' },
    [],
    'Same first name, birth date and ZIP code. The last names differ, but a former last name matches.',
  ],
  [
    'typing errors',
    { ...base, family: 'typo', given: 'similar', birthDate: 'typo', ssnLast4: 'exact', street: 'typo', zip: 'exact' },
    [],
    'Same ZIP code and last four digits of the SSN. The last names are almost the same. The first names are almost the same. ' +
      'The birth dates differ by one digit. The street addresses are almost the same.',
  ],
  [
    'numbers that differ',
    { ...base, ssnLast4: 'differs', medicareId: 'differs' },
    ['ssn4-differs', 'medicare-id-differs'],
    'Same name and birth date. The last four digits of the SSN and Medicare number (MBI) differ.',
  ],
  [
    'a number that differs on another record of the person',
    base,
    ['ssn4-differs'],
    'Same name and birth date. Different last four digits of the Social Security number.',
  ],
  [
    'someone else at home',
    { ...base, street: 'exact', houseNumber: 'exact', zip: 'exact' },
    ['household-twin'],
    'Same name, birth date and address. Someone else in the same household has the same last name and date of birth: possibly a twin.',
  ],
  [
    'a number used again',
    { family: 'differs', given: 'differs', birthDate: 'differs' },
    ['record-number-contradicted'],
    'Different first names. The last name and birth date differ. This record number is already linked to someone whose name or date of birth is different.',
  ],
  [
    'an initial and a swapped birth date',
    { ...base, given: 'initial', birthDate: 'swapped' },
    [],
    'Same last name. One record has only the initial of the first name. The birth dates have month and day swapped.',
  ],
  [
    'swapped names and a part of a birth date',
    { ...base, given: 'swapped', family: 'swapped', birthDate: 'part' },
    [],
    'First and last name are in each other’s place. The birth dates differ in the day, the month or the year.',
  ],
  [
    'a name that a twin could have',
    { ...base, given: 'alike', street: 'exact', houseNumber: 'exact', zip: 'exact' },
    ['given-name-differs'],
    'Same last name, birth date and address. Different first names at the same address: possibly a twin.',
  ],
  [
    'another first name on the same street in another town',
    { ...base, given: 'differs', street: 'exact', houseNumber: 'exact', zip: 'differs' },
    ['given-name-differs'],
    'Same last name, birth date and street. Different first names. The ZIP code differs.',
  ],
  [
    'another SSN',
    { ...base, ssnLast4: 'differs' },
    [],
    'Same name and birth date. The last four digits of the SSN differ.',
  ],
  [
    'no birth date',
    { ...base, birthDate: 'missing', zip: 'exact' },
    [],
    'Same name and ZIP code. The birth date is not recorded.',
  ],
  [
    'another house number',
    { ...base, street: 'exact', houseNumber: 'differs', zip: 'exact' },
    [],
    'Same name, birth date and ZIP code. The street address differs.',
  ],
  [
    'a parent',
    { ...base, birthDate: 'generation', street: 'exact', houseNumber: 'exact', zip: 'exact' },
    ['birth-date-differs'],
    'Same name and address. The birth date differs.',
  ],
])('the reason for %s', (_, levels, vetoes, words) => {
  expect(reasonOf(levels, vetoes)).toBe(words);
});

test('a contradicted merge says that the hospital merged the numbers', () => {
  expect(
    reasonOf({ family: 'differs', given: 'differs' }, ['record-number-contradicted'], { isMerge: true }),
  ).toContain('The hospital merged the two record numbers, but their names or birth dates are different.');
});

test('a veto of an earlier version, in stored evidence, is still a doubt', () => {
  const stored = JSON.parse('["birth-date-nearly-agrees"]') as VetoId[];
  expect(reasonOf({ family: 'exact', given: 'exact' }, stored)).toBe(
    'Same name. An earlier version of the matcher saw a reason for doubt.',
  );
});

/** Pairs of records that earlier rules got wrong: linked though they are two people, or left to review though they are one. */
import { expect, test } from 'vitest';
import { NOBODY, person } from '#server/testing/invented-people.ts';
import { decide } from './decide.ts';
import { type Demographics, normalize } from './demographics.ts';

const ROSTER: Partial<Demographics> = {
  family: 'Lindqvist',
  given: 'Margaret',
  birthDate: '1948-03-17',
  sex: 'F',
  line1: '784 North Stamm Street, Apt 46',
  city: 'Fairhaven',
  zip: '02155',
};
const SMITH = { family: 'Smith', given: 'Mary' };
const MOVED = { line1: '9 Quay Rd', zip: '02301', city: 'Brockton' };
const RARE = { given: 'Philippa', family: 'Quillbourne', line1: null };
const HOMELESS = { line1: null, city: null };

const outcome = (a: Partial<Demographics>, b: Partial<Demographics>): string => {
  const [x, y] = [a, b].map((each) => normalize({ ...NOBODY, ...ROSTER, ...each }));
  if (x === undefined || y === undefined) throw new Error('Two records are compared');
  return decide(x, [{ personId: '1', records: [y] }]).outcome;
};

test.each<[string, Partial<Demographics>, Partial<Demographics>]>([
  ['nothing differs', {}, {}],
  ['nothing differs, with a common name', SMITH, SMITH],
  ['day and month are swapped', { birthDate: '1948-03-07' }, { birthDate: '1948-07-03' }],
  ['one digit of the birth date is off', {}, { birthDate: '1948-03-18' }],
  ['someone moved within the ZIP code', {}, { line1: '9 Quay Rd' }],
  ['someone moved and kept the phone', { phones: ['617-232-8841'] }, { phones: ['617-232-8841'], ...MOVED }],
  [
    'someone with a common name moved, and the SSN agrees',
    { ...SMITH, ssnLast4: '5017' },
    { ...SMITH, ...MOVED, ssnLast4: '5017' },
  ],
  ['a nickname, without a street', {}, { given: 'Peggy', line1: null }],
  ['only an initial', {}, { given: 'M' }],
  ['the sex is missing', { sex: null }, {}],
  ['two letters are wrong in each name', {}, { given: 'Margreat', family: 'Lindkvits' }],
  ['given and family name are swapped', {}, { given: 'Lindqvist', family: 'Margaret' }],
  ['only name, birth date and ZIP code are known', { ...HOMELESS, sex: null }, {}],
  ['someone married, and the last four of the SSN agree', { ssnLast4: '5017' }, { ssnLast4: '5017', family: 'Okafor' }],
  ['a name in two spellings', { given: 'Mohammed' }, { given: 'Muhammad' }],
  ['one part of a double name', { family: 'Lindqvist-Okafor' }, {}],
])('One person, linked: %s', (_, a, b) => {
  expect(outcome(a, b)).toBe('matched');
});

test.each<[string, Partial<Demographics>, Partial<Demographics>]>([
  ['twins one letter apart', { given: 'Jaylen' }, { given: 'Jaylan' }],
  ['twins one letter apart', { given: 'Maria' }, { given: 'Marie' }],
  ['twins with other names', { given: 'Ruth' }, { given: 'Rachel' }],
  [
    'a name that is common among immigrants, an unknown birthday, other street and phone',
    { given: 'Mohamed', family: 'Alizadeh', birthDate: '1970-01-01', sex: 'M', phones: ['617-232-8841'] },
    {
      given: 'Mohamed',
      family: 'Alizadeh',
      birthDate: '1970-01-01',
      sex: 'M',
      line1: '9 Quay Rd',
      phones: ['617-232-4410'],
    },
  ],
  [
    'patients without papers at the address of the hospital',
    { given: 'Juliet', family: 'Xxtrauma' },
    { given: 'Juliet', family: 'Xxtrauma' },
  ],
  [
    'different family names on a shared phone',
    { ...HOMELESS, zip: null, phones: ['617-232-8841'] },
    { ...HOMELESS, zip: null, phones: ['617-232-8841'], family: 'Okafor' },
  ],
  [
    'another family name, and another home in a street of that name',
    { given: 'Maribel', family: 'Fenford', line1: '110 Heron Lane', zip: '14001' },
    { given: 'Maribel', family: 'Halstead', line1: '530 Heron Lane', zip: '14201' },
  ],
  ['father and son', { suffix: 'Sr' }, { suffix: 'Jr' }],
  ['father and son without Jr', {}, { birthDate: '1975-06-02' }],
  [
    'only the last four of the SSN and the birth date',
    { ...HOMELESS, family: null, given: null, zip: null, ssnLast4: '5017' },
    { ssnLast4: '5017' },
  ],
  ['newborn twins without names', { given: 'Baby Girl' }, { given: 'Baby Girl' }],
  [
    'someone with a common name moved within the ZIP code, and an initial agrees',
    { ...SMITH, middle: 'Rose' },
    { ...SMITH, middle: 'R', line1: '9 Quay Rd' },
  ],
  ['only a common name, birth date and ZIP code are known', { ...SMITH, ...HOMELESS, sex: null }, SMITH],
  [
    'a common name, birth date and ZIP code, with another street and phone',
    { given: 'Carmen', family: 'Rodriguez', phones: ['617-232-8841'] },
    { given: 'Carmen', family: 'Rodriguez', phones: ['617-232-4410'], line1: '9 Quay Rd' },
  ],
  [
    'two residents of a nursing home with its phone',
    { ...SMITH, phones: ['617-232-8841'] },
    { ...SMITH, family: 'Jones', phones: ['617-232-8841'] },
  ],
  ['unknown patients', { given: 'Male', family: 'Zzz' }, { given: 'Male', family: 'Zzz' }],
  ['only a name and a birth date', { ...HOMELESS, zip: null, sex: null }, {}],
  [
    'a rare name in one ZIP code, one digit of the birth date off',
    { ...RARE, birthDate: '1936-03-12' },
    { ...RARE, birthDate: '1937-03-12' },
  ],
  [
    'a rare name in one ZIP code, another month, and another phone',
    { ...RARE, birthDate: '1979-10-25', phones: ['617-232-8841'] },
    { ...RARE, birthDate: '1979-04-25', phones: ['617-232-4410'] },
  ],
  [
    'a rare name in one ZIP code, day and month swapped',
    { ...RARE, birthDate: '1948-03-07' },
    { ...RARE, birthDate: '1948-07-03' },
  ],
])('Not linked: %s', (_, a, b) => {
  expect(outcome(a, b)).not.toBe('matched');
});

test('Someone of the same name and home with another birth date keeps no one from being linked whose birth date agrees', () => {
  const numberless = { phones: [], email: null, ssnLast4: null, medicareId: null, memberIds: [] };
  const own = { personId: '7', records: [person({ ...numberless, line1: '12 Stamm Street', zip: '02155' })] };
  const other = { personId: '8', records: [person({ ...numberless, birthDate: '1951-11-23' })] };
  const subject = person(numberless);
  expect(decide(subject, [other]).candidates[0]?.evidence.vetoes).toEqual(['birth-date-differs']);
  expect(decide(subject, [own, other])).toMatchObject({ outcome: 'matched', personId: '7' });
});

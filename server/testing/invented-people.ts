/** Invented demographics for tests of the scoring. */
import fc from 'fast-check';
import { type Demographics, type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';

export const NOBODY: Demographics = {
  family: null,
  formerFamilies: [],
  given: null,
  middle: null,
  suffix: null,
  birthDate: null,
  sex: null,
  line1: null,
  city: null,
  state: null,
  zip: null,
  phones: [],
  email: null,
  ssnLast4: null,
  medicareId: null,
  memberIds: [],
};

/** A person with every field known. */
export const FULL: Demographics = {
  family: 'Lindqvist',
  formerFamilies: [],
  given: 'Margaret',
  middle: 'Rose',
  suffix: null,
  birthDate: '1948-03-17',
  sex: 'Female',
  line1: '784 North Stamm Street, Apt 46',
  city: 'Fairhaven',
  state: 'MA',
  zip: '02155-1234',
  phones: ['(617) 232-8841'],
  email: 'M.Lindqvist@mail.example',
  ssnLast4: '5017',
  medicareId: '2AB3-CD4-EF56',
  memberIds: [{ value: 'W-220-117', payer: 'Harbor Health' }],
};

export const person = (overrides: Partial<Demographics> = {}): NormalizedDemographics =>
  normalize({ ...FULL, ...overrides });
/** A person with only the given fields known. */
export const sparse = (known: Partial<Demographics>): NormalizedDemographics => normalize({ ...NOBODY, ...known });

const oneOf = <T>(...values: T[]): fc.Arbitrary<T | null> => fc.constantFrom(null, ...values);

/** Draws from pools so small that two people often agree, nearly agree, or differ in a single field. */
export const closePeople: fc.Arbitrary<Demographics> = fc.record({
  family: oneOf('Lindqvist', 'Lindqvits', 'Okafor', 'Okafor-Reyes', 'Reyes', "O'Shea Jr", 'Oshea', 'van der Berg'),
  formerFamilies: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.subarray(['Lindqvist', 'OKAFOR', 'Okafor Reyes', "O'Shea", 'Unknown', 'Doe']),
  ),
  given: oneOf(
    'Margaret',
    'Peggy',
    'Margarte',
    'William',
    'Bill',
    'Will',
    'Maria',
    'Mariah',
    'M',
    'Mary Ann',
    'Baby Boy',
  ),
  middle: oneOf('R', 'Rose'),
  suffix: oneOf('Jr', 'SR', 'II', 'III'),
  birthDate: oneOf('1948-03-07', '1948-07-03', '1948-03-08', '19750211', '1900-01-01'),
  sex: oneOf('M', 'F', 'U'),
  line1: oneOf('784 N Stamm St', '784 North Stamn Street Apt 4', '785 N Stamm St', '784 N Stamm St #5', 'Homeless'),
  city: oneOf('Fairhaven'),
  state: oneOf('MA'),
  zip: oneOf('02155', '02155-0001', '02156'),
  phones: fc.subarray(['617-232-8841', '+1 617 232 8842', '000-000-0000', '617-555-0123']),
  email: oneOf('a.b@mail.example', 'A.B@mail.example ', 'none@mail.example'),
  ssnLast4: oneOf('5017', '5018', '0000'),
  medicareId: oneOf('2AB3CD4EF56', '2AB3-CD4-EF57'),
  memberIds: fc.subarray([
    { value: 'W-220-117', payer: 'Harbor Health' },
    { value: 'W220117', payer: 'Bay Plan' },
    { value: 'W220118', payer: null },
  ]),
});

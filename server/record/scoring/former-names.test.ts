/** Records of people who have or had another family name, which the hospital sends too. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FULL, NOBODY } from '#server/testing/invented-people.ts';
import { type Decision, decide } from './decide.ts';
import { type Demographics, normalize } from './demographics.ts';

const LISTED: Partial<Demographics> = {
  family: 'Lindqvist',
  given: 'Margaret',
  birthDate: '1948-03-17',
  sex: 'F',
  line1: '784 North Stamm Street, Apt 46',
  city: 'Fairhaven',
  zip: '02155',
};
const MARRIED: Partial<Demographics> = { ...LISTED, family: 'Okafor', formerFamilies: ['Lindqvist'] };
const NO_STREET = { line1: null, city: null };
const YOUNG = { birthDate: '1995-03-17' };

const decideAmong = (subject: Partial<Demographics>, ...listed: Partial<Demographics>[]): Decision =>
  decide(
    normalize({ ...NOBODY, ...subject }),
    listed.map((each, index) => ({ personId: `${index + 1}`, records: [normalize({ ...NOBODY, ...each })] })),
  );

test.each<[string, Partial<Demographics>, Partial<Demographics>]>([
  ['birth date and ZIP code', { ...MARRIED, ...NO_STREET }, LISTED],
  ['birth date and ZIP code, of someone young', { ...MARRIED, ...NO_STREET, ...YOUNG }, { ...LISTED, ...YOUNG }],
  ['the home', MARRIED, LISTED],
  ['birth date and ZIP code; both married', { ...MARRIED, ...NO_STREET }, { ...MARRIED, family: 'Reyes' }],
  [
    'birth date and phone, after a move',
    { ...MARRIED, line1: '9 Quay Rd', zip: '02301', city: 'Brockton', phones: ['617-232-8841'] },
    { ...LISTED, phones: ['617-232-8841'] },
  ],
])('A former name links with %s', (_, subject, listed) => {
  expect(decideAmong(subject, listed)).toMatchObject({
    outcome: 'matched',
    evidence: { fields: { family: 'former' } },
  });
  expect(decideAmong(listed, subject).outcome).toBe('matched');
});

test('Without the former name, another family name does not link by birth date and ZIP code', () => {
  expect(decideAmong({ ...MARRIED, ...NO_STREET, formerFamilies: [] }, LISTED).outcome).toBe('review');
});

test.each<[string, Partial<Demographics>]>([
  ['sister', { given: 'Ruth', birthDate: '1946-09-02' }],
  ['sister of the same year', { given: 'Ruth', birthDate: '1948-12-29' }],
  ['brother', { given: 'Robert', sex: 'M', birthDate: '1951-06-11' }],
  ['sister with a similar name', { given: 'Margery', birthDate: '1946-09-02' }],
])('A %s who has the maiden name is someone else', (_, sibling) => {
  for (const where of [{}, NO_STREET]) {
    expect(decideAmong({ ...MARRIED, ...where }, { ...LISTED, ...sibling }).outcome).toBe('new');
  }
});

test('A former name that is common says less than a rare one', () => {
  const bits = (name: string) =>
    decideAmong({ ...MARRIED, ...NO_STREET, formerFamilies: [name] }, { ...LISTED, family: name }).evidence?.bits ?? 0;
  expect(bits('Smith')).toBeLessThan(bits('Lindqvist') - 3);
});

test('A twin who married is never linked to the other twin', () => {
  const given = fc.constantFrom('Margaret', 'Ruth', 'Rachel', 'Marie', 'Maria', 'Jaylen', 'Jaylan', 'Robert');
  const shared = fc.subarray(['line1', 'zip', 'phones', 'email', 'memberIds'] as const);
  fc.assert(
    fc.property(given, given, shared, (a, b, fields) => {
      fc.pre(a !== b);
      const home = Object.fromEntries(fields.map((field) => [field, FULL[field]]));
      const twin = { family: 'Lindqvist', birthDate: '1995-03-17', sex: 'F', ...home };
      const married = { ...twin, given: a, family: 'Okafor', formerFamilies: ['Lindqvist'] };
      expect(decideAmong(married, { ...twin, given: b }).outcome).not.toBe('matched');
    }),
    { numRuns: 1000 },
  );
});

test('If both twins of a home are listed, and one of them married, her first name decides', () => {
  for (const born of [{}, YOUNG]) {
    const [one, other] = [LISTED, { ...LISTED, given: 'Ruth' }].map((each) => ({ ...each, ...born }));
    expect(decideAmong({ ...MARRIED, ...born }, one ?? {}, other ?? {})).toMatchObject({ outcome: 'matched' });
    // Not her first name as it is listed: she may be the one with the maiden name.
    expect(decideAmong({ ...MARRIED, ...born, given: 'M' }, one ?? {}, other ?? {}).outcome).toBe('review');
  }
});

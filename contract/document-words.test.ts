import { expect, test } from 'vitest';
import { isDatedAhead, subjectCaution, subjectInWords } from './document-words.ts';

const PATIENT = { firstName: 'Zoë Ann', lastName: "O'Shea-Núñez", dateOfBirth: '1949-07-22' };
const subject = (family: string, given: string, birthDate: string | null) => ({
  identifiers: [],
  name: { family, given, middle: null, suffix: null },
  birthDate,
  sex: null,
  address: null,
  phones: [],
});

test.each([
  ['O’Shea Nunez', 'ZOE', '1949-07-22', null],
  ["O'Shea-Núñez", 'Zoë Ann', null, null],
  ['Holloway', 'Zoe', '1949-07-22', 'name in this document differs'],
  ["O'Shea-Núñez", 'Patricia', '1949-07-22', 'name in this document differs'],
  ["O'Shea-Núñez", 'Zoe', '1949-07-23', 'birth date in this document differs'],
  ['Holloway', 'Patricia', '2004-06-01', 'name and birth date in this document differ '],
])('%s, %s, born %s: %s', (family, given, birthDate, expected) => {
  const caution = subjectCaution(subject(family, given, birthDate), PATIENT);
  if (expected === null) expect(caution).toBeNull();
  else expect(caution).toContain(expected);
});

test('what a document lacks is said, and is no difference', () => {
  const unnamed = { ...subject('', '', null), name: null };
  expect(subjectInWords(unnamed)).toBe('Name not in the document, birth date not in the document');
  expect(subjectCaution(unnamed, PATIENT)).toBeNull();
});

test.each([
  ['2026-11-22T09:00:00Z', true],
  ['2026-11-22', true],
  ['2026-11-21', false],
  ['2026-11-20T23:00:00Z', false],
])('a document written %s and received on November 20, 2026 is dated ahead: %s', (writtenAt, expected) => {
  expect(isDatedAhead(writtenAt, '2026-11-20T15:00:00Z')).toBe(expected);
});

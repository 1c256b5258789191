import { expect, test } from 'vitest';
import type { DocumentHeader } from '#contract/clinical-documents.ts';
import { differenceOf } from './about-another.ts';

type Named = { family: string; given: string; birthDate: string | null };
const nameOf = ({ family, given }: Named) => ({ family, given, middle: null, suffix: null });
const inPid = (person: Named) => ({
  recordNumber: '1',
  identifiers: [],
  name: nameOf(person),
  birthDate: person.birthDate,
});
const inDocument = (person: Named): DocumentHeader['patient'] => ({
  identifiers: [],
  name: nameOf(person),
  birthDate: person.birthDate,
  sex: null,
  address: null,
  phones: [],
});
const PATRICIA: Named = { family: 'Okafor', given: 'Patricia', birthDate: '1949-07-22' };

test.each<[string, Partial<Named>, string | null]>([
  ['the same person', {}, null],
  ['another family name and birth date', { family: 'Holloway', birthDate: '2004-06-01' }, 'the birth dates differ'],
  [
    'another family name, and a birth date that differs in one part',
    { family: 'Holloway', birthDate: '1949-07-05' },
    'the family names and the birth dates differ',
  ],
  ['a birth date that differs in two parts', { birthDate: '1949-03-05' }, 'the birth dates differ'],
  ['a birth date that differs in one part', { birthDate: '1949-07-05' }, null],
  ['day and month in each other’s place', { birthDate: '1949-22-07' }, null],
  ['another family name', { family: 'Holloway' }, null],
  ['another family name without a birth date', { family: 'Holloway', birthDate: null }, null],
  ['a typing error in both', { family: 'Okafar', birthDate: '1949-07-23' }, null],
  ['a date that stands for none', { family: 'Holloway', birthDate: '1900-01-01' }, null],
])('%s', (_, over, expected) => {
  expect(differenceOf(inPid(PATRICIA), inDocument({ ...PATRICIA, ...over }))).toBe(expected);
});

test('a document that is about a second patient, too, belongs to no message about one', () => {
  const both = { ...inDocument(PATRICIA), isOneOfSeveral: true };
  expect(differenceOf(inPid(PATRICIA), both)).toBe('it is also about a second patient');
});

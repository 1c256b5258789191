/** Values that backtracking expressions choke on. A value that takes more than linear time makes its test run into the time limit. */
import { expect, test } from 'vitest';
import { normalizeName } from './names.ts';
import { normalizeEmail, normalizePhone } from './normalize-values.ts';

const LONG = 100_000;

test.each([
  ['newborns without an end', `${'BABYBOY'.repeat(28)}X`],
  ['newborns of every kind', `${'TWINNBBABYBOYGIRL'.repeat(2000)}E`],
  ['one letter', 'A'.repeat(LONG)],
  ['marks', `${'-'.repeat(LONG)}X`],
  ['blanks', `N/A${' '.repeat(LONG)}X`],
])('a given name of %s is read in linear time', (_, given) => {
  expect(normalizeName({ family: 'Lindqvist', given, middle: null, suffix: null })).toBeDefined();
});

test.each([`a@${'.'.repeat(LONG)} b`, '@'.repeat(LONG), 'a@b'.repeat(LONG)])(
  'an email address of ill will is read in linear time',
  (email) => {
    expect(normalizeEmail(email)).toBeNull();
  },
);

test('a phone number of ill will is read in linear time', () => {
  expect(normalizePhone(`${'X'.repeat(LONG)}\n`)).toBeNull();
});

test('newborns are still known by what hospitals call them', () => {
  for (const given of ['BABY BOY', 'Newborn', 'TWIN A', 'NB GIRL', 'Boy Baby B', 'INFANT']) {
    const { given: named } = normalizeName({ family: 'Lindqvist', given, middle: null, suffix: null });
    expect(named).toContain('NEWBORN');
  }
});

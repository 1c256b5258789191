import { expect, test } from 'vitest';
import { admitSourceLabel, dispositionLabel } from './dispositions.ts';

test('codes have words, with a planned readmission too', () => {
  expect(dispositionLabel('01')).toBe('Home');
  expect(dispositionLabel('83')).toBe('Skilled nursing facility, readmission planned');
  expect(admitSourceLabel('7')).toBe('Emergency department');
});

test.each(['constructor', 'toString', '__proto__', 'LOCAL TEXT'])(
  '%s, as a sender may write it, stays as it is',
  (code) => {
    expect(dispositionLabel(code)).toBe(code);
    expect(admitSourceLabel(code)).toBe(code);
  },
);

import { expect, test } from 'vitest';
import { purposeOf } from './stay-purpose.ts';

const said = (admitReason: string | null, description: string | null = null) =>
  purposeOf({ admitReason, diagnoses: [{ code: '', description, type: 'A', priority: 1, codeSystem: null }] });

test.each([
  ['LABOR', 'LABOR'],
  ['False labor, 38 weeks', 'LABOR'],
  ['Repeat C-section', 'LABOR'],
  ['NEWBORN', 'LABOR'],
  ['Labored breathing', null],
  ['Chemotherapy cycle 3', 'CANCER_TREATMENT'],
  ['Scheduled chemo', 'CANCER_TREATMENT'],
  ['Cycle 2 immunotherapy', 'CANCER_TREATMENT'],
  ['Chemotherapy-induced nausea', null],
  ['Neutropenic fever after chemotherapy', null],
  ['Chest pain', null],
])('%s: %s', (text, purpose) => {
  expect(said(text)).toBe(purpose);
  expect(said(null, text)).toBe(purpose);
});

test('a code decides by itself', () => {
  const description = 'History of labor complications';
  expect(
    purposeOf({
      admitReason: null,
      diagnoses: [{ code: 'Z87.51', description, type: 'A', priority: 1, codeSystem: 'I10' }],
    }),
  ).toBeNull();
});

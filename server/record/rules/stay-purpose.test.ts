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
  ['C-SECTION', 'LABOR'],
  ['LABOR PAINS', 'LABOR'],
  ['IN LABOR, 39W2D', 'LABOR'],
  ['SCHEDULED REPEAT CESAREAN SECTION', 'LABOR'],
  ['INDUCTION OF LABOR', 'LABOR'],
  ['Spontaneous vaginal delivery', 'LABOR'],
  ['NEWBORN, FEMALE, 39 WEEKS', 'LABOR'],
  ['Single liveborn infant', 'LABOR'],
  ['CESAREAN WOUND INFECTION', null],
  ['C-section pain', null],
  ['POSTPARTUM HEMORRHAGE AFTER VAGINAL DELIVERY', null],
  ['HEMORRHAGE, VAGINAL DELIVERY 10 DAYS AGO', null],
  ['APPENDICITIS, 30 WEEKS, NOT IN LABOR', null],
  ['NEWBORN JAUNDICE', null],
  ['RADIATION THERAPY', 'CANCER_TREATMENT'],
  ['ADMISSION FOR CHEMOTHERAPY, CYCLE 4 DAY 1', 'CANCER_TREATMENT'],
  ['Chemo for lymphoma', 'CANCER_TREATMENT'],
  ['RADIATION THERAPY PNEUMONITIS', null],
  ['RADIATION THERAPY ENTERITIS', null],
  ['RADIATION THERAPY BURN, WOUND INFECTION', null],
  ['IMMUNOTHERAPY COLITIS', null],
  ['CHEMOTHERAPY PORT INFECTION', null],
  ['Pneumonia, on chemotherapy', null],
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

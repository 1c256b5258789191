import { expect, test } from 'vitest';
import { mentionsCovid } from './covid.ts';

const mentions = (code: string, description: string | null, admitReason: string | null = null) =>
  mentionsCovid({ diagnoses: [{ code, description }], admitReason });

test.each([
  ['U07.1', 'COVID-19'],
  ['u071', null],
  ['J12.82', 'Pneumonia due to coronavirus disease 2019'],
  ['', 'Acute SARS-CoV-2 infection'],
  ['840539006', 'Disease caused by COVID'],
])('%s %s mentions it', (code, text) => {
  expect(mentions(code, text)).toBe(true);
});

test.each([
  ['Z20.822', 'Contact with and (suspected) exposure to COVID-19'],
  ['Z11.52', 'Encounter for screening for COVID-19'],
  ['U09.9', 'Post COVID-19 condition'],
  ['', 'Personal history of COVID-19'],
  ['', 'COVID vaccination'],
  ['', 'COVID ruled out'],
  ['J18.9', 'Pneumonia'],
  ['', 'Recovered from COVID last month, now chest pain'],
  ['', 'Suspected COVID-19'],
  ['', 'Possible COVID'],
  ['', 'COVID-19 PUI'],
  ['', 'Cough, hx of COVID'],
  ['', 'Had COVID 2 months ago, chest pain'],
  ['', 'r/o pneumonia, ? covid'],
])('%s %s does not mention the illness', (code, text) => {
  expect(mentions(code, text)).toBe(false);
});

test('the admit reason counts too', () => {
  expect(mentions('R05.9', 'Cough', 'FEVER, COVID POSITIVE')).toBe(true);
  expect(mentions('R05.9', 'Cough', 'COUGH, COVID NEGATIVE')).toBe(false);
});

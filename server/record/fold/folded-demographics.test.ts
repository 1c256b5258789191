import { expect, test } from 'vitest';
import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import { fact } from '#server/testing/facts.ts';
import { foldDemographics } from './folded-demographics.ts';

const ANN = { given: 'Ann', middle: null, suffix: null };
const at = (time: string, patient: Partial<PatientFacts>) => fact('A08', time, { patient });

test('former names stay when a later message has none, in any order of arrival, and are deleted on request', () => {
  const facts = [
    at('08:00', { name: { ...ANN, family: 'Osei' } }),
    at('09:00', { name: { ...ANN, family: 'Mensah' }, formerFamilies: ['Osei'] }),
    at('10:00', { name: { ...ANN, family: 'Mensah' } }),
  ];
  for (const order of [facts, facts.toReversed()]) {
    expect(foldDemographics(order).demographics).toMatchObject({
      name: { family: 'Mensah' },
      formerFamilies: ['Osei'],
    });
  }
  const deleted = foldDemographics([...facts, at('11:00', { formerFamilies: null })]);
  expect(deleted.demographics).not.toHaveProperty('formerFamilies');
});

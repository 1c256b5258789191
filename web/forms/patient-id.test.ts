import { expect, test } from 'vitest';
import { patientIdIn } from './patient-id.ts';

test('a patient ID is read from an ID or from the address of the patient’s page', () => {
  expect(patientIdIn(' 12_0 ')).toBe('12_0');
  expect(patientIdIn('https://tidings.example/dashboard/patients/12_345')).toBe('12_345');
  for (const text of ['', '12', '12_', 'Rosa_12', '12_3/edit']) expect(patientIdIn(text)).toBeNull();
});

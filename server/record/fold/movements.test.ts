import { describe } from 'vitest';
import { fact, NURSING } from '#server/testing/facts.ts';
import { admit, present, testStories } from '#server/testing/visit-stories.ts';

describe('updates, moves and leaves', () => {
  testStories([
    [
      'inpatient back to observation by A07',
      [admit, fact('A07', '09:00', { class: 'OBSERVATION' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00', 'TRANSFER OBSERVATION 01 09:00'],
    ],
    [
      'a class change by A08',
      [present, fact('A08', '09:00', { class: 'OBSERVATION' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'TRANSFER OBSERVATION 01 09:00'],
    ],
    [
      'another unit',
      [admit, fact('A02', '09:00', { unit: 'ICU' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00', 'TRANSFER INPATIENT 01 09:00'],
    ],
    [
      'another bed',
      [admit, fact('A02', '09:00', { unit: '4W', room: '2' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'another payer',
      [
        fact('A01', '08:00', {
          class: 'INPATIENT',
          payers: [{ code: null, company: 'Medicare', plan: null, memberId: null }],
        }),
        fact('A08', '09:00', { payers: [{ code: null, company: 'Medicaid', plan: null, memberId: null }] }),
      ],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00', 'PAYOR_CHANGE INPATIENT 01 09:00'],
    ],
    [
      'the same payer spelled differently',
      [
        fact('A01', '08:00', {
          class: 'INPATIENT',
          payers: [{ code: null, company: 'Medicare', plan: null, memberId: null }],
        }),
        fact('A08', '09:00', { payers: [{ code: 'M1', company: 'MEDICARE', plan: 'A', memberId: '7' }] }),
      ],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    ['a leave from a hospital', [admit, fact('A21', '09:00')], 'ON_LEAVE', ['ADMIT INPATIENT 01 08:00']],
    [
      'a leave from a nursing facility',
      [admit, fact('A21', '09:00'), fact('A22', '11:00')],
      'IN_PROGRESS',
      ['ADMIT SNF 01 08:00', 'MEDICAL_LEAVE_OF_ABSENCE SNF 01 09:00', 'RESUMED_SERVICES SNF 01 11:00'],
      NURSING,
    ],
  ]);
});

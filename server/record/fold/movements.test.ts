import { describe, expect, it } from 'vitest';
import { fact, HOSPITAL, moment, NURSING } from '#server/testing/facts.ts';
import { admit, present, testStories } from '#server/testing/visit-stories.ts';
import { foldVisit } from './fold-visit.ts';

const register = fact('A04', '08:00', { class: 'OUTPATIENT', admitted: '08:00' });
const formal = fact('A08', '2 15:00', { class: 'INPATIENT', admitted: '08:00' });

describe('an outpatient who becomes an inpatient', () => {
  testStories([
    ['by A08: since then', [register, formal], 'IN_PROGRESS', ['ADMIT INPATIENT 02 15:00']],
    [
      'by A08, repeated and then discharged',
      [
        register,
        formal,
        fact('A08', '3 09:00', { class: 'INPATIENT', admitted: '08:00' }),
        fact('A03', '4 10:00', { class: 'INPATIENT', admitted: '08:00', discharged: '4 10:00', disposition: '03' }),
      ],
      'FINISHED',
      ['ADMIT INPATIENT 02 15:00', 'DISCHARGE INPATIENT 04 10:00'],
    ],
    [
      'into observation, then into a bed',
      [register, fact('A08', '20:00', { class: 'OBSERVATION' }), formal],
      'IN_PROGRESS',
      ['ADMIT OBSERVATION 01 20:00', 'ADMIT INPATIENT 02 15:00'],
    ],
    [
      'by an A08 with a PV1-44 of its own: since that',
      [register, fact('A08', '2 15:00', { class: 'INPATIENT', admitted: '2 14:30' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 02 14:30'],
    ],
    [
      'by A08, then an A01: the arrival is right',
      [register, formal, fact('A01', '3 07:00', { class: 'INPATIENT', admitted: '3 07:00' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 03 07:00'],
    ],
    [
      'by A02, from registrations that are visits',
      [register, fact('A02', '2 15:00', { class: 'INPATIENT', unit: '4W' })],
      'IN_PROGRESS',
      ['VISIT OUTPATIENT 01 08:00', 'ADMIT INPATIENT 02 15:00'],
      { ...HOSPITAL, registrationIsVisit: true },
    ],
    [
      'after the end of the visit: a correction',
      [register, fact('A03', '12:00', { class: 'OUTPATIENT' }), formal],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
  ]);

  it('is reported by the message, not inferred', () => {
    const visit = foldVisit([formal, register], HOSPITAL);
    expect(visit.events).toMatchObject([{ code: 'ADMIT', inferred: false }]);
    expect(visit.outcomes.get(formal.id)).toBe('Created: admission');
  });
});

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

describe('an ED visit to which an update gives another class', () => {
  const arrived = fact('A04', '03:19', { class: 'EMERGENCY', admitted: '03:19' });
  const observed = fact('A08', '08:00', { class: 'OBSERVATION', admitted: '07:19' });
  const began = ['PRESENTED EMERGENCY 01 03:19', 'TRANSFER OBSERVATION 01 07:19'];
  testStories([
    ['with a PV1-44 of its own, which dates that step', [arrived, observed], 'IN_PROGRESS', began],
    [
      'repeated, and then admitted',
      [
        arrived,
        observed,
        fact('A08', '09:00', { class: 'OBSERVATION', admitted: '07:19' }),
        fact('A06', '2 10:00', { class: 'INPATIENT', admitted: '2 10:00' }),
      ],
      'IN_PROGRESS',
      [...began, 'ADMIT INPATIENT 02 10:00'],
    ],
    [
      'with the PV1-44 of the arrival: when the update was written',
      [arrived, fact('A08', '08:00', { class: 'OBSERVATION', admitted: '03:19' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 03:19', 'TRANSFER OBSERVATION 01 08:00'],
    ],
    [
      'in the same class: a correction of the arrival',
      [arrived, fact('A08', '08:00', { class: 'EMERGENCY', admitted: '03:30' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 03:30'],
    ],
  ]);
});

describe('a patient in the ED or under observation whom an update makes an inpatient', () => {
  const observed = fact('A01', '08:00', { class: 'OBSERVATION', admitted: '08:00' });
  const bedded = fact('A08', '2 15:00', { class: 'INPATIENT', admitted: '08:00' });
  const repeated = fact('A08', '2 16:00', { class: 'INPATIENT', admitted: '08:00' });
  const admitted = ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 02 15:00'];
  testStories([
    ['from the ED: admitted', [present, bedded, repeated], 'IN_PROGRESS', admitted],
    [
      'from observation: admitted',
      [observed, bedded, repeated],
      'IN_PROGRESS',
      ['ADMIT OBSERVATION 01 08:00', 'ADMIT INPATIENT 02 15:00'],
    ],
    [
      'with a PV1-44 of its own: since that',
      [present, fact('A08', '2 15:00', { class: 'INPATIENT', admitted: '2 14:30' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 02 14:30'],
    ],
    [
      'by a move to another unit',
      [present, fact('A02', '2 15:00', { class: 'INPATIENT', unit: '4W' })],
      'IN_PROGRESS',
      admitted,
    ],
    [
      'then by A06, whose PV1-44 dates it better',
      [present, bedded, fact('A06', '2 17:00', { class: 'INPATIENT', admitted: '2 17:00' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 02 17:00'],
    ],
    [
      'and put back under observation by an update after the discharge',
      [
        observed,
        bedded,
        fact('A03', '3 09:00', { disposition: '01' }),
        fact('A08', '3 12:00', { class: 'OBSERVATION' }),
      ],
      'FINISHED',
      ['ADMIT OBSERVATION 01 08:00', 'DISCHARGE OBSERVATION 03 09:00'],
    ],
  ]);

  it('is admitted from the former class, once', () => {
    const sentAgain = fact('A01', '4 09:00', { class: 'INPATIENT', admitted: '08:00' });
    const { events, outcomes } = foldVisit([present, bedded, sentAgain], HOSPITAL);
    expect(events.at(-1)).toMatchObject({ code: 'ADMIT', priorSetting: 'EMERGENCY', at: moment('2 15:00') });
    expect(outcomes.get(sentAgain.id)).toBe('No new event: repeats a known arrival');
  });
});

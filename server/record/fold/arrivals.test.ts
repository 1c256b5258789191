import { describe, expect, it } from 'vitest';
import { fact, HOSPITAL, moment, URGENT_CARE } from '#server/testing/facts.ts';
import { admit, discharge, present, testStories } from '#server/testing/visit-stories.ts';
import type { FoldFacility } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';

const OUTPATIENTS: FoldFacility = { ...HOSPITAL, registrationIsVisit: true };
const again = fact('A01', '5 08:00', { class: 'INPATIENT' });

describe('arrivals', () => {
  testStories([
    ['an admission', [admit], 'IN_PROGRESS', ['ADMIT INPATIENT 01 08:00']],
    [
      'an observation stay',
      [fact('A01', '08:00', { class: 'OBSERVATION' })],
      'IN_PROGRESS',
      ['ADMIT OBSERVATION 01 08:00'],
    ],
    ['an arrival in the ED', [present], 'IN_PROGRESS', ['PRESENTED EMERGENCY 01 08:00']],
    [
      'an A01 in the ED',
      [fact('A01', '08:00', { class: 'EMERGENCY' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00'],
    ],
    ['an A01 without a class', [fact('A01', '08:00')], 'IN_PROGRESS', ['ADMIT UNKNOWN 01 08:00']],
    [
      'an outpatient registration that creates no event',
      [fact('A04', '08:00', { class: 'OUTPATIENT' })],
      'FINISHED',
      [],
    ],
    [
      'a registration that is a visit',
      [fact('A04', '08:00', { class: 'OUTPATIENT' }), fact('A03', '09:00', { class: 'OUTPATIENT' })],
      'FINISHED',
      ['VISIT OUTPATIENT 01 08:00'],
      OUTPATIENTS,
    ],
    [
      'urgent care',
      [fact('A04', '08:00', { class: 'EMERGENCY' }), fact('A03', '09:00')],
      'FINISHED',
      ['VISIT URGENT_CARE 01 08:00'],
      URGENT_CARE,
    ],
    [
      'ED, then inpatient by A06',
      [present, fact('A06', '09:00', { class: 'INPATIENT', admitted: '08:00', occurred: '08:00' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:00'],
    ],
    [
      'an A06 whose PV1-44 is its own admission',
      [present, fact('A06', '13:00', { admitted: '09:00', occurred: '09:00' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:00'],
    ],
    [
      'ED, then inpatient by A01',
      [present, fact('A01', '09:00', { class: 'INPATIENT', occurred: '09:00' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:00'],
    ],
    [
      'observation, then inpatient',
      [fact('A01', '08:00', { class: 'OBSERVATION' }), fact('A06', '09:00')],
      'IN_PROGRESS',
      ['ADMIT OBSERVATION 01 08:00', 'ADMIT INPATIENT 01 09:00'],
    ],
    [
      'an arrival and a discharge in the ED, then an admission with the PV1-44 of the arrival',
      [
        present,
        fact('A03', '10:00', { class: 'EMERGENCY', discharged: '10:00' }),
        fact('A01', '10:05', { class: 'INPATIENT', admitted: '08:00' }),
      ],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'DISCHARGE EMERGENCY 01 10:00', 'ADMIT INPATIENT 01 10:05'],
    ],
    [
      'a planned visit',
      [fact('A05', '07:00', { class: 'INPATIENT', admitted: '5 08:00' }), fact('A08', '07:30', { class: 'INPATIENT' })],
      'PLANNED',
      [],
    ],
    [
      'a registration of class P',
      [fact('A04', '07:00', { classCode: 'P' }), fact('A08', '07:30', { classCode: 'P' })],
      'PLANNED',
      [],
    ],
    [
      'an update of class P first, then the admission',
      [fact('A08', '07:30', { classCode: 'P' }), admit],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'an update that arrives first',
      [fact('A08', '09:00', { class: 'INPATIENT', admitted: '08:00' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'an update that arrives first, without a time of admission',
      [fact('A08', '09:00', { class: 'INPATIENT' })],
      'IN_PROGRESS',
      [],
    ],
    [
      'a transfer that arrives first, without a class',
      [fact('A02', '09:00', { unit: 'ICU', admitted: '08:00' })],
      'IN_PROGRESS',
      [],
    ],
    [
      'an update dated before the admission',
      [fact('A08', '07:50', { class: 'INPATIENT', admitted: '08:00' }), admit],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'a second stay under the same visit number',
      [admit, discharge, fact('A01', '5 08:00', { class: 'INPATIENT', admitted: '5 08:00' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00', 'ADMIT INPATIENT 05 08:00'],
    ],
    [
      'a second stay after one that began with an update',
      [fact('A08', '09:00', { class: 'INPATIENT', admitted: '08:00' }), discharge, again],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00', 'ADMIT INPATIENT 05 08:00'],
    ],
  ]);

  it('begins a second stay under the same visit number when it began, also if messages repeat the PV1-44 of the first', () => {
    const update = fact('A08', '6 08:00', { class: 'INPATIENT', admitted: '08:00' });
    const visit = foldVisit([update, again, discharge, admit], HOSPITAL);
    expect(visit.state.admittedAt).toEqual(moment('5 08:00'));
    expect(visit.events.map(({ at }) => at)).toEqual([moment('08:00'), moment('10:00'), moment('5 08:00')]);
  });

  it('marks an admission as inferred until its own message arrives', () => {
    const update = fact('A08', '09:00', { class: 'INPATIENT', admitted: '08:00' });
    expect(foldVisit([update], HOSPITAL).events[0]).toMatchObject({ inferred: true, at: moment('08:00') });
    expect(foldVisit([update, admit], HOSPITAL).events).toMatchObject([{ code: 'ADMIT', inferred: false }]);
  });
});

it('a stay that went on from an outpatient visit by a transfer is open, and has no discharge', () => {
  const { state } = foldVisit(
    [
      fact('A03', '10:00', { class: 'OUTPATIENT', discharged: '10:00', disposition: '01' }),
      fact('A02', '8 08:00', { class: 'INPATIENT' }),
    ],
    HOSPITAL,
  );
  expect(state).toMatchObject({ status: 'IN_PROGRESS', setting: 'INPATIENT', dischargedAt: null });
});

it('an admission under the number of an outpatient visit has not ended with that visit', () => {
  for (const facility of [HOSPITAL, OUTPATIENTS]) {
    const { state } = foldVisit(
      [
        fact('A04', '08:00', { class: 'OUTPATIENT' }),
        fact('A31', '09:00', { class: 'OUTPATIENT', discharged: '09:00', disposition: '01' }),
        fact('A01', '2 08:00', { class: 'INPATIENT' }),
      ],
      facility,
    );
    expect(state).toMatchObject({ status: 'IN_PROGRESS', setting: 'INPATIENT', dischargedAt: null, disposition: null });
  }
});

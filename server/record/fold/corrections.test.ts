/** Corrections by updates (A08): of the time of admission, of the class, and of a disposition that is no discharge. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FactDetails, fact, HOSPITAL, moment } from '#server/testing/facts.ts';
import { admit, discharge, eventsOf, present, testStories } from '#server/testing/visit-stories.ts';
import { foldVisit } from './fold-visit.ts';

const update = (time: string, details: FactDetails) => fact('A08', time, { class: 'INPATIENT', ...details });
const admitted = (time: string, at: string, more: FactDetails = {}) => update(time, { admitted: at, ...more });
const toInpatient = fact('A06', '09:30', { class: 'INPATIENT', admitted: '08:00' });

describe('another PV1-44', () => {
  testStories([
    ['moves the admission', [admit, admitted('09:00', '06:30')], 'IN_PROGRESS', ['ADMIT INPATIENT 01 06:30']],
    [
      'moves it to another day, and back',
      [admit, admitted('2 09:00', '2 08:00'), admitted('3 09:00', '08:00')],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'moves the admission of a finished stay',
      [admit, discharge, admitted('2 09:00', '06:30')],
      'FINISHED',
      ['ADMIT INPATIENT 01 06:30', 'DISCHARGE INPATIENT 01 10:00'],
    ],
    [
      'after the discharge is that of another stay',
      [admit, discharge, admitted('2 09:00', '2 08:00')],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
    ],
    [
      'that is the time of its transfer moves nothing, whatever repeats it',
      [
        admit,
        fact('A02', '2 08:15', { class: 'INPATIENT', unit: 'ICU', admitted: '2 08:15' }),
        admitted('2 09:00', '2 08:15'),
        fact('A02', '3 08:20', { class: 'INPATIENT', unit: '4W', occurred: '3 08:15', admitted: '3 08:15' }),
        admitted('3 09:00', '3 08:15'),
      ],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00', 'TRANSFER INPATIENT 02 08:15', 'TRANSFER INPATIENT 03 08:20'],
    ],
    [
      'that comes with a transfer out of the ED is the admission',
      [
        present,
        fact('A02', '09:30', { class: 'INPATIENT', unit: '4W', admitted: '09:30' }),
        admitted('11:00', '09:30'),
      ],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:30'],
    ],
    [
      'that names only the day of the admission moves nothing',
      [admit, admitted('09:00', '1')],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'moves the arrival in the ED if the admission only repeats it',
      [present, toInpatient, admitted('11:00', '07:40')],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 07:40', 'ADMIT INPATIENT 01 09:30'],
    ],
    [
      'near the admission is that of the admission, not of the arrival in the ED',
      [present, toInpatient, admitted('11:00', '09:20')],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:20'],
    ],
    [
      'never puts the admission before the arrival in the ED',
      [
        present,
        fact('A01', '09:00', { class: 'INPATIENT', admitted: '09:00' }),
        admitted('11:00', '08:40'),
        admitted('12:00', '07:00'),
      ],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 07:00', 'ADMIT INPATIENT 01 08:40'],
    ],
    [
      'does not move an inpatient admission to the registration before it',
      [fact('A04', '08:00', { class: 'OUTPATIENT', admitted: '08:00' }), toInpatient, admitted('11:00', '07:40')],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 09:30'],
    ],
    [
      'is no correction of an EVN-6 if it is the first',
      [
        fact('A01', '08:00', { class: 'INPATIENT', occurred: '08:00' }),
        admitted('09:00', '07:50'),
        admitted('10:00', '07:00'),
      ],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 07:00'],
    ],
    [
      'dates an admission that was dated by EVN-2',
      [fact('A01', '08:00', { class: 'INPATIENT' }), admitted('09:00', '07:50')],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 07:50'],
    ],
    [
      'of the admission sent again moves it, whichever of the two is the earlier time',
      [admit, fact('A01', '09:00', { class: 'INPATIENT', admitted: '08:30' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:30'],
    ],
    [
      'of the admission sent again moves it to an earlier time',
      [admit, fact('A01', '09:00', { class: 'INPATIENT', admitted: '06:30' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 06:30'],
    ],
    [
      'in the future moves nothing',
      [admit, admitted('09:00', '2 08:00', { received: '09:00' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
  ]);

  it('gives encounter and event the same time, and is not repeated by the admission sent again', () => {
    const again = fact('A01', '12:00', { class: 'INPATIENT', admitted: '06:30', occurred: '12:00' });
    const visit = foldVisit([admit, admitted('09:00', '06:30'), discharge, again], HOSPITAL);
    expect(visit.state).toMatchObject({ status: 'FINISHED', admittedAt: moment('06:30') });
    expect(visit.events[0]?.at).toEqual(moment('06:30'));
  });

  it('of the admission sent again is the time of the encounter too', () => {
    for (const at of ['06:30', '08:30']) {
      const again = fact('A01', '09:00', { class: 'INPATIENT', admitted: at });
      expect(foldVisit([admit, again], HOSPITAL).state.admittedAt).toEqual(moment(at));
    }
  });

  it('says so', () => {
    const correction = admitted('09:00', '06:30');
    expect(foldVisit([admit, correction], HOSPITAL).outcomes.get(correction.id)).toBe('Updated: admission');
  });

  it('leaves events in order and the stay as it was', () => {
    const hour = fc.integer({ min: 0, max: 20 }).map((h) => `${String(h).padStart(2, '0')}:10`);
    const corrections = fc.array(fc.tuple(fc.integer({ min: 2, max: 9 }), hour), { maxLength: 4 });
    fc.assert(
      fc.property(corrections, fc.boolean(), fc.boolean(), (changes, inEmergency, hasEnded) => {
        const facts = [
          ...(inEmergency ? [present, toInpatient] : [admit]),
          ...(hasEnded ? [discharge] : []),
          ...changes.map(([day, at]) => admitted(`${day} 09:00`, at)),
        ];
        const { state, events } = foldVisit(facts, HOSPITAL);
        expect(state.status).toBe(hasEnded ? 'FINISHED' : 'IN_PROGRESS');
        const codes = [...(inEmergency ? ['PRESENTED', 'ADMIT'] : ['ADMIT']), ...(hasEnded ? ['DISCHARGE'] : [])];
        expect(events.map(({ code }) => code)).toEqual(codes);
        if (state.dischargedAt) expect(String(state.admittedAt?.instant) <= state.dischargedAt.instant).toBe(true);
      }),
    );
  });
});

describe('a day or midnight as PV1-44', () => {
  it.each([
    ['a day', moment('1')],
    ['midnight', moment('00:00')],
  ])('%s gives way to EVN-2 of the same day, for event and encounter', (_, admittedAt) => {
    const arrival = fact('A01', '14:20', { class: 'INPATIENT' });
    const own = { ...arrival, adt: { ...arrival.adt, visit: { ...arrival.adt.visit, admittedAt } } };
    const { state, events } = foldVisit([own], HOSPITAL);
    expect([state.admittedAt, events[0]?.at]).toEqual([moment('14:20'), moment('14:20')]);
    const later = fact('A08', '18:00', { class: 'INPATIENT' });
    const repeated = { ...later, adt: { ...later.adt, visit: { ...later.adt.visit, admittedAt } } };
    expect(foldVisit([own, repeated], HOSPITAL).state.admittedAt).toEqual(moment('14:20'));
    expect(eventsOf(foldVisit([own, repeated], HOSPITAL))).toEqual(['ADMIT INPATIENT 01 14:20']);
  });
});

describe('disposition 09', () => {
  const toWard = fact('A03', '10:00', { class: 'EMERGENCY', discharged: '10:00', disposition: '09' });
  testStories([
    ['ends an ED account without a discharge', [present, toWard], 'FINISHED', ['PRESENTED EMERGENCY 01 08:00']],
    [
      'is followed by the admission under the same number',
      [present, toWard, fact('A01', '10:30', { class: 'INPATIENT', admitted: '10:30' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 10:30'],
    ],
    [
      'is followed by a move to a ward under the same number',
      [present, toWard, fact('A02', '11:00', { class: 'INPATIENT', unit: '4W' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 11:00'],
    ],
    [
      'does not end a stay that has become inpatient',
      [present, toInpatient, toWard],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:30'],
    ],
    [
      'of an update ends an ED account without a discharge',
      [present, fact('A08', '12:00', { class: 'EMERGENCY', discharged: '10:00', disposition: '09' })],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00'],
    ],
    [
      'corrects a discharge from the ED',
      [
        present,
        fact('A03', '10:00', { class: 'EMERGENCY', discharged: '10:00', disposition: '01' }),
        fact('A08', '12:00', { class: 'EMERGENCY', discharged: '10:00', disposition: '09' }),
      ],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00'],
    ],
    [
      'is corrected to a discharge from the ED',
      [present, toWard, fact('A08', '12:00', { class: 'EMERGENCY', discharged: '10:00', disposition: '01' })],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'DISCHARGE EMERGENCY 01 10:00'],
    ],
    [
      'prevents the automatic close',
      [present, toWard, fact('CLOSE', '3 08:00')],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00'],
    ],
    ['is canceled by an A13', [present, toWard, fact('A13', '10:10')], 'IN_PROGRESS', ['PRESENTED EMERGENCY 01 08:00']],
    [
      'takes back no death',
      [
        present,
        fact('A03', '10:00', { class: 'EMERGENCY', discharged: '10:00', disposition: '20' }),
        fact('A03', '10:05', { class: 'EMERGENCY', discharged: '10:05', disposition: '09' }),
      ],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'DECEASED EMERGENCY 01 10:05'],
    ],
    [
      'of an inpatient stay is a discharge',
      [admit, fact('A03', '10:00', { class: 'INPATIENT', disposition: '09' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
    ],
  ]);
});

describe('another class after the discharge', () => {
  const observed = fact('A08', '3 09:00', { class: 'OBSERVATION' });
  const observation = fact('A01', '08:00', { class: 'OBSERVATION', admitted: '08:00' });
  testStories([
    [
      'corrects the class of the visit and of its events',
      [admit, discharge, observed],
      'FINISHED',
      ['ADMIT OBSERVATION 01 08:00', 'DISCHARGE OBSERVATION 01 10:00'],
    ],
    [
      'leaves the time in the ED as it was',
      [present, toInpatient, discharge, observed],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT OBSERVATION 01 09:30', 'DISCHARGE OBSERVATION 01 10:00'],
    ],
    [
      'withdraws the step from that class',
      [observation, fact('A06', '09:00', { class: 'INPATIENT' }), discharge, observed],
      'FINISHED',
      ['ADMIT OBSERVATION 01 08:00', 'DISCHARGE OBSERVATION 01 10:00'],
    ],
    [
      'can be inpatient as well',
      [observation, fact('A03', '10:00', { class: 'OBSERVATION' }), fact('A08', '3 09:00', { class: 'INPATIENT' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
    ],
    [
      'that is no stay corrects nothing',
      [admit, discharge, fact('A08', '3 09:00', { class: 'OUTPATIENT' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
    ],
    [
      'of the second stay leaves the first',
      [
        admit,
        discharge,
        fact('A01', '2 08:00', { class: 'INPATIENT', admitted: '2 08:00' }),
        fact('A03', '2 10:00', { class: 'INPATIENT', discharged: '2 10:00' }),
        observed,
      ],
      'FINISHED',
      [
        'ADMIT INPATIENT 01 08:00',
        'DISCHARGE INPATIENT 01 10:00',
        'ADMIT OBSERVATION 02 08:00',
        'DISCHARGE OBSERVATION 02 10:00',
      ],
    ],
  ]);

  it('says so', () => {
    const { outcomes, state } = foldVisit([admit, discharge, observed], HOSPITAL);
    expect(outcomes.get(observed.id)).toBe('Updated: admission; Updated: discharge');
    expect(state.setting).toBe('OBSERVATION');
  });
});

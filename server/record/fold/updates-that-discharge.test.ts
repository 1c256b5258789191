/** Discharges that an A08 or A31 reports (PV1-45 with a disposition), for senders without an A03, and the A13 that cancels them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fact, foldDossier, HOSPITAL, moment } from '#server/testing/facts.ts';
import { admit, discharge, eventsOf, present, testStories } from '#server/testing/visit-stories.ts';
import { foldVisit } from './fold-visit.ts';

const ENDED = { class: 'INPATIENT', admitted: '08:00', discharged: '10:00', disposition: '01' } as const;
const coded = fact('A08', '5 12:00', ENDED);
const ADMITTED = 'ADMIT INPATIENT 01 08:00';
const DISCHARGED = 'DISCHARGE INPATIENT 01 10:00';

describe('an update with a discharge', () => {
  testStories([
    ['ends the stay at PV1-45', [admit, coded], 'FINISHED', [ADMITTED, DISCHARGED]],
    ['of an A31 ends the stay', [admit, fact('A31', '12:00', ENDED)], 'FINISHED', [ADMITTED, DISCHARGED]],
    ['as the first message is a finished visit without an admission', [coded], 'FINISHED', [DISCHARGED]],
    ['repeats an A03', [admit, discharge, coded], 'FINISHED', [ADMITTED, DISCHARGED]],
    [
      'corrects another one',
      [admit, coded, fact('A08', '6 12:00', { ...ENDED, discharged: '10:30', disposition: '03' })],
      'FINISHED',
      [ADMITTED, 'DISCHARGE INPATIENT 01 10:30'],
    ],
    [
      'is corrected by an A03 written later',
      [admit, fact('A08', '10:05', ENDED), fact('A03', '11:00', { discharged: '11:00', disposition: '01' })],
      'FINISHED',
      [ADMITTED, 'DISCHARGE INPATIENT 01 11:00'],
    ],
    [
      'without a disposition ends nothing',
      [admit, fact('A08', '12:00', { ...ENDED, disposition: undefined })],
      'IN_PROGRESS',
      [ADMITTED],
    ],
    [
      'that is expected ends nothing',
      [admit, fact('A08', '09:00', { ...ENDED, received: '09:00' })],
      'IN_PROGRESS',
      [ADMITTED],
    ],
    [
      'of a patient who is still there ends nothing',
      [admit, fact('A08', '12:00', { ...ENDED, disposition: '30' })],
      'IN_PROGRESS',
      [ADMITTED],
    ],
    [
      'from before the stay ends nothing',
      [
        fact('A01', '3 08:00', { class: 'INPATIENT', admitted: '3 08:00' }),
        fact('A08', '3 09:00', { ...ENDED, admitted: undefined }),
      ],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 03 08:00'],
    ],
    [
      'is taken back by an update that deletes PV1-45',
      [admit, coded, fact('A08', '6 12:00', { class: 'INPATIENT', dischargedAt: null })],
      'IN_PROGRESS',
      [ADMITTED],
    ],
    [
      'that deletes PV1-45 takes back no A03',
      [admit, discharge, fact('A08', '6 12:00', { class: 'INPATIENT', dischargedAt: null })],
      'FINISHED',
      [ADMITTED, DISCHARGED],
    ],
    [
      'that was taken back, sent once more later, ends the stay',
      [admit, coded, fact('A08', '6 12:00', { dischargedAt: null }), fact('A08', '7 12:00', ENDED)],
      'FINISHED',
      [ADMITTED, DISCHARGED],
    ],
    ['of a pending discharge (A16) ends nothing', [admit, fact('A16', '12:00', ENDED)], 'IN_PROGRESS', [ADMITTED]],
    [
      'that names only the day ends the stay on that day, after the admission',
      [admit, fact('A08', '12:00', { ...ENDED, discharged: '1' })],
      'FINISHED',
      [ADMITTED, 'DISCHARGE INPATIENT 01 00:00'],
    ],
    [
      'replaces the automatic close of an ED visit',
      [
        present,
        fact('CLOSE', '3 08:00'),
        fact('A08', '5 12:00', { class: 'EMERGENCY', discharged: '12:00', disposition: '01' }),
      ],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'DISCHARGE EMERGENCY 01 12:00'],
    ],
    [
      'with a death is a death',
      [admit, fact('A08', '12:00', { ...ENDED, disposition: undefined, patient: { deceased: true } })],
      'FINISHED',
      [ADMITTED, 'DECEASED INPATIENT 01 10:00'],
    ],
    [
      'is followed by another stay',
      [admit, coded, fact('A01', '7 08:00', { class: 'INPATIENT', admitted: '7 08:00' })],
      'IN_PROGRESS',
      [ADMITTED, DISCHARGED, 'ADMIT INPATIENT 07 08:00'],
    ],
    ['of a planned visit that took place', [fact('A05', '07:00'), coded], 'FINISHED', [DISCHARGED]],
  ]);

  it('is canceled by an A13', () => {
    const cancel = fact('A13', '6 08:00');
    const visit = foldVisit([admit, coded, cancel], HOSPITAL);
    expect([visit.state.status, ...eventsOf(visit)]).toEqual(['IN_PROGRESS', ADMITTED]);
    expect(visit.outcomes.get(cancel.id)).toBe('Cancels A08');
    expect(visit.outcomes.get(coded.id)).toBe('No new event: its discharge was canceled');
    expect(visit.flags).toEqual([]);
  });

  it('is canceled together with the A03 that it repeats, whether the A13 names its time or not', () => {
    for (const occurred of ['10:00', undefined]) {
      const cancel = fact('A13', '6 08:00', { occurred });
      const visit = foldVisit([admit, discharge, coded, cancel], HOSPITAL);
      expect([visit.state.status, ...eventsOf(visit)]).toEqual(['IN_PROGRESS', ADMITTED]);
      expect(visit.outcomes.get(cancel.id)).toBe('Cancels A03, A08');
    }
  });

  it('stays canceled when later updates repeat its PV1-45; another PV1-45 is another discharge', () => {
    const cancel = fact('A13', '6 08:00');
    const copy = fact('A08', '6 09:00', ENDED);
    expect(foldVisit([admit, discharge, cancel, copy], HOSPITAL).state.status).toBe('IN_PROGRESS');
    const again = fact('A08', '6 12:00', { ...ENDED, discharged: '6 11:00' });
    expect(eventsOf(foldVisit([admit, coded, cancel, copy, again], HOSPITAL))).toEqual([
      ADMITTED,
      'DISCHARGE INPATIENT 06 11:00',
    ]);
  });

  it('still corrects the disposition of a discharge at the same time as the canceled one', () => {
    const again = fact('A03', '6 10:00', { class: 'INPATIENT', discharged: '10:00', disposition: '01' });
    const corrected = fact('A08', '7 10:00', { ...ENDED, disposition: '03' });
    const { state } = foldVisit([admit, discharge, fact('A13', '6 08:00'), again, corrected], HOSPITAL);
    expect([state.status, state.disposition]).toEqual(['FINISHED', '03']);
  });

  it('of an earlier stay survives the A13 of a later one', () => {
    const back = fact('A01', '7 08:00', { class: 'INPATIENT', admitted: '7 08:00' });
    const left = fact('A03', '8 08:00', { discharged: '8 08:00', disposition: '01' });
    const visit = foldVisit([admit, coded, back, left, fact('A13', '8 09:00')], HOSPITAL);
    expect([visit.state.status, ...eventsOf(visit)]).toEqual([
      'IN_PROGRESS',
      ADMITTED,
      DISCHARGED,
      'ADMIT INPATIENT 07 08:00',
    ]);
  });

  it('keeps what else the update says when its discharge is canceled', () => {
    const update = fact('A08', '5 12:00', { ...ENDED, unit: 'ICU' });
    const { state } = foldVisit([admit, update, fact('A13', '6 08:00')], HOSPITAL);
    expect(state.location?.pointOfCare).toBe('ICU');
    expect([state.dischargedAt, state.disposition]).toEqual([null, null]);
  });

  it('gives the same as an A03 with the same content, whatever else was sent and in any order', () => {
    const others = [
      admit,
      fact('A02', '08:30', { unit: 'ICU', class: 'INPATIENT' }),
      fact('A08', '09:00', { class: 'INPATIENT', admitted: '08:00' }),
      fact('A13', '4 10:00', { control: 'x' }),
    ];
    const order = fc.shuffledSubarray([...others, discharge], { minLength: 1 });
    fc.assert(
      fc.property(order, (facts) => {
        const told = (trigger: string) => {
          const end = fact(trigger, '4 11:00', {
            class: 'INPATIENT',
            discharged: '4 09:00',
            disposition: '01',
            admitted: '08:00',
            control: 'y',
          });
          return foldDossier([...facts, end], HOSPITAL).map(({ state, events }) => ({
            status: state.status,
            dischargedAt: state.dischargedAt,
            events: events.map(({ key, setting, disposition }) => ({ key, setting, disposition })),
          }));
        };
        expect(told('A08')).toEqual(told('A03'));
      }),
    );
  });

  it('dates the end of the stay, not the moment of the update', () => {
    const { state, events } = foldVisit([admit, coded], HOSPITAL);
    expect(state).toMatchObject({ dischargedAt: moment('10:00'), disposition: '01' });
    expect(events[1]).toMatchObject({ disposition: '01', at: moment('10:00'), factIds: [coded.id] });
  });
});

describe('the outcome of an update whose discharge counts for nothing', () => {
  it.each([
    ['PV1-45 without PV1-36 is no discharge', { disposition: undefined }],
    ['PV1-36 is 30, still a patient', { disposition: '30' }],
    ['PV1-45 is before the stay', { admitted: undefined, discharged: '1 07:00' }],
    ['PV1-45 is later than the message', { received: '09:00' }],
  ])('%s', (reason, over) => {
    const update = fact('A08', '12:00', { ...ENDED, ...over });
    expect(foldVisit([admit, update], HOSPITAL).outcomes.get(update.id)).toBe(`No new event: ${reason}`);
  });
});

import { describe, expect, it } from 'vitest';
import { fact, HOSPITAL, moment, NURSING } from '#server/testing/facts.ts';
import { admit, discharge, eventsOf, present, testStories } from '#server/testing/visit-stories.ts';
import type { Fact } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';

describe('cancels', () => {
  it('of the only discharge of a stay leaves what it says of the stay, and nothing of its end', () => {
    const pv1 = {
      class: 'INPATIENT',
      admitted: '08:00',
      discharged: '2 10:00',
      disposition: '03',
      unit: '4W',
    } as const;
    const dead = { deceased: true, deceasedAt: moment('2 09:00') };
    const facts = [fact('A13', '2 10:05', pv1), fact('A03', '2 10:00', { ...pv1, patient: dead })];
    for (const { state, flags } of [foldVisit(facts, HOSPITAL), foldVisit(facts.toReversed(), HOSPITAL)]) {
      expect(state).toMatchObject({ setting: 'INPATIENT', location: { pointOfCare: '4W' }, deceased: false });
      expect(state.admittedAt?.instant).toBe('2026-03-01T08:00:00Z');
      expect([state.dischargedAt, state.disposition, flags]).toEqual([null, null, []]);
    }
  });

  testStories([
    [
      'a canceled transfer',
      [admit, fact('A02', '09:00', { unit: 'ICU' }), fact('A12', '09:30')],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    ['a canceled discharge', [admit, discharge, fact('A13', '10:30')], 'IN_PROGRESS', ['ADMIT INPATIENT 01 08:00']],
    [
      'a canceled discharge of a stay that was first heard of by it',
      [
        fact('A03', '2 10:00', { class: 'INPATIENT', admitted: '08:00', discharged: '2 10:00', disposition: '20' }),
        fact('A13', '2 10:05', { class: 'INPATIENT', admitted: '08:00', discharged: '2 10:00', disposition: '20' }),
      ],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'a canceled discharge of such a stay, and the one after it',
      [
        fact('A03', '2 10:00', { class: 'INPATIENT', admitted: '08:00', discharged: '2 10:00' }),
        fact('A13', '2 10:05', { class: 'INPATIENT', admitted: '08:00' }),
        fact('A03', '3 10:00', { class: 'INPATIENT', admitted: '08:00', discharged: '3 10:00' }),
      ],
      'FINISHED',
      ['DISCHARGE INPATIENT 03 10:00'],
    ],
    [
      'a discharge that was corrected without a cancel, then canceled',
      [admit, discharge, fact('A03', '11:00', { discharged: '11:00' }), fact('A13', '11:30')],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'an A13 that arrives days late, after a new discharge',
      [admit, discharge, fact('A13', '11:00', { sent: '3 09:00' }), fact('A03', '12:00', { discharged: '12:00' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 12:00'],
    ],
    [
      'an A13 sent again after a new discharge',
      [
        admit,
        discharge,
        fact('A13', '10:30:01'),
        fact('A03', '11:00', { discharged: '11:00' }),
        fact('A13', '12:00', { recorded: '10:30:01' }),
      ],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 11:00'],
    ],
    ['a canceled admission', [admit, fact('A08', '08:10'), fact('A11', '08:30')], 'CANCELLED', []],
    [
      'an update after the cancel',
      [admit, fact('A11', '08:30'), fact('A08', '08:40', { class: 'INPATIENT', admitted: '08:00' })],
      'CANCELLED',
      [],
    ],
    [
      'a new admission after the cancel',
      [admit, fact('A11', '08:30'), fact('A01', '09:00', { class: 'INPATIENT' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 09:00'],
    ],
    [
      'an admission sent twice, then canceled',
      [admit, fact('A01', '08:05', { class: 'INPATIENT', admitted: '08:00' }), fact('A11', '08:30')],
      'CANCELLED',
      [],
    ],
    [
      'a canceled inpatient admission: the patient is back in the ED',
      [present, fact('A01', '09:00', { class: 'INPATIENT' }), fact('A11', '09:30')],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00'],
    ],
    [
      'a canceled inpatient admission whose cancel is sent again with another control id',
      [
        present,
        fact('A01', '09:00', { class: 'INPATIENT' }),
        fact('A11', '09:30', { class: 'INPATIENT', sent: '09:30:10' }),
        fact('A11', '09:30', { class: 'INPATIENT', sent: '09:31:10', control: '9' }),
      ],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00'],
    ],
    [
      'an inpatient admission and the arrival before it, both canceled in the same minute',
      [
        present,
        fact('A01', '09:00', { class: 'INPATIENT' }),
        fact('A11', '09:30', { class: 'INPATIENT', sent: '09:30:10' }),
        fact('A11', '09:30', { class: 'EMERGENCY', sent: '09:30:40', control: '9' }),
      ],
      'CANCELLED',
      [],
    ],
    ['a cancel whose admission has not arrived', [fact('A11', '08:30')], 'CANCELLED', []],
    ['a canceled plan', [fact('A05', '07:00'), fact('A38', '07:30')], 'CANCELLED', []],
    ['a canceled pending admission', [fact('A14', '07:00'), fact('A27', '07:30')], 'CANCELLED', []],
    [
      'a plan, an admission and its cancel',
      [fact('A05', '07:00'), admit, fact('A02', '08:10', { unit: 'ICU' }), fact('A11', '08:30')],
      'PLANNED',
      [],
    ],
    ['a deleted visit', [admit, discharge, fact('A23', '11:00')], 'CANCELLED', []],
    ['a deleted person', [admit, fact('A29', '11:00', { noVisit: true })], 'CANCELLED', []],
    [
      'a canceled leave',
      [admit, fact('A21', '09:00'), fact('A52', '09:30')],
      'IN_PROGRESS',
      ['ADMIT SNF 01 08:00'],
      NURSING,
    ],
    [
      'a canceled return',
      [admit, fact('A21', '09:00'), fact('A22', '11:00'), fact('A53', '11:30')],
      'ON_LEAVE',
      ['ADMIT SNF 01 08:00', 'MEDICAL_LEAVE_OF_ABSENCE SNF 01 09:00'],
      NURSING,
    ],
  ]);

  it('leaves the visit discharged after a discharge, its cancel and a new discharge in the same minute', () => {
    const times = ['10:00:05', '10:00:20', '10:00:40'];
    for (const sent of [times, ['10:00', '10:00', '10:00'], ['10:00:05', '10:00:05', '10:00:05']]) {
      for (const control of [
        ['7', '8', '9'],
        ['9', '10', '11'],
        ['q', 'a', 'm'],
        ['a', 'z', 'm'],
      ]) {
        const at = (i: number) => ({ sent: sent[i], recorded: '10:00', control: control[i] });
        const visit = foldVisit(
          [
            admit,
            fact('A03', '10:00', { discharged: '10:00', disposition: '01', ...at(0) }),
            fact('A13', '10:00', { ...at(1) }),
            fact('A03', '10:00', { discharged: '10:00', disposition: '03', ...at(2) }),
          ],
          HOSPITAL,
        );
        expect(visit.state.status).toBe('FINISHED');
        expect(eventsOf(visit)).toEqual(['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00']);
        if (sent === times) expect(visit.events[1]?.disposition).toBe('03');
      }
    }
  });

  it('retracts the event named by the EVN-6 of the cancel, else the latest', () => {
    const transfers = [fact('A02', '09:00', { unit: 'ICU' }), fact('A02', '09:30', { unit: '5E' })];
    const named = foldVisit([admit, ...transfers, fact('A12', '10:00', { occurred: '09:00' })], HOSPITAL);
    expect(eventsOf(named)).toEqual(['ADMIT INPATIENT 01 08:00', 'TRANSFER INPATIENT 01 09:30']);
    const latest = foldVisit([admit, ...transfers, fact('A12', '10:00')], HOSPITAL);
    expect(eventsOf(latest)).toEqual(['ADMIT INPATIENT 01 08:00', 'TRANSFER INPATIENT 01 09:00']);
    expect(latest.state.location?.pointOfCare).toBe('ICU');
  });

  it('restores the attending provider when the change is canceled', () => {
    const doctor = (family: string) => ({ npi: null, localId: null, family, given: 'Ida' });
    const first = fact('A01', '08:00', { class: 'INPATIENT', attending: doctor('Ahlberg') });
    const change = fact('A54', '09:00', { attending: doctor('Bergman') });
    expect(foldVisit([first, change], HOSPITAL).state.attending?.family).toBe('Bergman');
    expect(foldVisit([first, change, fact('A55', '09:30')], HOSPITAL).state.attending?.family).toBe('Ahlberg');
  });

  it('clears an expected discharge that was canceled', () => {
    const pending = fact('A16', '09:00', { expectedDischargeAt: moment('3') });
    expect(foldVisit([admit, pending], HOSPITAL).state.expectedDischargeAt).toEqual(moment('3'));
    expect(foldVisit([admit, pending, fact('A25', '09:30')], HOSPITAL).state.expectedDischargeAt).toBeNull();
  });

  it.each([
    ['A16', 'A25'],
    ['A15', 'A26'],
  ])('restores the earlier expectation when an %s is canceled by %s', (pending, cancel) => {
    const first = fact('A01', '08:00', { class: 'INPATIENT', expectedDischargeAt: moment('9'), estimatedDays: 8 });
    const sooner = fact(pending, '09:00', { expectedDischargeAt: moment('3'), estimatedDays: 2 });
    const other = pending === 'A16' ? 'A26' : 'A25';
    const expected = (...facts: Fact[]) => {
      const { expectedDischargeAt, estimatedDays } = foldVisit(facts, HOSPITAL).state;
      return [expectedDischargeAt?.localDate, estimatedDays];
    };
    expect(expected(first, sooner)).toEqual(['2026-03-03', 2]);
    expect(expected(fact(cancel, '09:30'), sooner, first)).toEqual(['2026-03-09', 8]);
    expect(expected(first, sooner, fact(other, '09:30'))).toEqual(['2026-03-03', 2]);
  });

  it('clears it where messages in between repeated it, but keeps a new expectation', () => {
    const pending = fact('A16', '09:00', { expectedDischargeAt: moment('3') });
    const repeated = fact('A08', '09:10', { expectedDischargeAt: moment('3'), unit: '4W' });
    const cancel = fact('A25', '09:30');
    const state = (...facts: Fact[]) => foldVisit(facts, HOSPITAL).state;
    expect(state(admit, pending, repeated, cancel)).toMatchObject({
      expectedDischargeAt: null,
      location: { pointOfCare: '4W' },
    });
    // A cancel may have the same time as its target.
    const asOfThen = fact('A25', '09:00', { occurred: '09:00', recorded: '09:30', sent: '09:30' });
    expect(state(asOfThen, repeated, pending, admit).expectedDischargeAt).toBeNull();
    const changed = fact('A08', '09:20', { expectedDischargeAt: moment('7') });
    expect(state(admit, pending, repeated, changed, cancel).expectedDischargeAt).toEqual(moment('7'));
    const after = fact('A08', '09:40', { expectedDischargeAt: moment('3') });
    expect(state(admit, pending, repeated, cancel, after).expectedDischargeAt).toEqual(moment('3'));
    const before = fact('A08', '08:30', { expectedDischargeAt: moment('3') });
    expect(state(admit, before, pending, repeated, cancel).expectedDischargeAt).toEqual(moment('3'));
  });
});

it('says of a canceled visit whether it was only planned', () => {
  const plan = fact('A05', '07:00', { admitted: '08:00' });
  const onlyPlanned = (...facts: Fact[]) => foldVisit(facts, HOSPITAL).state.onlyPlanned;
  expect(onlyPlanned(plan, fact('A38', '07:30'))).toBe(true);
  expect(onlyPlanned(plan)).toBeUndefined();
  expect(onlyPlanned(admit, fact('A11', '08:30'))).toBeUndefined();
});

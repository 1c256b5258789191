import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fact, foldDossier, HOSPITAL, moment, NURSING } from '#server/testing/facts.ts';
import type { Fact } from './fold-input.ts';

const admitted = fact('A01', '2 08:00', { class: 'INPATIENT', admitted: '2 08:00' });
const diagnosed = fact('A08', '3 08:00', { class: 'INPATIENT', admitted: '2 08:00', admitReason: 'Heart failure' });
const discharged = fact('A03', '5 10:00', {
  class: 'INPATIENT',
  admitted: '2 08:00',
  discharged: '5 10:00',
  disposition: '01',
});

const readmitted = fact('A01', '8 09:00', { class: 'INPATIENT' });
/** Its PV1-44 is still that of the first stay. */
const updated = fact('A08', '9 08:00', { class: 'INPATIENT', admitted: '2 08:00', admitReason: 'Fall' });
const dischargedAgain = fact('A03', '11 10:00', { class: 'INPATIENT', discharged: '11 10:00', disposition: '06' });
const all = [admitted, diagnosed, discharged, readmitted, updated, dischargedAgain];

const arriving = (facts: readonly Fact[], facility = HOSPITAL) =>
  foldDossier(
    facts.map((one, n) => ({ ...one, id: String(n + 1) })),
    facility,
  );
const summary = (facts: readonly Fact[], facility = HOSPITAL) =>
  arriving(facts, facility).map(({ state, events, visitNumbers }) => ({
    visitNumbers,
    status: state.status,
    admittedAt: state.admittedAt?.instant,
    dischargedAt: state.dischargedAt?.instant,
    disposition: state.disposition,
    admitReason: state.admitReason,
    events: events.map(({ code, at }) => `${code} ${at.localDate.slice(-2)}`),
  }));

const FIRST = {
  visitNumbers: ['V100'],
  status: 'FINISHED',
  admittedAt: moment('2 08:00').instant,
  dischargedAt: moment('5 10:00').instant,
  disposition: '01',
  admitReason: 'Heart failure',
  events: ['ADMIT 02', 'DISCHARGE 05'],
};
const SECOND = {
  visitNumbers: ['V100'],
  status: 'FINISHED',
  admittedAt: moment('8 09:00').instant,
  dischargedAt: moment('11 10:00').instant,
  disposition: '06',
  admitReason: 'Fall',
  events: ['ADMIT 08', 'DISCHARGE 11'],
};

describe('stays under one visit number', () => {
  it('are visits of their own, in any order of arrival, also after each message of it', () => {
    const anyOrder = fc.shuffledSubarray(all, { minLength: all.length });
    fc.assert(
      fc.property(anyOrder, (facts) => {
        expect(summary(facts)).toEqual([FIRST, SECOND]);
      }),
    );
    fc.assert(
      fc.property(fc.subarray(all), fc.nat(), (some, turn) => {
        const other = [...some.slice(turn % (some.length + 1)), ...some.slice(0, turn % (some.length + 1))];
        expect(summary(other)).toEqual(summary(some));
      }),
    );
  });

  it('are several of a resident who comes back to the nursing facility', () => {
    expect(summary(all, NURSING)).toMatchObject([{ events: FIRST.events }, { events: SECOND.events }]);
  });

  it('leave each message with one of them', () => {
    const visits = arriving(all);
    expect(visits.map(({ factIds }) => factIds)).toEqual([
      ['1', '2', '3'],
      ['4', '5', '6'],
    ]);
    expect(new Set(visits.map(({ key }) => key)).size).toBe(2);
  });

  it.each([
    ['an A13 cancels the discharge', fact('A13', '8 10:00', { occurred: '5 10:00' }), ['ADMIT 02', 'ADMIT 08']],
    ['an A11 cancels the second admission', fact('A11', '8 10:00', { occurred: '8 09:00' }), FIRST.events],
  ])('are one if %s', (_, cancel) => {
    expect(arriving([admitted, discharged, readmitted, cancel])).toHaveLength(1);
  });

  it('are one if the patient is back on the day of the discharge', () => {
    const back = fact('A01', '5 16:00', { class: 'INPATIENT', occurred: '5 16:00' });
    expect(summary([admitted, discharged, back])).toMatchObject([{ status: 'IN_PROGRESS' }]);
  });

  it('leaves a cancel of the second discharge with the second stay', () => {
    const cancel = fact('A13', '11 12:00', { occurred: '11 10:00' });
    expect(summary([...all, cancel])).toMatchObject([FIRST, { status: 'IN_PROGRESS', events: ['ADMIT 08'] }]);
  });

  it('are two if the patient comes to the ED again and no message ended the first visit there', () => {
    const came = (day: number) => fact('A04', `${day} 08:00`, { class: 'EMERGENCY', admitted: `${day} 08:00` });
    const closed = fact('CLOSE', '4 08:00', { admitted: '2 08:00', occurred: '4 08:00' });
    const anyOrder = fc.shuffledSubarray([came(2), closed, came(20)], { minLength: 3 });
    fc.assert(
      fc.property(anyOrder, (facts) => {
        expect(summary(facts)).toMatchObject([
          { status: 'FINISHED', events: ['PRESENTED 02', 'CLOSED 04'] },
          { status: 'IN_PROGRESS', events: ['PRESENTED 20'] },
        ]);
      }),
    );
    expect(summary([came(2), came(20)])).toMatchObject([{ events: ['PRESENTED 02'] }, { events: ['PRESENTED 20'] }]);
    expect(summary([came(2), came(3)])).toMatchObject([{ status: 'IN_PROGRESS' }]);
    const repeated = fact('A08', '20 09:00', { class: 'EMERGENCY', admitted: '2 08:00' });
    expect(summary([came(2), came(20), repeated])).toMatchObject([
      { admittedAt: moment('2 08:00').instant },
      { admittedAt: moment('20 08:00').instant },
    ]);
  });

  it('are two if the patient came to the ED, was admitted under another number, and comes to the ED again', () => {
    const came = (day: number) => fact('A04', `${day} 08:00`, { class: 'EMERGENCY', admitted: `${day} 08:00` });
    const left = fact('A03', '2 10:00', { class: 'EMERGENCY', disposition: '09' });
    expect(summary([came(2), left, came(9)])).toMatchObject([
      { status: 'FINISHED', events: ['PRESENTED 02'] },
      { status: 'IN_PROGRESS', events: ['PRESENTED 09'], admittedAt: moment('9 08:00').instant },
    ]);
  });

  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])(
    'are two if an outpatient is registered long after a visit to the ED without an end (closed: %s, visits: %s)',
    (isClosed, registrationIsVisit) => {
      const came = fact('A04', '2 08:00', { class: 'EMERGENCY', admitted: '2 08:00' });
      const closed = fact('CLOSE', '4 08:00', { admitted: '2 08:00', occurred: '4 08:00' });
      const registered = fact('A04', '9 08:00', { class: 'OUTPATIENT', admitted: '9 08:00' });
      const facts = [came, ...(isClosed ? [closed] : []), registered];
      expect(summary(facts, { ...HOSPITAL, registrationIsVisit })).toMatchObject([
        isClosed
          ? { status: 'FINISHED', events: ['PRESENTED 02', 'CLOSED 04'] }
          : { status: 'IN_PROGRESS', events: ['PRESENTED 02'] },
        { status: 'FINISHED', events: registrationIsVisit ? ['VISIT 09'] : [] },
      ]);
    },
  );

  it.each([false, true])('leave a stay as it was if an outpatient is registered under its number later', (isVisit) => {
    const registered = fact('A04', '8 09:00', { class: 'OUTPATIENT', admitted: '8 09:00' });
    const facility = { ...HOSPITAL, registrationIsVisit: isVisit };
    const visits = summary([admitted, diagnosed, discharged, registered], facility);
    expect(visits).toMatchObject([FIRST, { status: 'FINISHED', events: isVisit ? ['VISIT 08'] : [] }]);
    expect(visits[1]?.admittedAt).toBe(moment('8 09:00').instant);
    const during = fact('A04', '3 09:00', { admitted: '3 09:00', class: 'OUTPATIENT' });
    expect(summary([admitted, during], facility)).toMatchObject([{ admittedAt: FIRST.admittedAt }]);
  });

  it('stay in doubt as one visit if the first is said to have ended in death', () => {
    const died = fact('A03', '5 10:00', { class: 'INPATIENT', discharged: '5 10:00', disposition: '20' });
    const [only, ...more] = arriving([admitted, died, readmitted]);
    expect(more).toEqual([]);
    expect(only?.flags).toContain('DEATH_CONTRADICTED');
  });
});

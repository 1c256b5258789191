import { expect, test } from 'vitest';
import type { Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { emptyState, type VisitState } from '#server/record/fold/visit-state.ts';
import { nextMidnight, stayOf, visitCells } from './visit-cells.ts';

const NEW_YORK = 'America/New_York';
const facility = {
  id: '7',
  name: 'Oak Hollow',
  state: 'MI',
  type: 'SNF' as const,
  facilityType: 'SNF' as const,
  timeZone: NEW_YORK,
  isPart2: false,
};
const day = (localDate: string): Moment => ({ instant: `${localDate}T05:00:00Z`, localDate, precision: 'day' });
const admitted: Moment = { instant: '2026-11-03T02:30:00Z', localDate: '2026-11-02', precision: 'minute' };

function compared(over: Partial<VisitState>, now: string, settings: readonly Setting[] = ['SNF']) {
  const state = { ...emptyState(), setting: 'SNF' as const, admittedAt: admitted, ...over };
  const visit = { state, stay: stayOf({ state, settings, timeZone: NEW_YORK }, Date.parse(now)), diagnoses: [] };
  const { singles, numbers } = visitCells({
    visit,
    facility,
    destination: () => undefined,
    event: null,
    setting: 'SNF',
    ping: null,
    flags: undefined,
    hasSummary: false,
    priorDiagnoses: [],
  });
  return [numbers.stayDays, numbers.expectedDays, singles.expectedStay];
}

test('a stay exceeds its expected length from midnight at the facility after the expected day', () => {
  const expected = { expectedDischargeAt: day('2026-11-20') };
  const lastMinute = '2026-11-21T04:59:00Z';
  expect(compared(expected, lastMinute)).toEqual([18, 18, 'WITHIN']);
  expect(compared(expected, '2026-11-21T05:00:00Z')).toEqual([19, 18, 'OVER']);
  expect(nextMidnight(Date.parse(lastMinute), NEW_YORK)).toBe(Date.parse('2026-11-21T05:00:00Z'));
});

test('a finished stay is compared by its full length, however long ago it was', () => {
  const over = { status: 'FINISHED' as const, expectedDischargeAt: day('2026-11-10') };
  expect(compared({ ...over, dischargedAt: day('2026-11-10') }, '2026-12-24T12:00:00Z')).toEqual([8, 8, 'WITHIN']);
  expect(compared({ ...over, dischargedAt: day('2026-11-11') }, '2026-12-24T12:00:00Z')).toEqual([9, 8, 'OVER']);
});

test('the expected stay comes from a date or a number of days; without either there is none', () => {
  expect(compared({ estimatedDays: 5 }, '2026-11-08T12:00:00Z')).toEqual([6, 5, 'OVER']);
  expect(compared({}, '2026-11-08T12:00:00Z')).toEqual([6, null, 'NO_BENCHMARK']);
});

test('a stay of unknown length is not compared', () => {
  const expected = { expectedDischargeAt: day('2026-11-20') };
  expect(compared({ ...expected, admittedAt: null }, '2026-11-08T12:00:00Z')).toEqual([null, null, null]);
  expect(compared({ ...expected, status: 'FINISHED' }, '2026-11-08T12:00:00Z')).toEqual([null, null, null]);
});

test('days on leave don’t make a stay exceed its expected length', () => {
  const expected = { estimatedDays: 5 };
  const time = (instant: string): Moment => ({ instant, localDate: instant.slice(0, 10), precision: 'minute' });
  const leaves = [{ from: time('2026-11-04T15:00:00Z'), to: time('2026-11-06T15:00:00Z') }];
  expect(compared({ ...expected, leaves }, '2026-11-09T12:00:00Z')).toEqual([5, 5, 'WITHIN']);
  expect(compared({ ...expected, leaves }, '2026-11-10T12:00:00Z')).toEqual([6, 5, 'OVER']);
  const away = { leaves: [{ from: time('2026-11-04T15:00:00Z'), to: null }], status: 'ON_LEAVE' as const };
  expect(compared({ ...expected, ...away }, '2026-11-20T12:00:00Z')).toEqual([2, 5, 'WITHIN']);
});

test('an outpatient account has no length, a stay that was changed to outpatient care has', () => {
  const closed = { setting: 'OUTPATIENT', status: 'FINISHED', dischargedAt: day('2026-11-10') } as const;
  expect(compared(closed, '2026-11-12T12:00:00Z', [])).toEqual([null, null, null]);
  expect(compared(closed, '2026-11-12T12:00:00Z', ['INPATIENT', 'OUTPATIENT'])).toEqual([8, null, 'NO_BENCHMARK']);
});

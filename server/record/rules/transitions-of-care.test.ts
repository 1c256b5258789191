import { describe, expect, test } from 'vitest';
import { visit } from '#server/testing/rule-visits.ts';
import { inpatientStays } from './readmissions.ts';
import { countsForTransitions, firstOfTransition, goesOn, type Transition } from './transitions-of-care.ts';

describe('stays that the measure takes together', () => {
  const last = visit('INPATIENT', 6, 2);

  test('begin with the first admission of a transfer or of readmissions within 30 days', () => {
    const transferred = visit('INPATIENT', 9, 6);
    const before = visit('SNF', 60, 35);
    const long = visit('INPATIENT', 120, 100);
    expect(firstOfTransition(last, [last]).id).toBe(last.id);
    expect(firstOfTransition(last, [long, before, transferred, last]).id).toBe(before.id);
    expect(firstOfTransition(last, [transferred, visit('OBSERVATION', 20, 15), last]).id).toBe(transferred.id);
    expect(firstOfTransition(last, [visit('INPATIENT', 9, 6, { status: 'CANCELLED' }), last]).id).toBe(last.id);
  });

  test('go on after a discharge with another one within 30 days, and end with a death', () => {
    const at = last.dischargedAt ?? 0;
    expect(goesOn(last.id, at, [last])).toBe(false);
    expect(goesOn(last.id, at, [last, visit('SNF', 2, null)])).toBe(true);
    expect(goesOn(last.id, at, [last, visit('EMERGENCY', 1, 0.9)])).toBe(false);
    expect(goesOn(last.id, at, [last, visit('INPATIENT', -29, null)])).toBe(false);
    expect(goesOn(last.id, at, [last, visit('EMERGENCY', 1, 0.9, { diedAt: 1 })])).toBe(true);
  });

  test('go on with a readmission late on the 30th day, which is one on the row too', () => {
    const index = visit('INPATIENT', 40, 30, { dischargedAt: Date.parse('2026-10-20T10:00:00-04:00') });
    const again = (admittedAt: string) => visit('INPATIENT', 1, null, { admittedAt: Date.parse(admittedAt) });
    const late = again('2026-11-19T22:00:00-05:00');
    expect(goesOn(index.id, index.dischargedAt ?? 0, [index, late])).toBe(true);
    expect(firstOfTransition(late, [index, late]).id).toBe(index.id);
    expect(inpatientStays([index, late]).readmissions.has(late.id)).toBe(true);
    const later = again('2026-11-20T00:30:00-05:00');
    expect(goesOn(index.id, index.dischargedAt ?? 0, [index, later])).toBe(false);
    expect(inpatientStays([index, later]).readmissions.has(later.id)).toBe(false);
  });

  test('go on for a resident who is back in the nursing facility, by a leave or without one', () => {
    const at = last.dischargedAt ?? 0;
    expect(goesOn(last.id, at, [last, visit('SNF', 60, null)])).toBe(true);
    expect(goesOn(last.id, at, [last, visit('SNF', 60, null, { status: 'ON_LEAVE' })])).toBe(true);
    expect(goesOn(last.id, at, [last, visit('SNF', 60, 1)])).toBe(true);
    expect(goesOn(last.id, at, [last, visit('SNF', 60, 6)])).toBe(false);
    expect(goesOn(last.id, at, [last, visit('INPATIENT', 60, null)])).toBe(false);
  });
});

test('a stay counts by setting, age and hospice care, wherever the patient went', () => {
  const stay: Transition = {
    setting: 'INPATIENT',
    admittedOn: '2026-11-10',
    dischargedOn: '2026-11-18',
    disposition: '21',
    bornOn: '1950-01-01',
    wasInHospice: false,
    admissionKnown: null,
    summaryKnown: null,
  };
  expect(countsForTransitions(stay)).toBe(true);
  for (const disposition of ['50', '51', 'Hospice']) expect(countsForTransitions({ ...stay, disposition })).toBe(false);
  expect(countsForTransitions({ ...stay, setting: 'OBSERVATION' })).toBe(false);
  expect(countsForTransitions({ ...stay, bornOn: '2009-01-01' })).toBe(false);
});

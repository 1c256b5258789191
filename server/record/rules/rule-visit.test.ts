import { expect, test } from 'vitest';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { emptyState, type VisitState } from '#server/record/fold/visit-state.ts';
import { ruleVisit } from './rule-visit.ts';

const moment = (instant: string): Moment => ({ instant, localDate: instant.slice(0, 10), precision: 'minute' });
const arrived = '2026-11-01T08:00:00Z';
const admitted = '2026-11-01T14:00:00Z';
const made = (state: Partial<VisitState>, events: { presentedAt?: string; inpatientFrom?: string } = {}) =>
  ruleVisit({
    id: '1',
    state: { ...emptyState(), ...state },
    facility: { id: '7', type: 'HOS', facilityType: 'HOS', timeZone: 'America/New_York' },
    presentedAt: events.presentedAt ? Date.parse(events.presentedAt) : null,
    inpatientFrom: events.inpatientFrom ? Date.parse(events.inpatientFrom) : null,
    diedAt: null,
  });

test('an ED visit that became an admission is one visit in both settings, starting with the arrival', () => {
  const state = { setting: 'INPATIENT' as const, admittedAt: moment(admitted) };
  expect(made(state, { presentedAt: arrived, inpatientFrom: admitted })).toMatchObject({
    admittedAt: Date.parse(arrived),
    inpatientFrom: Date.parse(admitted),
    cameThroughEmergency: true,
  });
  expect(made(state)).toMatchObject({ admittedAt: Date.parse(admitted), cameThroughEmergency: false });
});

test('PV1-14 7 alone also means that the patient came through the ED', () => {
  expect(made({ setting: 'INPATIENT', admitSource: '7' }).cameThroughEmergency).toBe(true);
  expect(made({ setting: 'EMERGENCY', admitSource: '7' }, { presentedAt: arrived }).cameThroughEmergency).toBe(false);
});

test('the principal final diagnosis comes first', () => {
  const diagnosis = (code: string, type: 'A' | 'W' | 'F', priority: number) => ({
    code,
    description: null,
    type,
    priority,
    codeSystem: 'I10',
  });
  const diagnoses = [diagnosis('R07.9', 'A', 1), diagnosis('I10', 'F', 2), diagnosis('U07.1', 'F', 1)];
  expect(made({ diagnoses })).toMatchObject({ diagnosisCodes: ['U07.1', 'I10', 'R07.9'], mentionsCovid: true });
});

test('leaves come with the state, also the one that has not ended', () => {
  const leaves = [
    { from: moment(arrived), to: moment(admitted) },
    { from: moment('2026-11-03T09:00:00Z'), to: null },
  ];
  expect(made({ leaves }).leaves).toEqual([
    { from: Date.parse(arrived), to: Date.parse(admitted) },
    { from: Date.parse('2026-11-03T09:00:00Z'), to: null },
  ]);
  expect(made({}).leaves).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { fact, foldDossier, HOME_HEALTH, HOSPITAL, moment, NURSING } from '#server/testing/facts.ts';
import { foldFacilities } from './fold.ts';
import type { Fact } from './fold-input.ts';
import { foldDemographics } from './folded-demographics.ts';
import type { FoldedVisit } from './folded-visit.ts';
import { outcomesOfDossier } from './outcomes.ts';

const dead = { deceased: true };
const outside = (trigger: string, time: string, details = {}) =>
  fact(trigger, time, { visit: null, noVisit: true, patient: dead, ...details });
const stay = (visit: string, from: string, to: string) => [
  fact('A01', from, { visit, class: 'INPATIENT', admitted: from }),
  fact('A03', to, { visit, discharged: to, disposition: '01' }),
];
const shown = (facts: Fact[], visits: readonly FoldedVisit[] = foldDossier(facts, HOSPITAL)) =>
  visits.map(({ visitNumbers: [number], state, events }) => [
    number ?? 'no visit',
    state.status,
    ...events.map(({ code, at }) => `${code} ${at.instant.slice(8, 16)}`),
  ]);

it.each(['A08', 'A31'])('a death reported by an %s after the discharge is an event of the last visit', (trigger) => {
  const facts = [...stay('V101', '1 08:00', '2 08:00'), ...stay('V102', '5 08:00', '6 08:00')];
  const report = outside(trigger, '9 10:00');
  expect(shown([...facts, report])).toEqual([
    ['V101', 'FINISHED', 'ADMIT 01T08:00', 'DISCHARGE 02T08:00'],
    ['V102', 'FINISHED', 'ADMIT 05T08:00', 'DISCHARGE 06T08:00', 'DECEASED 09T10:00'],
  ]);
  expect(outcomesOfDossier([report, ...facts], foldDossier([report, ...facts], HOSPITAL)).get(report.id)).toBe(
    'Created: death',
  );
});

it('a visit that ended without an A03 is not the one that was open at a later death', () => {
  const [begun, later] = [
    fact('A01', '1 08:00', { visit: 'V101', class: 'INPATIENT' }),
    stay('V102', '5 08:00', '6 08:00'),
  ];
  const report = outside('A31', '9 10:00');
  const updated = fact('A08', '2 09:00', { visit: 'V101', discharged: '2 08:00', disposition: '01' });
  const ended = ['V101', 'FINISHED', 'ADMIT 01T08:00', 'DISCHARGE 02T08:00'];
  const died = ['V102', 'FINISHED', 'ADMIT 05T08:00', 'DISCHARGE 06T08:00', 'DECEASED 09T10:00'];
  expect(shown([begun, updated, ...later, report])).toEqual([ended, died]);
  const moved = fact('A02', '2 08:00', { visit: 'V101', class: 'INPATIENT', unit: '3W' });
  const home = fact('A03', '3 08:00', { visit: 'V101', discharged: '3 08:00', disposition: '01' });
  const transferred = (facts: Fact[]) =>
    foldFacilities([
      { groupId: 'A', facility: HOSPITAL, facts },
      { groupId: 'B', facility: { ...HOSPITAL, id: '9' }, facts: [moved, home] },
    ]).filter(({ groupId }) => groupId === 'A');
  expect(shown([], transferred([begun, ...later, report]))).toEqual([ended, died]);
  expect(shown([], transferred([begun, report]))).toEqual([[...ended, 'DECEASED 09T10:00']]);
});

it('a death dated within a stay ends that stay', () => {
  const facts = [...stay('V101', '1 08:00', '2 08:00'), ...stay('V102', '5 08:00', '6 08:00')];
  const report = outside('A31', '9 10:00', { patient: { ...dead, deceasedAt: moment('2 07:30') } });
  expect(shown([...facts, report])[0]).toEqual(['V101', 'FINISHED', 'ADMIT 01T08:00', 'DECEASED 02T07:30']);
});

it('a PID-29 before a stay that began before the report dates no death', () => {
  const before = stay('V101', '1 08:00', '2 08:00');
  const after = stay('V102', '15 08:00', '16 08:00');
  const report = outside('A31', '19 10:00', { patient: { ...dead, deceasedAt: moment('9') } });
  for (const facts of [after, [...before, ...after]]) {
    const last = shown([report, ...facts]).at(-1);
    expect(last).toEqual(['V102', 'FINISHED', 'ADMIT 15T08:00', 'DISCHARGE 16T08:00', 'DECEASED 19T10:00']);
  }
  const states = foldDossier(after, HOSPITAL).map(({ state }) => state);
  expect(foldDemographics([report], new Set(), states)).toMatchObject({ deceased: true, deceasedOn: null });
  const early = outside('A31', '12 10:00', { patient: { ...dead, deceasedAt: moment('9') } });
  expect(foldDemographics([early], new Set(), states).deceasedOn).toBe('2026-03-09');
});

it('a death of a patient without a visit is a record of its own', () => {
  expect(shown([outside('A31', '9 10:00'), outside('A31', '9 11:00')])).toEqual([
    ['no visit', 'FINISHED', 'DECEASED 09T10:00'],
  ]);
  const planned = fact('A05', '8 10:00', { visit: 'V103', class: 'INPATIENT' });
  expect(shown([outside('A31', '9 10:00'), planned])).toEqual([
    ['V103', 'PLANNED'],
    ['no visit', 'FINISHED', 'DECEASED 09T10:00'],
  ]);
});

it('a death outside any visit makes no stay of a registration at a nursing facility', () => {
  const facts = [fact('A01', '1 08:00', { visit: 'V101', class: 'OUTPATIENT' }), outside('A31', '1 08:00')];
  const codes = foldDossier(facts, NURSING).flatMap(({ events }) => events.map(({ code }) => code));
  expect(codes).toEqual(['DECEASED']);
});

it('a death that a visit reports already is not reported again', () => {
  const died = fact('A03', '2 08:00', { discharged: '2 08:00', disposition: '20' });
  const facts = [fact('A01', '1 08:00', { class: 'INPATIENT' }), died, outside('A31', '9 10:00')];
  expect(shown(facts)).toEqual([['V100', 'FINISHED', 'ADMIT 01T08:00', 'DECEASED 02T08:00']]);
});

describe('a death in a message that is applied to no visit', () => {
  const index = stay('V101', '1 08:00', '2 08:00');
  const merge = { priorRecordNumber: 'M7', priorAccountNumber: null, priorVisitNumber: null };
  const canceled = [fact('A01', '8 08:00', { visit: 'V102', class: 'INPATIENT' })];
  const cases: [string, Fact[], Fact][] = [
    ['A28', [], outside('A28', '9 10:00')],
    ['A51', [], outside('A51', '9 10:00')],
    ['A40', [], outside('A40', '9 10:00', { merge })],
    ['A40 that names the stay', [], fact('A40', '9 10:00', { visit: 'V101', merge, patient: dead })],
    ['A11', canceled, fact('A11', '9 10:00', { visit: 'V102', patient: dead })],
    ['A38', [fact('A05', '8 08:00', { visit: 'V102' })], fact('A38', '9 10:00', { visit: 'V102', patient: dead })],
    [
      'A08 after the cancel',
      [...canceled, fact('A11', '9 09:00', { visit: 'V102' })],
      fact('A08', '9 10:00', { visit: 'V102', patient: dead }),
    ],
  ];

  it.each(cases)('%s is an event of the last stay, in any order of arrival', (_, before, report) => {
    const facts = [...index, ...before, report];
    for (const arrived of [facts, facts.toReversed()]) {
      const visits = foldDossier(arrived, HOSPITAL);
      expect(shown([], visits)[0]).toEqual([
        'V101',
        'FINISHED',
        'ADMIT 01T08:00',
        'DISCHARGE 02T08:00',
        'DECEASED 09T10:00',
      ]);
      expect(visits[0]?.events.at(-1)?.factIds).toEqual([report.id]);
      expect(outcomesOfDossier(arrived, visits).get(report.id)).toBe('Created: death');
      expect(visits.slice(1).map(({ state }) => state.status)).toEqual(before.length > 0 ? ['CANCELLED'] : []);
    }
  });

  it.each(cases)('%s is a record of its own without a stay', (_, before, report) => {
    if (report.adt.visit?.visitNumber === 'V101') return;
    const facts = [...before, report];
    const visits = foldDossier(facts, HOSPITAL);
    expect(shown([], visits).at(-1)).toEqual(['no visit', 'FINISHED', 'DECEASED 09T10:00']);
    expect(visits.flatMap(({ factIds }) => factIds).toSorted()).toEqual(facts.map(({ id }) => id).toSorted());
  });

  it('ends a stay that is open', () => {
    const [admitted] = index;
    for (const report of [outside('A28', '3 10:00'), fact('A12', '3 10:00', { visit: 'V101', patient: dead })])
      expect(shown([admitted as Fact, report])).toEqual([
        ['V101', 'IN_PROGRESS', 'ADMIT 01T08:00', 'DECEASED 03T10:00'],
      ]);
  });

  it('counts no longer if the discharge that it repeats is canceled, or the patient is deleted later', () => {
    const died = fact('A03', '2 08:00', { visit: 'V101', discharged: '2 08:00', disposition: '20' });
    const facts = [index[0] as Fact, died, outside('A28', '2 08:10'), fact('A13', '2 09:00', { visit: 'V101' })];
    expect(shown(facts)).toEqual([['V101', 'IN_PROGRESS', 'ADMIT 01T08:00']]);
    const deleted = fact('A29', '9 12:00', { visit: null, noVisit: true });
    for (const report of [outside('A31', '9 10:00'), outside('A28', '9 10:00')]) {
      expect(shown([report, deleted])).toEqual([]);
      expect(foldDemographics([report, deleted]).deceased).toBe(false);
    }
    expect(shown([deleted, outside('A31', '9 13:00')])).toEqual([['no visit', 'FINISHED', 'DECEASED 09T13:00']]);
  });
});

it('a message about another visit, which there is no other sign of, reports the death alone', () => {
  const report = fact('A31', '1 09:00', { visit: 'V101', class: 'INPATIENT', unit: 'ICU', patient: dead });
  const moved = fact('A02', '1 08:00', { visit: 'V102', admitted: '1' });
  expect(shown([report, moved])).toEqual([['V102', 'IN_PROGRESS', 'DECEASED 01T09:00']]);
});

it('a death after a visit that was canceled is a record of its own', () => {
  const canceled = [fact('A01', '1 08:00', { class: 'INPATIENT' }), fact('A11', '1 09:00', { class: 'INPATIENT' })];
  expect(shown([...canceled, outside('A31', '2 10:00')])).toEqual([
    ['V100', 'CANCELLED'],
    ['no visit', 'FINISHED', 'DECEASED 02T10:00'],
  ]);
});

it('a death reported outside a visit is no source of the start of that visit', () => {
  const merge = { priorRecordNumber: 'M3', priorAccountNumber: 'A501', priorVisitNumber: 'V101' };
  const closed = { record: 'M1', visit: null, admitted: '1', occurred: '1 00:00', recorded: null, sent: null };
  const report = fact('A31', '1 08:00', { record: 'M1', visit: 'V101', sent: null, patient: dead });
  const update = fact('A54', '1 08:00', { record: 'M3', visit: '0', sent: null });
  const facts = [
    report,
    update,
    fact('CLOSE', '1 00:00', closed),
    fact('A40', '1 09:00', { record: 'M1', visit: 'V101', recorded: null, sent: null, merge }),
  ];
  const visits = foldDossier(facts, HOME_HEALTH);
  expect(visits.flatMap(({ events }) => events.map(({ code, factIds }) => [code, factIds]))).toEqual([
    ['STARTED_HHA_SERVICES', [update.id]],
    ['DECEASED', [report.id]],
  ]);
});

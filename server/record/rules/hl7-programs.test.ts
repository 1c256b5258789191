import { describe, expect, test } from 'vitest';
import { DAY } from '#contract/durations.ts';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { drgCodeOf, enrollments, isPayer, type Program, type ProgramStay } from './hl7-programs.ts';
import type { RuleVisit } from './rule-visit.ts';

const ZONE = 'America/New_York';

const program = (over: Partial<Program> = {}): Program => ({
  id: '1',
  organizationId: '1',
  name: 'Heart failure bundle',
  admittingFacilityId: null,
  admittingFacilityName: null,
  admittingFacilityType: null,
  diagnosesDefinition: null,
  drgCodes: [],
  payer: null,
  dischargeSetting: null,
  dischargedTo: null,
  validityPeriod: 90,
  ...over,
});

const MEDICARE = { company: 'Federal Medicare', plan: 'Part A', code: 'MCRA' };

/** A stay that ended so many days ago, at noon UTC. */
const stay = (to: number | null, over: Partial<RuleVisit> = {}, rest: Partial<ProgramStay> = {}): ProgramStay => ({
  visit: visit('INPATIENT', (to ?? 0) + 4, to, over),
  dischargedOn: to === null ? null : new Date(daysAgo(to)).toISOString().slice(0, 10),
  timeZone: ZONE,
  drg: '291',
  payer: MEDICARE,
  ...rest,
});

const at = (stays: ProgramStay[], programs: Program[], now = NOW, hasDied = false) =>
  enrollments(stays, programs, { now, hasDied });
const namesOf = (...args: Parameters<typeof at>) => at(...args).now.map(({ program: { name } }) => name);

const BUNDLE = program({
  admittingFacilityId: 'mercy',
  drgCodes: ['291', '292', '293'],
  payer: 'Medicare',
  dischargeSetting: 'INPATIENT',
});

test('a discharge with the DRG and the payer enrolls for 90 days, of which the day of discharge is the first', () => {
  // November 20, 2026 is day 1, so February 17, 2027 is day 90.
  const [enrollment] = at([stay(0)], [BUNDLE]).now;
  expect(enrollment).toMatchObject({ validFrom: '2026-11-20', validTo: '2027-02-17' });
  const lastMoment = Date.parse('2027-02-18T04:59:59.999Z');
  expect([namesOf([stay(0)], [BUNDLE], lastMoment), namesOf([stay(0)], [BUNDLE], lastMoment + 1)]).toEqual([
    ['Heart failure bundle'],
    [],
  ]);
  expect(at([stay(0)], [BUNDLE]).changesAt).toBe(lastMoment + 1);
});

test('a program of one day ends at the midnight of the facility, wherever the reader is', () => {
  const inHonolulu = stay(0, { dischargedAt: Date.parse('2026-11-20T09:00:00Z') }, { timeZone: 'Pacific/Honolulu' });
  const late = { ...inHonolulu, dischargedOn: '2026-11-19' };
  const today = program({ validityPeriod: 1, drgCodes: ['291'] });
  expect(at([late], [today], Date.parse('2026-11-20T09:30:00Z')).changesAt).toBe(Date.parse('2026-11-20T10:00:00Z'));
  expect(namesOf([late], [today], Date.parse('2026-11-20T10:00:00Z'))).toEqual([]);
});

test.each<[string, ProgramStay]>([
  ['a stay that goes on', stay(null)],
  ['a stay at another hospital', stay(3, { facilityId: 'brendan' })],
  ['another DRG', stay(3, {}, { drg: '190' })],
  ['no DRG', stay(3, {}, { drg: null })],
  ['another payer', stay(3, {}, { payer: { company: 'Great Lantern Mutual', plan: null, code: null } })],
  ['no payer', stay(3, {}, { payer: null })],
  ['an ED visit', stay(3, { setting: 'EMERGENCY' })],
  ['a canceled stay', stay(3, { status: 'CANCELLED' })],
  ['a planned stay', stay(3, { status: 'PLANNED' })],
  ['an ED visit that became a stay', stay(3, { disposition: '09' })],
  ['a discharge of someone who is still a patient', stay(3, { disposition: '30' })],
  ['a death in the hospital', stay(3, { disposition: '20' })],
  ['a death that was reported with the stay', stay(3, { diedAt: daysAgo(3) })],
  ['a discharge that its sender dates in the future', stay(-1)],
  ['a discharge 90 days ago', stay(90)],
])('%s enrolls no one', (_, one) => {
  expect(namesOf([one], [BUNDLE])).toEqual([]);
});

test('a death after the discharge ends the enrollment, reported with a visit or without', () => {
  expect(namesOf([stay(3)], [BUNDLE])).toEqual(['Heart failure bundle']);
  expect(namesOf([stay(3), stay(1, { diedAt: daysAgo(1), facilityId: 'brendan' })], [BUNDLE])).toEqual([]);
  expect(namesOf([stay(3)], [BUNDLE], NOW, true)).toEqual([]);
});

test('a later stay that meets the conditions starts the period again, and one that does not changes nothing', () => {
  const [first, second, other] = [stay(60), stay(10), stay(2, {}, { drg: '190' })];
  const until = (...stays: ProgramStay[]) => at(stays, [BUNDLE]).now.map(({ validTo }) => validTo);
  expect([until(first), until(first, second), until(second, first, other)]).toEqual([
    ['2026-12-19'],
    ['2027-02-07'],
    ['2027-02-07'],
  ]);
});

test('each program is looked at on its own', () => {
  const sepsis = program({ id: '2', name: 'Sepsis', diagnosesDefinition: { codes: ['A41'], principalOnly: true } });
  expect(namesOf([stay(3), stay(9, { diagnosisCodes: ['A419'] }, { drg: '871' })], [BUNDLE, sepsis])).toEqual([
    'Heart failure bundle',
    'Sepsis',
  ]);
});

describe('conditions', () => {
  const meets = (over: Partial<Program>, visitOver: Partial<RuleVisit> = {}, rest: Partial<ProgramStay> = {}) =>
    namesOf([stay(3, visitOver, rest)], [program(over)]).length === 1;

  test('a code stands for all codes that begin with it, with or without the dot', () => {
    const by = (codes: string[], principalOnly: boolean) => ({ diagnosesDefinition: { codes, principalOnly } });
    const ill = { diagnosisCodes: ['I50.23', 'E1165'] };
    expect([
      meets(by(['I50'], true), ill),
      meets(by(['I502'], true), ill),
      meets(by(['I50.24'], false), ill),
      meets(by(['E11.65'], false), ill),
      meets(by(['E11.65'], true), ill),
      meets(by(['Z99', 'E11'], false), ill),
      meets(by(['I50'], false), { diagnosisCodes: [] }),
    ]).toEqual([true, true, false, true, false, true, false]);
  });

  test('the destination follows from the disposition, with a planned readmission or without', () => {
    const to = (dischargedTo: Program['dischargedTo'], disposition: string | null) =>
      meets({ dischargedTo }, { disposition });
    expect([
      to('NURSING_FACILITY', '03'),
      to('NURSING_FACILITY', '83'),
      to('NURSING_FACILITY', '01'),
      // Supportive care, not nursing: its row has a TCM clock.
      to('NURSING_FACILITY', '04'),
      to('CUSTODIAL_CARE', '04'),
      to('CUSTODIAL_CARE', '84'),
      to('HOME_HEALTH', '06'),
      to('HOME', '06'),
      to('HOME', null),
      to(null, null),
    ]).toEqual([true, true, false, false, true, true, true, false, false, true]);
  });

  test('the type of the facility', () => {
    const snf = { facilityType: 'SNF', setting: 'SNF' } as const;
    expect([meets({ admittingFacilityType: 'SNF' }, snf), meets({ admittingFacilityType: 'HOS' }, snf)]).toEqual([
      true,
      false,
    ]);
  });
});

test('a DRG is read as senders write it', () => {
  const sent = ['291', '0291', ' 64 ', 'MS291', 'MS-DRG 291', 'MSDRG291', '194-3', '', 'ABC', null, '2911'];
  expect(sent.map(drgCodeOf)).toEqual(['291', '291', '064', '291', '291', '291', null, null, null, null, null]);
});

test('a payer is meant if all its words are named, and Medicare is not Medicare Advantage', () => {
  const named = (company: string | null, wanted: string, plan: string | null = null) =>
    isPayer({ company, plan, code: null }, wanted);
  expect([
    named('MEDICARE', 'medicare'),
    named('Federal Medicare', 'Medicare', 'Part A'),
    named('Medicaid', 'Medicare'),
    named('Northern Pines', 'Medicare', 'Medicare Advantage HMO'),
    named('Northern Pines Medicare Advantage', 'Medicare Advantage'),
    named('Great Lantern Mutual PPO', 'great lantern'),
    named('Great Mutual', 'great lantern'),
    named(null, 'Part A', 'Part A'),
    named('MEDICARE', '--'),
  ]).toEqual([true, true, false, false, true, true, false, true, false]);
});

test.each([
  ['MEDICARE', true],
  ['MEDICARE A/B', true],
  ['Medicare Part A & Part B', true],
  ['Original Medicare (FFS)', true],
  ['RAILROAD MEDICARE', true],
  ['Medicare of NY', true],
  ['GREAT LANTERN MEDICARE', false],
  ['GLM MEDICARE COMPLETE', false],
  ['Medicare MA', false],
  ['Medicare Supplement', false],
  ['Northern Pines Medicare Gold', false],
])('“Medicare” means %s: %s', (company, isMeant) => {
  expect(isPayer({ company, plan: null, code: '60054' }, 'Medicare')).toBe(isMeant);
  // Its words were asked for.
  expect(isPayer({ company, plan: null, code: null }, company)).toBe(true);
});

test('nothing is computed without programs or visits', () => {
  expect([at([stay(3)], []), at([], [BUNDLE])]).toEqual([
    { now: [], changesAt: null },
    { now: [], changesAt: null },
  ]);
  expect(at([stay(100)], [BUNDLE], NOW - 200 * DAY).changesAt).toBe(daysAgo(100));
});

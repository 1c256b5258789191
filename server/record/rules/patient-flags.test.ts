import { describe, expect, test } from 'vitest';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { patientFlags, type RuleVisit } from './patient-flags.ts';
import { stayBefore } from './readmissions.ts';

const ZONE = 'America/New_York';
const DAY = 86_400_000;
const flagsOf = (visits: RuleVisit[], now = NOW) => patientFlags(visits, now, ZONE);
const emergencies = (...days: number[]) => days.map((day) => visit('EMERGENCY', day));

test('a person without visits has no flags, and time alone will not change that', () => {
  const flags = flagsOf([]);
  expect(flags).toMatchObject({ hospitalUse: null, covid19: null, hhaServices: null, risingRisk: [], changesAt: null });
  expect(flagsOf([])).toBe(flags);
});

describe('hospital use', () => {
  test('four ED visits in a year are high use until the oldest is a year old', () => {
    const visits = emergencies(364, 200, 100, 10);
    expect(flagsOf(visits).hospitalUse).toBe('VALID');
    expect(flagsOf(visits.slice(1)).hospitalUse).toBeNull();
    expect(flagsOf(visits, NOW + DAY - 1).hospitalUse).toBe('VALID');
    expect(flagsOf(visits, NOW + DAY).hospitalUse).toBe('EXPIRED');
  });

  test('three ED visits in 60 days are high use, even if one became an admission', () => {
    const admitted = visit('INPATIENT', 30, 27, { cameThroughEmergency: true, facilityId: 'brendan' });
    expect(flagsOf([...emergencies(59, 5), admitted])).toMatchObject({
      hospitalUse: 'VALID',
      emergencyRoomVisitCount: 3,
      emergencyRoomCount: 2,
    });
    expect(flagsOf([...emergencies(61, 1), admitted]).hospitalUse).toBeNull();
  });

  test('it is expired if the three visits were earlier', () => {
    expect(flagsOf(emergencies(200, 190, 180)).hospitalUse).toBe('EXPIRED');
  });

  test('an ED visit that another ED sent the patient to is the same visit', () => {
    const sent = (from: number, to: number) => visit('EMERGENCY', from, to, { disposition: '02' });
    const other = { facilityId: 'brendan' };
    const [first, second] = [sent(20, 19.9), visit('EMERGENCY', 19.8, 19.7, other)];
    expect(flagsOf([...emergencies(50), first, second])).toMatchObject({
      hospitalUse: null,
      emergencyRoomVisitCount: 2,
    });
    expect(flagsOf([...emergencies(50, 2), first, second]).hospitalUse).toBe('VALID');
    expect(flagsOf([...emergencies(50), sent(20, 19.9), visit('EMERGENCY', 17, 16.9, other)]).hospitalUse).toBe(
      'VALID',
    );
    expect(flagsOf([...emergencies(50), sent(20, 19.9), visit('EMERGENCY', 19.8, 19.7)]).hospitalUse).toBe('VALID');
  });

  test('a direct admission is not an ED visit', () => {
    expect(flagsOf([...emergencies(59, 5), visit('INPATIENT', 30, 27)]).hospitalUse).toBeNull();
  });
});

describe('rising risk', () => {
  test('two acute visits in 60 days after a quiet year are rising, one is not', () => {
    expect(flagsOf([visit('EMERGENCY', 40), visit('INPATIENT', 9, 5)]).risingRisk).toEqual(['RISING']);
    expect(flagsOf([visit('EMERGENCY', 40)]).risingRisk).toEqual([]);
    expect(flagsOf([visit('EMERGENCY', 40), visit('OUTPATIENT', 9)]).risingRisk).toEqual([]);
  });

  test('it takes twice the person’s own average: five visits in the 305 days before are just under one per 60 days', () => {
    const before = emergencies(364, 300, 250, 200, 70);
    expect(flagsOf([...before, ...emergencies(40, 9)]).risingRisk).toEqual(['RISING']);
    expect(flagsOf([...before, visit('OBSERVATION', 240), ...emergencies(40, 9)]).risingRisk).toEqual([]);
  });

  test('six acute visits in 180 days and three months make a multi-visit patient, who is not rising', () => {
    expect(flagsOf(emergencies(170, 130, 120, 80, 40, 9)).risingRisk).toEqual(['MULTI_VISIT']);
    expect(flagsOf(emergencies(181, 130, 120, 80, 40, 9)).risingRisk).not.toContain('MULTI_VISIT');
    // Planned stays and births raise no risk.
    const planned = [170, 130, 120, 80, 40, 9].map((day) =>
      visit('INPATIENT', day, day - 2, { admissionType: 'C', diagnosisCodes: ['Z51.11'] }),
    );
    expect(flagsOf(planned).risingRisk).toEqual([]);
    expect(flagsOf([...planned, ...emergencies(175, 125, 100)]).risingRisk).toEqual([]);
    expect(flagsOf(emergencies(17, 16, 14, 10, 9, 8)).risingRisk).toEqual(['RISING']);
  });

  test('months are those of the time zone', () => {
    const at = (iso: string) => ({ admittedAt: Date.parse(iso) });
    // 2 a.m. on September 1 in UTC is still August in New York.
    const first = visit('EMERGENCY', 1, 1, at('2026-09-01T02:00:00Z'));
    const others = ['2026-09-02', '2026-09-03', '2026-09-04', '2026-10-05', '2026-10-06'].map((day) =>
      visit('EMERGENCY', 1, 1, at(`${day}T12:00:00Z`)),
    );
    expect(patientFlags([first, ...others], NOW, ZONE).risingRisk).toContain('MULTI_VISIT');
    expect(patientFlags([first, ...others], NOW, 'UTC').risingRisk).not.toContain('MULTI_VISIT');
  });

  test('a readmission raises the risk for 60 days, unless it was planned', () => {
    const index = visit('INPATIENT', 90, 85);
    const again = (days: number, over: Partial<RuleVisit> = {}) => visit('INPATIENT', days, days - 3, over);
    expect(flagsOf([index, again(59)]).risingRisk).toContain('READMISSION');
    expect(flagsOf([index, again(60)]).risingRisk).not.toContain('READMISSION');
    expect(flagsOf([index, again(59, { admissionType: '3' })]).risingRisk).not.toContain('READMISSION');
  });
});

describe('COVID-19', () => {
  const covid = { mentionsCovid: true };
  test('a mention is active during the visit and for 14 days after it', () => {
    expect(flagsOf([visit('INPATIENT', 30, null, covid)]).covid19).toBe('ACTIVE');
    expect(flagsOf([visit('INPATIENT', 30, 13, covid)]).covid19).toBe('ACTIVE');
    expect(flagsOf([visit('INPATIENT', 30, 14, covid)]).covid19).toBe('EXPIRED');
    expect(flagsOf([visit('INPATIENT', 30, 13)]).covid19).toBeNull();
  });

  test('only the visit that mentions it has the tag', () => {
    const [mentioning, other] = [visit('INPATIENT', 30, 14, covid), visit('EMERGENCY', 3)];
    const { visits } = flagsOf([mentioning, other]);
    expect(visits.get(mentioning.id)?.encounterTags).toEqual(['MENTIONS_COVID_19']);
    expect(visits.get(other.id)?.encounterTags).toEqual([]);
  });
});

test('home health is ongoing until it ends', () => {
  expect(flagsOf([visit('HHA', 200, null)]).hhaServices).toBe('ONGOING');
  expect(flagsOf([visit('HHA', 200, 100)]).hhaServices).toBeNull();
});

describe('flags of a visit', () => {
  const flagsIn = (one: RuleVisit, ...others: RuleVisit[]) => flagsOf([...others, one]).visits.get(one.id);

  test('readmission risk: in the ED or under observation now, after an inpatient stay that ended in the 30 days before', () => {
    const stay = visit('INPATIENT', 30, 20);
    expect(flagsIn(visit('EMERGENCY', 0.1, null), stay)?.readmissionRisk).toBe(true);
    expect(flagsIn(visit('OBSERVATION', 0.1, null), stay)?.readmissionRisk).toBe(true);
    expect(flagsIn(visit('EMERGENCY', 0.1, 0), stay)?.readmissionRisk).toBe(false);
    expect(flagsIn(visit('INPATIENT', 0.1, null), stay)?.readmissionRisk).toBe(false);
    expect(flagsIn(visit('EMERGENCY', 0.1, null), visit('INPATIENT', 45, 5))?.readmissionRisk).toBe(true);
    expect(flagsIn(visit('EMERGENCY', 0.1, null), visit('INPATIENT', 45, 32))?.readmissionRisk).toBe(false);
    expect(
      flagsIn(visit('EMERGENCY', 0.1, null), visit('INPATIENT', 9, 5, { disposition: '20' }))?.readmissionRisk,
    ).toBe(false);
    expect(flagsIn(visit('EMERGENCY', 0.1, null), visit('OBSERVATION', 20))?.readmissionRisk).toBe(false);
  });

  test('recent inpatient stay: an inpatient now, after the latest other stay that ended in the 30 days before', () => {
    const [older, newer] = [visit('INPATIENT', 25, 22), visit('INPATIENT', 12, 10)];
    expect(flagsIn(visit('INPATIENT', 1, null), newer, older)?.recentInpatientStay).toEqual({
      triggerEncounterId: newer.id,
      triggerFacilityId: 'mercy',
      triggerDate: daysAgo(12),
    });
    expect(flagsIn(visit('EMERGENCY', 1, null), newer)?.recentInpatientStay).toBeNull();
  });

  test.each<[string, RuleVisit, RuleVisit]>([
    ['elsewhere on the next day', visit('INPATIENT', 10, 2), visit('INPATIENT', 1, null, { facilityId: 'brendan' })],
    [
      'elsewhere on the day on which the patient went home',
      visit('INPATIENT', 10, 1.1, { disposition: '01' }),
      visit('INPATIENT', 1, null, { facilityId: 'brendan' }),
    ],
    ['at the same hospital on the same day', visit('INPATIENT', 10, 1.1), visit('INPATIENT', 1, null)],
  ])('a return %s is one, and its row says so too', (_, before, now) => {
    expect(flagsIn(now, before)?.recentInpatientStay).toMatchObject({ triggerEncounterId: before.id });
    expect(stayBefore(now, [before, now])).toBe(before);
  });

  test('the 30 days run from the discharge, however long the stay was', () => {
    const one = visit('INPATIENT', 2, null);
    expect(flagsIn(one, visit('INPATIENT', 90, 33.5))?.recentInpatientStay).toBeNull();
    expect(flagsIn(one, visit('INPATIENT', 90, 31.5))?.recentInpatientStay).not.toBeNull();
  });

  test.each<[string, Partial<RuleVisit>]>([
    ['chemotherapy', { diagnosisCodes: ['Z51.11'], admissionType: null }],
    ['an elective stay', { admissionType: '3' }],
    ['a birth', { diagnosisCodes: ['O80'] }],
  ])('%s soon after a stay has no flag, as its row has no reason', (_, over) => {
    const now = visit('INPATIENT', 2, null, over);
    const before = visit('INPATIENT', 20, 12);
    expect([flagsIn(now, before)?.recentInpatientStay, stayBefore(now, [before, now])]).toEqual([null, null]);
  });

  test('recent nursing stay: at a hospital now, having left skilled nursing, until 30 days after that', () => {
    const nursing = visit('SNF', 60, 29, { facilityId: 'oak' });
    const now = visit('EMERGENCY', 0.1, null);
    expect(flagsIn(now, nursing)?.recentSnfStay).toEqual({
      triggerEncounterId: nursing.id,
      triggerFacilityId: 'oak',
      triggerDate: daysAgo(29),
      endValidityDate: daysAgo(-1),
    });
    expect(patientFlags([now, nursing], daysAgo(-1), ZONE).visits.get(now.id)?.recentSnfStay).toBeNull();
    expect(
      flagsIn(visit('LTAC', 3, null, { groupType: 'ADMITTING', facilityType: 'LTAC' }), nursing)?.recentSnfStay,
    ).toBeTruthy();
    expect(flagsIn(visit('HHA', 3, null), nursing)?.recentSnfStay).toBeNull();
  });

  test('a resident in a hospital has the nursing flag as long as the stay goes on, on leave or not', () => {
    const onLeave = visit('SNF', 200, null, { facilityId: 'oak', status: 'ON_LEAVE' });
    const now = visit('INPATIENT', 40, null);
    expect(flagsIn(now, onLeave)?.recentSnfStay).toEqual({
      triggerEncounterId: onLeave.id,
      triggerFacilityId: 'oak',
      triggerDate: null,
      endValidityDate: null,
    });
    expect(flagsIn(now, visit('SNF', 200, null))?.recentSnfStay).toMatchObject({
      triggerDate: null,
      endValidityDate: null,
    });
    expect(flagsIn(now, visit('SNF', 20, null))?.recentSnfStay).toBeNull();
  });

  test('a hand-off from an ED is no transfer', () => {
    const [stay, now] = [visit('INPATIENT', 20, 15), visit('INPATIENT', 1, null, { admitSource: '4' })];
    const sender = visit('EMERGENCY', 1.2, 1.1, { facilityId: 'brendan', disposition: '02' });
    expect(flagsIn(now, stay, sender)?.recentInpatientStay).toMatchObject({ triggerEncounterId: stay.id });
    expect(flagsIn(visit('EMERGENCY', 1, null, { admitSource: '4' }), stay)?.readmissionRisk).toBe(true);
  });

  test.each<[string, RuleVisit, RuleVisit]>([
    [
      'on the same day',
      visit('INPATIENT', 10, 1.1, { disposition: null }),
      visit('INPATIENT', 1, null, { facilityId: 'brendan' }),
    ],
    [
      'by the admission source',
      visit('INPATIENT', 10, 4),
      visit('INPATIENT', 1, null, { facilityId: 'brendan', admitSource: '4' }),
    ],
    [
      'whose discharge is missing',
      visit('INPATIENT', 10, null),
      visit('INPATIENT', 1, null, { facilityId: 'brendan' }),
    ],
    [
      'to a swing bed',
      visit('INPATIENT', 10, 1, { disposition: '61' }),
      visit('INPATIENT', 0.99, null, { facilityId: 'mercy' }),
    ],
    [
      'to a rehabilitation unit, on the next day',
      visit('INPATIENT', 10, 1.5, { disposition: '62' }),
      visit('INPATIENT', 0.9, null),
    ],
    ['to long-term acute care', visit('INPATIENT', 10, 4), visit('LTAC', 1, null)],
    ['to rehabilitation', visit('INPATIENT', 10, 4), visit('REHAB', 1, null)],
    ['from long-term acute care', visit('LTAC', 10, 4), visit('INPATIENT', 1, null)],
    [
      'to an emergency department',
      visit('INPATIENT', 10, 1, { disposition: '02' }),
      visit('EMERGENCY', 0.9, null, { facilityId: 'brendan' }),
    ],
  ])('a transfer is no earlier stay: %s', (_, earlier, one) => {
    expect(flagsIn(one, earlier)).toMatchObject({ recentInpatientStay: null, readmissionRisk: false });
  });
});

test('a death ends what is about now, and keeps the history', () => {
  const stays = [visit('INPATIENT', 30, 20), visit('EMERGENCY', 12), visit('SNF', 20, 2), visit('HHA', 9, null)];
  const open = visit('EMERGENCY', 1, null);
  const alive = flagsOf([...stays, open]);
  expect(alive).toMatchObject({ risingRisk: ['RISING'], hhaServices: 'ONGOING' });
  expect(alive.visits.get(open.id)).toMatchObject({ readmissionRisk: true, recentSnfStay: expect.anything() });
  const dead = flagsOf([...stays, { ...open, diedAt: NOW }]);
  expect(dead).toMatchObject({ risingRisk: [], hhaServices: null, emergencyRoomVisitCount: 2 });
  expect(dead.visits.get(open.id)).toMatchObject({ readmissionRisk: false, recentSnfStay: null });
});

test('a visit with a future time counts once that time has come', () => {
  const later = visit('EMERGENCY', -0.01, null);
  expect(flagsOf([later])).toMatchObject({ emergencyRoomVisitCount: 0, changesAt: later.admittedAt });
  expect(flagsOf([later], later.admittedAt ?? 0).emergencyRoomVisitCount).toBe(1);
});

test('counts visits of the last twelve and six months', () => {
  const visits = [
    ...emergencies(364, 181, 10),
    visit('INPATIENT', 180, 179.9),
    visit('INPATIENT', 179, 170),
    visit('SNF', 160, 120),
    visit('HHA', 20, null),
    visit('EMERGENCY', 365),
    visit('EMERGENCY', null, null),
  ];
  expect(flagsOf(visits)).toMatchObject({
    encounterCounts: { emergency: 3, inpatient: 2, postAcute: 2 },
    emergencyVisits6Months: 1,
    inpatientStays6Months: 1,
    emergencyRoomVisitCount: 3,
    emergencyRoomCount: 1,
  });
});

test('a transfer from one ED to another is one ED visit to two departments', () => {
  const first = visit('EMERGENCY', 9, 8.9, { disposition: '02' });
  const second = visit('EMERGENCY', 8.8, 8.7, { facilityId: 'brendan' });
  expect(flagsOf([first, second])).toMatchObject({
    encounterCounts: { emergency: 1 },
    emergencyVisits6Months: 1,
    emergencyRoomVisitCount: 1,
    emergencyRoomCount: 2,
  });
  expect(flagsOf([{ ...first, disposition: '01' }, second])).toMatchObject({ emergencyRoomVisitCount: 2 });
});

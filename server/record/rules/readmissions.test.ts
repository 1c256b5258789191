import { expect, test } from 'vitest';
import { daysAgo, visit } from '#server/testing/rule-visits.ts';
import { READMISSION_DEFINITIONS, readmissionsOf } from './readmissions.ts';
import type { RuleVisit } from './rule-visit.ts';

const { CMS, PCR } = READMISSION_DEFINITIONS;
const found = (visits: RuleVisit[], definition: typeof CMS | typeof PCR = CMS) =>
  readmissionsOf(visits, 'America/New_York', definition);
const stay = (from: number, to: number | null, over: Partial<RuleVisit> = {}) => visit('INPATIENT', from, to, over);

test('a readmission is an inpatient admission within 30 calendar days of a discharge', () => {
  const index = stay(40, 31);
  const again = stay(1, null);
  expect(found([again, index]).get(again.id)).toEqual({
    at: daysAgo(1),
    triggerEncounterId: index.id,
    triggerFacilityId: 'mercy',
    triggerSetting: 'INPATIENT',
    dischargedAt: daysAgo(31),
    isProbablyPlanned: false,
  });
  expect(found([stay(40, 32), again]).size).toBe(0);
});

test('a SNF stay in between does not reset the window, and an ED visit is not an admission', () => {
  const again = stay(2, null);
  expect([...found([stay(30, 25), visit('SNF', 25, 3), again]).keys()]).toEqual([again.id]);
  expect(found([stay(30, 25), visit('EMERGENCY', 2)]).size).toBe(0);
});

test.each([
  ['died', '20'],
  ['against medical advice', '07'],
  ['to another hospital', '02'],
])('for CMS no readmission follows a stay that ended this way: %s', (_, disposition) => {
  expect(found([stay(30, 25, { disposition }), stay(10, 5)]).size).toBe(0);
});

test('a transfer to another hospital by the next day is one stay, and the window starts at its end', () => {
  const first = stay(50, 45, { disposition: '01' });
  const second = stay(44, 36, { facilityId: 'brendan' });
  const again = stay(10, 5);
  const result = found([first, second, again]);
  expect([...result.keys()]).toEqual([again.id]);
  expect(result.get(again.id)?.triggerEncounterId).toBe(second.id);
  const sameHospital = stay(44, 36);
  expect(found([first, sameHospital]).get(sameHospital.id)?.triggerEncounterId).toBe(first.id);
});

test('for PCR observation counts, stays less than two days apart are one, and a same-day stay is not an index stay', () => {
  const index = visit('OBSERVATION', 30, 28);
  const again = visit('OBSERVATION', 20, 19);
  expect(found([index, again], CMS).size).toBe(0);
  expect([...found([index, again], PCR).keys()]).toEqual([again.id]);
  expect(found([index, visit('OBSERVATION', 27, 26)], PCR).size).toBe(0);
  expect(found([visit('OBSERVATION', 30, 29.9), again], PCR).size).toBe(0);
});

test('an elective admission, chemotherapy and a planned return are probably planned', () => {
  const planned = (index: Partial<RuleVisit>, over: Partial<RuleVisit>) => {
    const again = stay(10, 5, over);
    return found([stay(30, 25, index), again]).get(again.id)?.isProbablyPlanned;
  };
  expect(planned({}, {})).toBe(false);
  expect(planned({}, { admissionType: 'C' })).toBe(true);
  expect(planned({}, { diagnosisCodes: ['Z51.11'] })).toBe(true);
  expect(planned({ disposition: '81' }, {})).toBe(true);
});

test('overlapping stays end with the one that ends last, in any order', () => {
  const short = stay(30, 25, { facilityId: 'brendan' });
  const long = stay(30, 24);
  const again = stay(10, 5);
  for (const visits of [
    [short, long, again],
    [again, long, short],
  ])
    expect([...found(visits)].map(([id, { triggerEncounterId }]) => [id, triggerEncounterId])).toEqual([
      [again.id, long.id],
    ]);
});

import { expect, test } from 'vitest';
import { daysAgo, visit } from '#server/testing/rule-visits.ts';
import { inpatientStays, READMISSION_DEFINITIONS, stayBefore } from './readmissions.ts';
import type { RuleVisit } from './rule-visit.ts';

const { CMS, PCR } = READMISSION_DEFINITIONS;
const found = (visits: RuleVisit[], definition: typeof CMS | typeof PCR = CMS) =>
  inpatientStays(visits, definition).readmissions;
const stay = (from: number, to: number | null, over: Partial<RuleVisit> = {}) => visit('INPATIENT', from, to, over);

test('a readmission is an inpatient admission within 30 calendar days of a discharge', () => {
  const index = stay(40, 31);
  const again = stay(1, null);
  expect(found([again, index]).get(again.id)).toEqual({
    at: daysAgo(1),
    triggerEncounterId: index.id,
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
  ['unseen', 'LWBS'],
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

test.each<[boolean, string[], string[]]>([
  [true, ['I50.9'], ['K92.2']],
  [false, ['I50.9'], ['I50.23', 'K92.2']],
  [false, ['I50.9'], ['R06.02']],
  [false, ['I50.9'], []],
])(
  'a return to the hospital on the day of the discharge is a readmission: %s, after %s with %s',
  (is, before, after) => {
    const index = stay(20, 10.2, { diagnosisCodes: before });
    const again = stay(10.1, 5, { diagnosisCodes: after });
    expect(found([index, again]).has(again.id)).toBe(is);
  },
);

test('for PCR observation counts, stays less than two days apart are one, and a same-day stay is not an index stay', () => {
  const index = visit('OBSERVATION', 30, 28);
  const again = visit('OBSERVATION', 20, 19);
  expect(found([index, again], CMS).size).toBe(0);
  expect([...found([index, again], PCR).keys()]).toEqual([again.id]);
  expect(found([index, visit('OBSERVATION', 27, 26)], PCR).size).toBe(0);
  expect(found([visit('OBSERVATION', 30, 29.9), again], PCR).size).toBe(0);
});

test.each<[string, Partial<RuleVisit>, Partial<RuleVisit>?]>([
  ['an elective admission', { admissionType: 'C' }],
  ['an elective admission by UB-04', { admissionType: '3' }],
  ['chemotherapy', { diagnosisCodes: ['Z51.11', 'C50.9'], admissionType: '2' }],
  ['chemotherapy in words', { purpose: 'CANCER_TREATMENT', admissionType: null }],
  ['an elective return that the first discharge announced', { admissionType: '3' }, { disposition: '81' }],
  ['labor', { admissionType: 'L' }],
  ['a newborn', { admissionType: 'N' }],
  ['a delivery after false labor', { diagnosisCodes: ['O80', 'Z37.0'] }, { diagnosisCodes: ['O47.1'] }],
  ['false labor', { diagnosisCodes: ['O47.1'] }],
  ['labor in words', { purpose: 'LABOR' }],
  ['a transfer by its admission source', { admitSource: '4', facilityId: 'brendan' }],
])('not a readmission: %s', (_, again, index = {}) => {
  expect(found([stay(30, 25, index), stay(10, 5)]).size).toBe(1);
  expect(found([stay(30, 25, index), stay(10, 5, again)]).size).toBe(0);
});

test('bleeding or an infection after a delivery is a readmission', () => {
  const delivery = stay(12, 10, { diagnosisCodes: ['O80', 'Z37.0'] });
  for (const code of ['O72.2', 'O86.0'])
    expect(found([delivery, stay(5, null, { diagnosisCodes: [code] })]).size, code).toBe(1);
});

test.each(['SNF', 'LTAC', 'REHAB', 'OBSERVATION', 'EMERGENCY', 'HHA'] as const)(
  'arriving at another kind of care is not a readmission: %s',
  (setting) => {
    expect(found([stay(30, 25), visit(setting, 10, null)]).size).toBe(0);
    expect(found([visit(setting, 30, 25), stay(10, null)]).size).toBe(0);
  },
);

test('each admission within the 30 days counts, a transfer together with the stay that it continues', () => {
  const [first, second] = [stay(28, 26), stay(20, 18)];
  const onward = stay(18, 15, { facilityId: 'brendan' });
  const again = stay(5, null);
  const result = found([first, second, onward, again]);
  expect([...result].map(([id, { triggerEncounterId }]) => [id, triggerEncounterId])).toEqual([
    [second.id, first.id],
    [again.id, onward.id],
  ]);
  const stays = inpatientStays([first, second, onward, again]);
  expect(stays.isOneStay(second.id, onward.id)).toBe(true);
  expect(stays.isOneStay(first.id, second.id)).toBe(false);
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

test.each<[string, boolean]>([
  ['A41.9', true],
  ['I50.23', true],
  ['I63.9', true],
  ['J18.9', true],
  ['J189', true],
  ['K92.2', true],
  ['S72.001A', true],
  ['T40.1X1A', true],
  // By appointment: chronic heart failure, carotid stenosis, a knee, an old infarction, what became of a fracture, cancer.
  ['I50.22', false],
  ['I65.21', false],
  ['M17.11', false],
  ['I25.2', false],
  ['S72.001D', false],
  ['C18.9', false],
])('an elective admission for a condition that comes on suddenly is not planned: %s %s', (code, is) => {
  const again = { admissionType: '3', diagnosisCodes: [code] };
  expect(found([stay(30, 25), stay(10, 5, again)]).size).toBe(is ? 1 : 0);
});

test('an emergency is not planned, and an announced plan is not this return', () => {
  const emergency = { purpose: 'CANCER_TREATMENT', admissionType: '1' } as const;
  expect(found([stay(30, 25), stay(10, 5, emergency)]).size).toBe(1);
  for (const disposition of ['81', '86', '90', '95'])
    expect(found([stay(30, 25, { disposition }), stay(10, 5)]).size, disposition).toBe(1);
});

test('a hand-off from an ED is no transfer, whatever the admission source says', () => {
  const [index, again] = [stay(30, 25), stay(5, 2, { admitSource: '4' })];
  const sender = { facilityId: 'brendan', disposition: '02' };
  for (const setting of ['EMERGENCY', 'OBSERVATION', 'LTAC', 'SNF'] as const) {
    const before = visit(setting, 5.3, 5.1, sender);
    expect([...found([index, before, again]).values()], setting).toMatchObject([{ triggerEncounterId: index.id }]);
  }
  const unit = stay(5, 2, { admitSource: 'D' });
  expect(found([index, visit('EMERGENCY', 5.3, 5.1), unit]).size).toBe(1);
  const dayBefore = visit('EMERGENCY', 6.3, 6.1, sender);
  expect(found([index, dayBefore, again]).size).toBe(1);
  expect(found([index, visit('EMERGENCY', 8, 7.9, sender), again]).size).toBe(0);
});

test('an inpatient stay elsewhere that went on, or ended by the day before, makes the admission source a transfer', () => {
  const again = stay(5, 2, { admitSource: '4' });
  const [index, emergency] = [stay(30, 25), visit('EMERGENCY', 5.3, 5.1, { facilityId: 'brendan' })];
  const open = stay(8, null, { facilityId: 'brendan', admissionType: '3' });
  expect(found([index, open, emergency, again]).has(again.id)).toBe(false);
  const home = stay(9, 6, { admissionType: '3' });
  expect(found([home, emergency, again]).get(again.id)?.triggerEncounterId).toBe(home.id);
});

test.each(['02', '05', '43', '65', '66', '82', '93'])(
  'a stay that ended with %s is a first stay if the return is days later',
  (disposition) => {
    expect(found([stay(30, 25, { disposition }), stay(10, 5)]).size).toBe(1);
  },
);

test('a transfer that waits in the next ED for more than a day is one stay', () => {
  const sent = stay(30, 25, { disposition: '02' });
  const boarding = stay(24.9, 15, { facilityId: 'brendan', inpatientFrom: daysAgo(22), cameThroughEmergency: true });
  expect(found([sent, boarding]).size).toBe(0);
  expect(found([{ ...sent, disposition: '01' }, boarding]).size).toBe(1);
});

test.each(['61', '62', '63', '65', '51', '89', '90', '91'])(
  'the bed that disposition %s announced is no admission',
  (disposition) => {
    const acute = stay(40, 30, { disposition });
    for (const over of [{}, { facilityId: 'brendan' }]) {
      const bed = stay(29.9, 20, over);
      const again = stay(5, null);
      const result = found([acute, bed, again]);
      expect([...result]).toMatchObject([[again.id, { triggerEncounterId: acute.id }]]);
    }
    expect(found([acute, stay(28, 20)]).size).toBe(1);
    expect(found([acute, stay(29, 20)]).size).toBe(0);
    expect(found([acute, stay(29, 20, { cameThroughEmergency: true })]).size).toBe(1);
  },
);

test.each([
  ['cancer', 'C50.9', 0],
  ['chemotherapy', 'Z51.11', 0],
  ['radiotherapy', 'Z510', 0],
  ['schizophrenia', 'F20.9', 0],
  ['depression', 'F32.9', 0],
  ['alcohol withdrawal', 'F10.231', 1],
  ['dementia', 'F03.90', 1],
  ['delirium', 'F05', 1],
  ['follow-up of a fracture', 'Z51.81', 1],
])('a first stay for %s (%s) counts: %i', (_, code, count) => {
  expect(found([stay(30, 25, { diagnosisCodes: [code] }), stay(10, 5)]).size).toBe(count);
});

test('days count by the clock of the hospital of each stay, as the page shows them', () => {
  const at = (time: string) => Date.parse(time);
  const timeZone = 'America/Chicago';
  const index = visit('INPATIENT', 1, 1, { timeZone, dischargedAt: at('2026-10-20T10:00:00-05:00') });
  // November 19, 11:30 PM: the 30th day there, the 31st by the clock of a list in New York.
  const admittedAt = at('2026-11-19T23:30:00-06:00');
  const again = visit('INPATIENT', 1, null, { timeZone, admittedAt });
  const found = inpatientStays([{ ...index, admittedAt: at('2026-10-15T10:00:00-05:00') }, again]).readmissions;
  expect(found.get(again.id)?.triggerEncounterId).toBe(index.id);
  const later = { ...again, timeZone: 'America/New_York' };
  expect(inpatientStays([index, later]).readmissions.size).toBe(0);
});

test.each<[string, boolean, Partial<RuleVisit>, Partial<RuleVisit>]>([
  ['by the next day at another hospital', true, {}, { facilityId: 'brendan' }],
  ['after a stay against advice', true, { disposition: '07' }, {}],
  ['after a stay for cancer', true, { diagnosisCodes: ['C50.9'] }, {}],
  ['after a death', false, { disposition: '20' }, {}],
  ['planned', false, {}, { admissionType: '3' }],
  ['a birth', false, {}, { diagnosisCodes: ['O80'] }],
  ['a transfer by the disposition', false, { disposition: '02' }, { facilityId: 'brendan' }],
  ['a transfer by the admission source', false, {}, { facilityId: 'brendan', admitSource: '4' }],
  ['the bed that the discharge announced', false, { disposition: '62' }, {}],
])('an inpatient is back after a hospital stay: %s: %s', (_, isBack, before, now) => {
  const [first, again] = [stay(9, 5, { disposition: '01', ...before }), stay(4, null, now)];
  expect(stayBefore(again, [first, again]) !== null).toBe(isBack);
});

test('an admission to another hospital on the day of the discharge is a transfer, unless the patient went home', () => {
  const again = stay(5.1, null, { facilityId: 'brendan' });
  const isBack = (...before: RuleVisit[]) => stayBefore(again, [...before, again]) !== null;
  expect(isBack(stay(9, 5.2, { disposition: null }))).toBe(false);
  expect(isBack(stay(9, 5.2, { disposition: '01' }))).toBe(true);
  // The stay before the transfer is no stay that the patient is back after.
  expect(isBack(stay(12, 9, { facilityId: 'brendan', disposition: '02' }), stay(9, 5.2, { disposition: null }))).toBe(
    false,
  );
});

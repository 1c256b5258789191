import { describe, expect, it } from 'vitest';
import { NOW, visit } from '#server/testing/rule-visits.ts';
import { patientFlags, type RuleVisit } from './patient-flags.ts';

const flags = (visits: readonly RuleVisit[]) => patientFlags(visits, NOW, 'America/New_York');
const shown = (visits: readonly RuleVisit[]) => {
  const { emergencyVisits6Months, inpatientStays6Months, risingRisk } = flags(visits);
  return [emergencyVisits6Months, inpatientStays6Months, risingRisk.filter((each) => each === 'RISING')];
};
const FROM_ED = { cameThroughEmergency: true, admitSource: '7' };
const HOUR = 1 / 24;
/** An ED account that ended in an admission, and the stay on an account of its own. */
const admitted = (day: number): RuleVisit[] => [
  visit('EMERGENCY', day, null, { status: 'FINISHED', disposition: '09' }),
  visit('INPATIENT', day - 4 * HOUR, day - 3, FROM_ED),
];

describe('an ED account that leads to the stay', () => {
  it('is one ED visit with it', () => {
    expect(shown(admitted(10))).toEqual([1, 1, []]);
    expect(shown([...admitted(40), ...admitted(10)])).toEqual([2, 2, ['RISING']]);
    expect(flags([...admitted(40), ...admitted(10)]).hospitalUse).toBeNull();
  });

  it('may have ended with any disposition on that day, unless the stay has an arrival of its own', () => {
    const emergency = visit('EMERGENCY', 10, 10 - 4 * HOUR);
    const stay = (more: object) => visit('INPATIENT', 10 - 5 * HOUR, 7, { ...FROM_ED, ...more });
    expect(shown([emergency, stay({})])[0]).toBe(1);
    expect(shown([emergency, stay({ presentedHere: true })])[0]).toBe(2);
    expect(shown([emergency, stay({ facilityId: 'other' })])[0]).toBe(2);
    expect(shown([emergency, visit('INPATIENT', 8, 7, FROM_ED)])[0]).toBe(2);
  });
});

const there = { facilityId: 'other' };
const BIRTH = { diagnosisCodes: ['O80'] };

describe('rising risk', () => {
  it.each<[string, RuleVisit[], number]>([
    [
      'a transfer',
      [visit('INPATIENT', 9, 6, { disposition: '02' }), visit('INPATIENT', 6, 3, { ...there, admitSource: '4' })],
      1,
    ],
    ['a move to another hospital of the system', [visit('INPATIENT', 9, 6), visit('INPATIENT', 6, 3, there)], 1],
    ['a swing bed', [visit('INPATIENT', 9, 6, { disposition: '61' }), visit('INPATIENT', 6, 3)], 1],
    ['rehabilitation', [visit('INPATIENT', 9, 6, { disposition: '62' }), visit('INPATIENT', 6, 3, there)], 1],
    [
      'a delivery after false labor',
      [visit('INPATIENT', 10, 9, { diagnosisCodes: ['O47.1'] }), visit('INPATIENT', 2, 1, BIRTH)],
      2,
    ],
    ['elective chemotherapy', [visit('INPATIENT', 25, 20), visit('INPATIENT', 1, null, { admissionType: 'C' })], 2],
    ['observation before the stay', [visit('OBSERVATION', 9, 8), visit('INPATIENT', 8 - HOUR, 3)], 1],
  ])('is not raised by %s', (_, visits, stays) => {
    expect(shown(visits)).toEqual([0, stays, []]);
  });

  it('is raised by two unplanned stays with days at home in between', () => {
    expect(shown([visit('INPATIENT', 25, 20), visit('INPATIENT', 9, 6)])).toEqual([0, 2, ['RISING']]);
    expect(shown([visit('EMERGENCY', 25), visit('EMERGENCY', 9)])).toEqual([2, 0, ['RISING']]);
  });
});

import { describe, expect, test } from 'vitest';
import { NOW, visit } from '#server/testing/rule-visits.ts';
import { type Attempt, contactSince, followUpDue } from './follow-up.ts';
import type { RuleVisit } from './rule-visit.ts';

/** The follow-up of a stay that ended on Wednesday, November 18, with these other visits. */
function due(left: RuleVisit, ...others: RuleVisit[]): string | null {
  const { id, setting, dischargedAt, disposition } = left;
  const discharge = { encounterId: id, setting, at: dischargedAt ?? 0, day: '2026-11-18', disposition };
  return followUpDue(discharge, [left, ...others], NOW);
}

const hospital = () => visit('INPATIENT', 6, 2);

test('two business days after a discharge to the community', () => {
  expect(due(hospital())).toBe('2026-11-20');
  expect(due(visit('EMERGENCY', 2.2, 2))).toBeNull();
  expect(due(visit('INPATIENT', 6, 2, { disposition: '03' }))).toBeNull();
  expect(due(hospital(), visit('SNF', 60, 20), visit('ASSISTED_LIVING', 200, null), visit('HHA', 1, null))).toBe(
    '2026-11-20',
  );
});

describe('none is due in a facility', () => {
  test.each<[string, RuleVisit]>([
    ['back in the nursing facility', visit('SNF', 60, null)],
    ['on leave from it', visit('SNF', 60, null, { status: 'ON_LEAVE' })],
    ['in a nursing facility since an unknown time', visit('SNF', null, null)],
    ['left the nursing facility later', visit('SNF', 60, 1)],
    ['in long-term acute care', visit('LTAC', 40, null)],
    ['in rehabilitation', visit('REHAB', 1.9, null)],
    ['in a hospice facility', visit('HOSPICE', 1.9, null)],
    ['in a hospital again', visit('INPATIENT', 1, null)],
    ['in another hospital since that stay', visit('INPATIENT', 3, null, { facilityId: 'brendan' })],
    ['a later stay that is over', visit('OBSERVATION', 1.5, 1)],
  ])('%s', (_, other) => {
    expect(due(hospital(), other)).toBeNull();
  });
});

test('an earlier hospital stay without a discharge is not where the patient is', () => {
  expect(due(hospital(), visit('INPATIENT', 20, null, { facilityId: 'brendan' }))).toBe('2026-11-20');
  expect(due(hospital(), visit('SNF', 60, null, { status: 'CANCELLED' }))).toBe('2026-11-20');
});

describe('attempts to reach a patient who was discharged on Wednesday at 10', () => {
  const at = Date.parse('2026-11-18T10:00:00Z');
  const attempt = (time: string, isContact = false): Attempt => ({
    at: Date.parse(`2026-11-${time}:00Z`),
    day: `2026-11-${time.slice(0, 2)}`,
    isContact,
  });
  const since = (...attempts: Attempt[]) => contactSince({ at }, '2026-11-20', attempts);

  test('a contact ends the follow-up, also a late one, and not one before the discharge', () => {
    expect(since(attempt('18T15:00', true)).isReached).toBe(true);
    expect(since(attempt('25T15:00', true)).isReached).toBe(true);
    expect(since(attempt('18T09:59', true)).isReached).toBe(false);
  });

  test('attempts count until the end of the second business day, each moment once', () => {
    expect(since().timelyAttempts).toBe(0);
    expect(since(attempt('18T09:59'), attempt('18T10:00'), attempt('20T23:59'), attempt('21T00:00'))).toEqual({
      isReached: false,
      timelyAttempts: 2,
    });
    expect(since(attempt('19T09:00'), attempt('19T09:00')).timelyAttempts).toBe(1);
  });
});

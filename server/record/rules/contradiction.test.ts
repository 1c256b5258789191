import { expect, test } from 'vitest';
import { daysAgo, visit } from '#server/testing/rule-visits.ts';
import { contradictsDeath } from './contradiction.ts';
import type { RuleVisit } from './rule-visit.ts';

const died = daysAgo(5);
const stay = (from: number) => visit('INPATIENT', from, 1, { disposition: null });

test('an arrival or a move after the death contradicts it, in any stay', () => {
  for (const code of ['ADMIT', 'PRESENTED', 'VISIT', 'TRANSFER', 'RESUMED_SERVICES'] as const) {
    expect(contradictsDeath({ code, at: daysAgo(4) }, died, stay(9)), code).toBe(true);
    expect(contradictsDeath({ code, at: daysAgo(5) }, died, stay(9)), code).toBe(false);
  }
});

test('the end of a stay contradicts a death only if the stay began after it', () => {
  for (const code of ['DISCHARGE', 'CLOSED', 'ENDED_SERVICES', 'PAYOR_CHANGE'] as const) {
    expect(contradictsDeath({ code, at: daysAgo(1) }, died, stay(9)), code).toBe(false);
    expect(contradictsDeath({ code, at: daysAgo(1) }, died, stay(4)), code).toBe(true);
    expect(contradictsDeath({ code, at: daysAgo(1) }, died, undefined), code).toBe(false);
  }
  expect(contradictsDeath({ code: 'DECEASED', at: daysAgo(1) }, died, stay(4))).toBe(false);
});

test('a live discharge of the stay that reported the death contradicts it; of another stay, if it was to the community', () => {
  const ended = (disposition: string | null, over: Partial<RuleVisit> = {}) =>
    contradictsDeath({ code: 'DISCHARGE', at: daysAgo(4) }, died, visit('INPATIENT', 9, 4, { disposition, ...over }));
  for (const disposition of ['01', '03', '02', '82']) expect(ended(disposition, { diedAt: died })).toBe(true);
  for (const disposition of ['20', '41', null, 'MORGUE']) expect(ended(disposition, { diedAt: died })).toBe(false);
  for (const disposition of ['01', '06', '07', '81']) expect(ended(disposition)).toBe(true);
  for (const disposition of ['02', '03', '20', null]) expect(ended(disposition)).toBe(false);
});

test('no event of a visit that ended in death contradicts it, such as an arrival after the time of death', () => {
  const arrived = visit('EMERGENCY', 4.9, 4.8, { disposition: '20', diedAt: died });
  for (const code of ['PRESENTED', 'ADMIT', 'TRANSFER', 'PAYOR_CHANGE'] as const)
    expect(contradictsDeath({ code, at: daysAgo(4.9) }, died, arrived), code).toBe(false);
});

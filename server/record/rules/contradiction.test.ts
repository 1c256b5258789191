import { expect, test } from 'vitest';
import { daysAgo, visit } from '#server/testing/rule-visits.ts';
import { contradictsDeath } from './contradiction.ts';

const died = daysAgo(5);
const stay = (from: number) => visit('INPATIENT', from, 1);

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

test('no event of a visit that ended in death contradicts it, such as an arrival after the time of death', () => {
  const arrived = visit('EMERGENCY', 4.9, 4.8, { disposition: '20', diedAt: died });
  for (const code of ['PRESENTED', 'ADMIT', 'TRANSFER', 'PAYOR_CHANGE'] as const)
    expect(contradictsDeath({ code, at: daysAgo(4.9) }, died, arrived), code).toBe(false);
});

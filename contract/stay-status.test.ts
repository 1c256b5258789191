import { expect, test } from 'vitest';
import type { ManagementStatus } from './management-status.ts';
import { decidingPing } from './stay-status.ts';

const of = (...pings: [status: ManagementStatus, changed: number, isRetracted?: true][]): ManagementStatus =>
  decidingPing(
    pings,
    ([status]) => status,
    ([, changed]) => changed,
    ([, , isRetracted = false]) => isRetracted,
  )[0];

test('a stay is new or in progress if any of its pings is, and else as the one that was closed last', () => {
  expect(of(['RESOLVED', 3], ['IN_PROGRESS', 1], ['NEW', 2])).toBe('NEW');
  expect(of(['RESOLVED', 3], ['IN_PROGRESS', 1])).toBe('IN_PROGRESS');
  expect(of(['RESOLVED', 3], ['DISMISSED', 4])).toBe('DISMISSED');
});

test('a retracted ping that was dismissed with the rest does not make a resolved stay a dismissed one', () => {
  expect(of(['RESOLVED', 3], ['DISMISSED', 4, true])).toBe('RESOLVED');
  expect(of(['DISMISSED', 4, true])).toBe('DISMISSED');
  expect(of(['RESOLVED', 3], ['NEW', 4, true])).toBe('NEW');
});

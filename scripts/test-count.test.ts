import { describe, expect, test } from 'vitest';
import { countPlaywright, countVitest, summary } from './test-count.ts';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});
const vitestReport = (...testResults: ReturnType<typeof file>[]) => {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const number = (status: string) => all.filter((each) => each.status === status).length;
  return {
    numPassedTests: number('passed'),
    numFailedTests: number('failed'),
    numPendingTests: number('pending'),
    numTodoTests: 0,
    testResults,
  };
};

describe('the count of tests', () => {
  test('is what vitest reports', () => {
    const report = vitestReport(file('passed', 'passed', 'pending'), file('failed', 'passed', 'failed'));
    expect(countVitest(report, false)).toEqual({ passed: 2, failed: 1, skipped: 1, flaky: 0 });
  });

  test('has a failure for a file that does not load', () => {
    expect(countVitest(vitestReport(file('failed'), file('passed', 'passed')), false)).toMatchObject({
      passed: 1,
      failed: 1,
    });
  });

  test('has a failure for a run that failed beside its tests, or left no report', () => {
    expect(countVitest(vitestReport(file('passed', 'passed')), false)).toMatchObject({ passed: 1, failed: 1 });
    expect(countVitest(undefined, true).failed).toBe(1);
    expect(countPlaywright(undefined, true).failed).toBe(1);
  });

  test('names a journey that passed only at the second try, and has a failure for one that never did', () => {
    const stats = { expected: 3, unexpected: 0, flaky: 1, skipped: 2 };
    expect(countPlaywright({ stats }, true)).toEqual({ passed: 4, failed: 0, skipped: 2, flaky: 1 });
    expect(countPlaywright({ stats: { ...stats, unexpected: 2 } }, false)).toMatchObject({ passed: 4, failed: 2 });
  });

  test('ends with one plain line', () => {
    const step = (passed: number, failed: number, skipped: number, flaky = 0) => ({
      name: 'x',
      seconds: 1,
      count: { passed, failed, skipped, flaky },
    });
    expect(
      summary([step(1, 0, 0), step(2, 1, 0)])
        .split('\n')
        .at(-1),
    ).toBe('3 passed, 1 failed');
    expect(
      summary([step(1, 0, 4)])
        .split('\n')
        .at(-1),
    ).toBe('1 passed, 0 failed, 4 skipped');
    expect(
      summary([step(1, 0, 0, 1)])
        .split('\n')
        .at(-1),
    ).toBe('1 passed, 0 failed, 1 flaky');
  });
});

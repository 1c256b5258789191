import { describe, expect, test } from 'vitest';
import { readCheck, readPlaywright, readVitest, summary } from './test-report.ts';

const tested = (status: string, title = 'a test', ...failureMessages: string[]) => ({
  status,
  fullName: title,
  failureMessages,
});
const file = (status: string, ...assertionResults: ReturnType<typeof tested>[]) => ({
  name: 'server/x.test.ts',
  status,
  message: '',
  assertionResults,
});
const vitestReport = (...testResults: ReturnType<typeof file>[]) => ({ testResults });

const journey = (status: string, title = 'a journey', message?: string) => ({
  title,
  file: 'e2e/x.test.ts',
  line: 7,
  tests: [{ status, results: message === undefined ? [{}] : [{ error: { message } }, {}] }],
});

describe('the outcome of a run', () => {
  test('counts what vitest reports, with the name and the first lines of each failure', () => {
    const report = vitestReport(
      file('passed', tested('passed'), tested('pending')),
      file(
        'failed',
        tested('passed'),
        tested('failed', 'adds up', '\u001b[31mError: 1 is not 2\u001b[39m\n{ seed: 7 }\n    at x.ts:1'),
      ),
    );
    expect(readVitest(report, false)).toEqual({
      count: { passed: 2, failed: 1, skipped: 1, flaky: 0 },
      problems: { failed: ['server/x.test.ts › adds up: Error: 1 is not 2 { seed: 7 }'], flaky: [] },
    });
  });

  test('counts a failure for a file that does not load', () => {
    const broken = { ...file('failed'), message: 'Cannot find y' };
    expect(readVitest(vitestReport(broken, file('passed', tested('passed'))), false)).toMatchObject({
      count: { passed: 1, failed: 1 },
      problems: { failed: ['server/x.test.ts: Cannot find y'] },
    });
  });

  test('counts a failure for a run that failed outside its tests or left no report', () => {
    expect(readVitest(vitestReport(file('passed', tested('passed'))), false).count).toMatchObject({
      passed: 1,
      failed: 1,
    });
    expect(readVitest(undefined, true).count.failed).toBe(1);
    expect(readPlaywright(undefined, true).count.failed).toBe(1);
    expect(readCheck(false).count).toMatchObject({ passed: 0, failed: 1 });
  });

  test('names tests that passed only on a retry, and counts a failure for those that never did', () => {
    const twice = tested('passed', 'adds up', 'Error: too late');
    expect(readVitest(vitestReport(file('passed', twice)), true)).toEqual({
      count: { passed: 1, failed: 0, skipped: 0, flaky: 1 },
      problems: { failed: [], flaky: ['server/x.test.ts › adds up: Error: too late'] },
    });
    const group = { specs: [journey('flaky', 'opens', 'Error: closed')], suites: [{ specs: [journey('unexpected')] }] };
    const suites = [{ specs: [journey('expected'), journey('skipped')], suites: [group] }];
    expect(readPlaywright({ suites }, false)).toEqual({
      count: { passed: 2, failed: 1, skipped: 1, flaky: 1 },
      problems: { failed: ['e2e/x.test.ts:7 › a journey: '], flaky: ['e2e/x.test.ts:7 › opens: Error: closed'] },
    });
  });
});

describe('the summary', () => {
  const step = (passed: number, failed: number, skipped: number, flaky = 0) => ({
    name: 'x',
    seconds: 1,
    count: { passed, failed, skipped, flaky },
    problems: { failed: [], flaky: [] },
  });
  const lastOf = (...steps: Parameters<typeof summary>[0]) => summary(steps).split('\n').at(-1);

  test('ends with the total in one line', () => {
    expect(lastOf(step(1, 0, 0), step(2, 1, 0))).toBe('3 passed, 1 failed');
    expect(lastOf(step(1, 0, 4))).toBe('1 passed, 0 failed, 4 skipped');
    expect(lastOf(step(1, 0, 0, 1))).toBe('1 passed, 0 failed, 1 flaky');
  });

  test('names failed tests before the total', () => {
    const failing = { ...step(0, 1, 0), problems: { failed: ['y.ts › adds up: Error'], flaky: [] } };
    expect(summary([failing]).split('\n').slice(-2)).toEqual([
      'failed: x: y.ts › adds up: Error',
      '0 passed, 1 failed',
    ]);
  });
});

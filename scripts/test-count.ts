import { z } from 'zod';

/** Flaky: passed when tried again; counted among those that passed as well. */
export type Count = { passed: number; failed: number; skipped: number; flaky: number };

/** What we read of vitest's JSON report; a file that does not even load has the status failed and no tests. */
const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/** What we read of Playwright's JSON report. */
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

const NO_REPORT: Count = { passed: 0, failed: 1, skipped: 0, flaky: 0 };

/** The tests of a vitest run. A run that went wrong beside its tests (no report, an error outside of them) counts as one failure. */
export function countVitest(report: unknown, ok: boolean): Count {
  const parsed = vitestReport.safeParse(report);
  if (!parsed.success) return NO_REPORT;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = parsed.data;
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return withVerdict(
    { passed: numPassedTests, failed: numFailedTests + broken, skipped: numPendingTests + numTodoTests, flaky: 0 },
    ok,
  );
}

/** The tests of a Playwright run. */
export function countPlaywright(report: unknown, ok: boolean): Count {
  const parsed = playwrightReport.safeParse(report);
  if (!parsed.success) return NO_REPORT;
  const { expected, unexpected, flaky, skipped } = parsed.data.stats;
  return withVerdict({ passed: expected + flaky, failed: unexpected, skipped, flaky }, ok);
}

function withVerdict(count: Count, ok: boolean): Count {
  return ok || count.failed > 0 ? count : { ...count, failed: 1 };
}

/** A line for each step and the total: 'N passed, N failed', and ', N skipped' and ', N flaky' where there are such. */
export function summary(steps: { name: string; count: Count; seconds: number }[]): string {
  const lines = steps.map(({ name, count, seconds }) => `${name} (${seconds.toFixed(1)} s): ${text(count)}`);
  const total = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
  for (const { count } of steps) {
    total.passed += count.passed;
    total.failed += count.failed;
    total.skipped += count.skipped;
    total.flaky += count.flaky;
  }
  return [...lines, '', text(total)].join('\n');
}

function text({ passed, failed, skipped, flaky }: Count): string {
  const more = [skipped > 0 && `, ${skipped} skipped`, flaky > 0 && `, ${flaky} flaky`].filter(Boolean);
  return `${passed} passed, ${failed} failed${more.join('')}`;
}

import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Numbers of tests. Flaky tests, which passed on a retry, also count as passed. */
export type Count = { passed: number; failed: number; skipped: number; flaky: number };

/** Tests that failed or were flaky, each with its file, its title and the first lines of the error. */
export type Problems = { failed: string[]; flaky: string[] };

export type Outcome = { count: Count; problems: Problems };

/** The parts of vitest's JSON report that we read. A file that does not load has the status failed and no tests. */
const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});

const playwrightTest = z.object({
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
});
const spec = z.object({ title: z.string(), file: z.string(), line: z.number(), tests: z.array(playwrightTest) });

/** A file of journeys, or a group within a file. */
interface Suite {
  specs: z.infer<typeof spec>[];
  suites?: Suite[] | undefined;
}

const suite: z.ZodType<Suite> = z.object({
  specs: z.array(spec),
  get suites() {
    return z.array(suite).optional();
  },
});

/** The parts of Playwright's JSON report that we read. */
const playwrightReport = z.object({ suites: z.array(suite) });

/** Returns the outcome of a vitest run. A run that failed outside its tests (no report, or an error between tests) counts as one failure. */
export function readVitest(report: unknown, ok: boolean): Outcome {
  const parsed = vitestReport.safeParse(report);
  if (!parsed.success) return NO_REPORT;
  const outcome = noTests();
  for (const { name, status, message, assertionResults } of parsed.data.testResults) {
    const file = relative(process.cwd(), name);
    for (const test of assertionResults) {
      const [wrong] = test.failureMessages;
      // Vitest keeps the error of the first attempt if a retry passed.
      const verdict = test.status === 'passed' && wrong !== undefined ? 'flaky' : test.status;
      note(outcome, verdict, `${file} › ${test.fullName}`, wrong);
    }
    const isBroken = status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
    if (isBroken) note(outcome, 'failed', file, message);
  }
  return withVerdict(outcome, ok);
}

/** Returns the outcome of a Playwright run. */
export function readPlaywright(report: unknown, ok: boolean): Outcome {
  const parsed = playwrightReport.safeParse(report);
  if (!parsed.success) return NO_REPORT;
  const outcome = noTests();
  for (const { title, file, line, tests } of parsed.data.suites.flatMap(specsOf)) {
    for (const { status, results } of tests) {
      const verdict = { expected: 'passed', unexpected: 'failed', flaky: 'flaky', skipped: 'skipped' }[status];
      note(outcome, verdict, `${file}:${line} › ${title}`, results.find(({ error }) => error)?.error?.message);
    }
  }
  return withVerdict(outcome, ok);
}

function specsOf({ specs, suites = [] }: Suite): Suite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** Returns the outcome of a static check, which counts as one test. */
export function readCheck(ok: boolean): Outcome {
  return withVerdict({ ...noTests(), count: { passed: ok ? 1 : 0, failed: 0, skipped: 0, flaky: 0 } }, ok);
}

const noTests = (): Outcome => ({
  count: { passed: 0, failed: 0, skipped: 0, flaky: 0 },
  problems: { failed: [], flaky: [] },
});
const NO_REPORT: Outcome = {
  count: { passed: 0, failed: 1, skipped: 0, flaky: 0 },
  problems: { failed: ['no report'], flaky: [] },
};

function note({ count, problems }: Outcome, verdict: string, title: string, wrong = ''): void {
  const text = `${title}: ${firstLines(wrong)}`;
  if (verdict === 'failed') {
    count.failed++;
    problems.failed.push(text);
  } else if (verdict === 'passed') count.passed++;
  else if (verdict === 'flaky') {
    count.passed++;
    count.flaky++;
    problems.flaky.push(text);
  } else count.skipped++;
}

/** Returns the first three lines without the stack: a property test has its seed in the second and its counterexample in the third. */
function firstLines(error: string): string {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .map((line) => line.trim());
  const stack = lines.findIndex((line) => line.startsWith('at '));
  return lines
    .slice(0, stack < 0 ? 3 : Math.min(stack, 3))
    .join(' ')
    .trim();
}

function withVerdict(outcome: Outcome, ok: boolean): Outcome {
  if (!ok && outcome.count.failed === 0) note(outcome, 'failed', 'the run itself', 'see its output above');
  return outcome;
}

/**
 * Returns the summary for the end of the log: a line for each step, the names of flaky and failed tests, and the total: 'N passed,
 * N failed', with ', N skipped' and ', N flaky' if there are any.
 */
export function summary(steps: ({ name: string; seconds: number } & Outcome)[]): string {
  const named = (kind: keyof Problems) =>
    steps.flatMap(({ name, problems }) => problems[kind].map((text) => `${kind}: ${name}: ${text}`));
  const lines = steps.map(({ name, count, seconds }) => `${name} (${seconds.toFixed(1)} s): ${text(count)}`);
  const total = { passed: 0, failed: 0, skipped: 0, flaky: 0 };
  for (const { count } of steps) {
    total.passed += count.passed;
    total.failed += count.failed;
    total.skipped += count.skipped;
    total.flaky += count.flaky;
  }
  return [...lines, '', ...named('flaky'), ...named('failed'), text(total)].join('\n');
}

function text({ passed, failed, skipped, flaky }: Count): string {
  const more = [skipped > 0 && `, ${skipped} skipped`, flaky > 0 && `, ${flaky} flaky`].filter(Boolean);
  return `${passed} passed, ${failed} failed${more.join('')}`;
}

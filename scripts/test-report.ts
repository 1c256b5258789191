import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Flaky: passed when tried again; counted among those that passed as well. */
export type Count = { passed: number; failed: number; skipped: number; flaky: number };

/** Tests that did not simply pass, each with its place, its title and the first lines of what was wrong. */
export type Trouble = { failed: string[]; flaky: string[] };

export type Outcome = { count: Count; trouble: Trouble };

/** What we read of vitest's JSON report; a file that does not even load has the status failed and no tests. */
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

/** A file of journeys, or a group of them within a file. */
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

/** What we read of Playwright's JSON report. */
const playwrightReport = z.object({ suites: z.array(suite) });

/** The tests of a vitest run. A run that went wrong beside its tests (no report, an error outside of them) counts as one failure. */
export function readVitest(report: unknown, ok: boolean): Outcome {
  const parsed = vitestReport.safeParse(report);
  if (!parsed.success) return NO_REPORT;
  const outcome = nothing();
  for (const { name, status, message, assertionResults } of parsed.data.testResults) {
    const file = relative(process.cwd(), name);
    for (const test of assertionResults) {
      const [wrong] = test.failureMessages;
      // Vitest keeps what was wrong at the first try of a test that then passed.
      const verdict = test.status === 'passed' && wrong !== undefined ? 'flaky' : test.status;
      note(outcome, verdict, `${file} › ${test.fullName}`, wrong);
    }
    const isBroken = status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
    if (isBroken) note(outcome, 'failed', file, message);
  }
  return withVerdict(outcome, ok);
}

/** The tests of a Playwright run. */
export function readPlaywright(report: unknown, ok: boolean): Outcome {
  const parsed = playwrightReport.safeParse(report);
  if (!parsed.success) return NO_REPORT;
  const outcome = nothing();
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

/** A static check is one test. */
export function readCheck(ok: boolean): Outcome {
  return withVerdict({ ...nothing(), count: { passed: ok ? 1 : 0, failed: 0, skipped: 0, flaky: 0 } }, ok);
}

const nothing = (): Outcome => ({
  count: { passed: 0, failed: 0, skipped: 0, flaky: 0 },
  trouble: { failed: [], flaky: [] },
});
const NO_REPORT: Outcome = {
  count: { passed: 0, failed: 1, skipped: 0, flaky: 0 },
  trouble: { failed: ['no report'], flaky: [] },
};

function note({ count, trouble }: Outcome, verdict: string, title: string, wrong = ''): void {
  const text = `${title}: ${firstLines(wrong)}`;
  if (verdict === 'failed') {
    count.failed++;
    trouble.failed.push(text);
  } else if (verdict === 'passed') count.passed++;
  else if (verdict === 'flaky') {
    count.passed++;
    count.flaky++;
    trouble.flaky.push(text);
  } else count.skipped++;
}

/** Without the stack; three lines, as a property tells its seed in the second and its counterexample in the third. */
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
  if (!ok && outcome.count.failed === 0) note(outcome, 'failed', 'the run as a whole', 'see its output above');
  return outcome;
}

/**
 * What failed and what was flaky by name, a line for each step, and the total: 'N passed, N failed', and ', N skipped' and
 * ', N flaky' where there are such. All of it comes last, so that the end of a log is enough.
 */
export function summary(steps: ({ name: string; seconds: number } & Outcome)[]): string {
  const named = (kind: keyof Trouble) =>
    steps.flatMap(({ name, trouble }) => trouble[kind].map((text) => `${kind}: ${name}: ${text}`));
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

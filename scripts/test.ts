import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserPath, debianPostgres } from './machine.mjs';
import { type Outcome, readCheck, readPlaywright, readVitest, summary } from './test-report.ts';

/**
 * `npm test`: runs all checks and tests. A step that fails does not stop the following ones. The last line counts tests; each static
 * check counts as one.
 */
const root = join(import.meta.dirname, '..');
const programs = join(root, 'node_modules/.bin');
const reports = mkdtempSync(join(tmpdir(), 'tidings-reports-'));
const results: Parameters<typeof summary>[0] = [];
/** Compiled once for all processes and threads of the tests, which otherwise spend half of the processor time of their start on it. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/node-compile');

/** Runs a program from the packages, and resolves to whether it succeeded. A static check (`quiet`) prints only if it fails. */
function run(command: string, args: string[], env: Record<string, string>, quiet: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { NODE_COMPILE_CACHE, ...process.env, PATH: `${programs}:${process.env.PATH}`, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    child.on('error', () => resolve(false));
    child.on('close', (code) => {
      if (code !== 0 && quiet) console.log(output.trimEnd());
      resolve(code === 0);
    });
  });
}

async function step(name: string, work: () => Promise<Outcome>): Promise<void> {
  console.log(`\n── ${name}`);
  const started = Date.now();
  const outcome = await work();
  const seconds = (Date.now() - started) / 1000;
  results.push({ name, seconds, ...outcome });
  console.log(`   ${name}: ${outcome.count.failed === 0 ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)`);
}

function check(name: string, command: string, args: string[]): Promise<void> {
  return step(name, async () => readCheck(await run(command, args, {}, true)));
}

function vitest(name: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  return step(name, async () => {
    const report = join(reports, `${results.length}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const ok = await run('vitest', ['run', '--passWithNoTests', ...args, ...reporters], env, false);
    return readVitest(read(report), ok);
  });
}

function read(report: string): unknown {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
}

await Promise.all([
  check('types: server', 'tsc', ['-p', 'tsconfig.json']),
  check('types: web', 'tsc', ['-p', 'web/tsconfig.json']),
  check('lint', 'oxlint', ['--type-aware']),
  check('format', 'biome', ['check']),
  check('structure', 'node', ['scripts/check-structure.ts']),
]);
await vitest('unit and web', ['--project', 'unit', '--project', 'web']);
await vitest('integration on the embedded PostgreSQL', ['--project', 'integration'], { TIDINGS_TEST_POSTGRES: '' });

const debian = debianPostgres();
if (debian) {
  // What depends on the server: its catalog and policies, its replicas and backups, and every statement of the pipeline, the search and
  // the rosters. Each statement of the product that the excluded files make is made by another file that runs here.
  const folders = ['platform', 'record', 'people/access', 'intake/messages', 'work/search', 'work/rosters'];
  const excluded = `embedded faults kill queue-thread guessing-flood gate hostile-messages merged-people change-follower
    contact-columns corrected-demographics crowds deaths early-refusal event-codes facility-transfer freeze-snapshot identify
    joining-listings listed-apart match-reviews merged-records merges message-store neighbors preview-thread relink same-person sending
    shared-marks shared-numbers shown-records system-statuses large-turns next-roster opens-from unchanged-rows undo upload
    search/filters search/flags search/freshness search/inbox search/replica search/typeahead user-limits waits-for-another
    write-visits`.split(/\s+/);
  const args = [
    '--project',
    'integration',
    ...folders.map((folder) => `server/${folder}/`),
    ...excluded.flatMap((name) => ['--exclude', `**/${name}.db.test.ts`]),
  ];
  await vitest('integration on PostgreSQL 15', args, { TIDINGS_TEST_POSTGRES: debian });
} else console.log('\n── integration on PostgreSQL 15: skipped, because it is not installed');

const chromium = browserPath();
if (!existsSync(join(root, 'playwright.config.ts')))
  console.log('\n── browser journeys: skipped, because there are none');
else if (!chromium) console.log('\n── browser journeys: skipped, because Chromium was not found');
else {
  await step('browser journeys', async () => {
    const report = join(reports, 'playwright.json');
    const env = { TIDINGS_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
    const ok = await run('playwright', ['test', '--reporter=line,json'], env, false);
    return readPlaywright(read(report), ok);
  });
}

rmSync(reports, { recursive: true, force: true });
console.log(`\n${summary(results)}`);
process.exitCode = results.every(({ count }) => count.failed === 0) ? 0 : 1;

/** `npm run test:attacks`: runs every attack of `attacks.ts` with all generated values, and prints a table. Exits with 1 if one succeeded. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ATTACKS, type Attack } from './attacks.ts';

interface FileReport {
  name: string;
  startTime: number;
  endTime: number;
  status: string;
  assertionResults: { status: string }[];
}

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'tidings-attacks-'));
const report = join(folder, 'report.json');
const files = [...new Set(ATTACKS.flatMap((attack) => attack.files))];
const child = spawn(
  join(root, 'node_modules/.bin/vitest'),
  [
    'run',
    '--project',
    'unit',
    '--project',
    'integration',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...files,
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, TIDINGS_ATTACKS: 'full' } },
);
const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)));
const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: FileReport[] };
rmSync(folder, { recursive: true });

const resultOf = ({ door, attack, files: of }: Attack): string[] => {
  const results = testResults.filter(({ name }) => of.includes(relative(root, name)));
  const tests = results.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const survived = results.length === of.length && results.every(({ status }) => status === 'passed');
  const seconds = results.reduce((sum, { startTime, endTime }) => sum + (endTime - startTime) / 1000, 0);
  return [
    door,
    attack,
    `${passed} of ${tests.length}`,
    `${seconds.toFixed(0)} s`,
    survived ? 'survived' : 'NOT SURVIVED',
  ];
};

const rows = [['Door', 'Attack', 'Tests', 'Time', ''], ...ATTACKS.map(resultOf)];
const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
console.log(
  `\n${rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}`,
);
process.exitCode = code;

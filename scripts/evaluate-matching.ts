/**
 * Measures the person matcher: `npm run evaluate:matching -- [--data DIR] [--worlds PEOPLE] [--runs COUNT] [--seed NUMBER] [--json]`.
 *
 * DIR holds files of FEBRL in any mix (`dataset1.csv` to `dataset3.csv`, also as `febrl-dataset1.csv`; `dataset4a.csv` with
 * `dataset4b.csv`). PEOPLE is the number of invented people of each world; without --data and --worlds it is 100,000. `--json` prints
 * one object and nothing else. docs/matching.md explains the figures.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateFebrl, type FebrlFiles } from '#server/record/evaluation/evaluate-febrl.ts';
import { evaluateWorlds } from '#server/record/evaluation/evaluate-worlds.ts';
import { febrlTable, worldReport } from '#server/record/evaluation/report.ts';

const DEFAULT_PEOPLE = '100000';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    worlds: { type: 'string' },
    runs: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

/** Returns the files of the folder that belong to a set, by the set's name. */
function febrlFiles(folder: string): FebrlFiles {
  const files = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    const set = /^(?:febrl-)?(dataset(?:[123]|4[ab]))\.csv$/.exec(name)?.[1];
    if (set !== undefined) files.set(set, readFileSync(join(folder, name), 'utf8'));
  }
  return files;
}

function febrl(folder: string | undefined): ReturnType<typeof evaluateFebrl> {
  if (folder === undefined) return {};
  const results = evaluateFebrl(febrlFiles(folder));
  if (Object.keys(results).length > 0) return results;
  throw new Error(`${folder} holds no FEBRL set: dataset1.csv to dataset3.csv, or dataset4a.csv with dataset4b.csv.`);
}

function worlds(): { worlds?: ReturnType<typeof evaluateWorlds> } {
  const people = values.worlds ?? (values.data === undefined ? DEFAULT_PEOPLE : undefined);
  if (people === undefined) return {};
  const options = {
    people: count('worlds', people),
    runs: count('runs', values.runs),
    seed: count('seed', values.seed),
  };
  const start = performance.now();
  const result = evaluateWorlds(options, (step, done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done.toLocaleString('en-US')} people ${step}  `);
  });
  const seconds = Math.round((performance.now() - start) / 1000);
  console.error(`${result.subjects.toLocaleString('en-US')} subjects in ${seconds} seconds`);
  return { worlds: result };
}

function count(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${option} must be a number from 1 to 999,999,999.`);
}

function main(): void {
  const results = { ...febrl(values.data), ...worlds() };
  if (values.json) return console.log(JSON.stringify(results, null, 2));
  const { worlds: world, ...sets } = results;
  const parts = [Object.keys(sets).length === 0 ? [] : febrlTable(sets), world === undefined ? [] : worldReport(world)];
  console.log(parts.flat().join('\n\n'));
}

try {
  main();
} catch (error) {
  console.error(`evaluate:matching: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

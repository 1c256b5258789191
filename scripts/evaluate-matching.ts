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
import { febrlTable } from '#server/record/evaluation/report.ts';

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

function main(): void {
  const febrl = values.data === undefined ? {} : evaluateFebrl(febrlFiles(values.data));
  if (values.data !== undefined && Object.keys(febrl).length === 0) {
    throw new Error(
      `${values.data} holds no set of FEBRL: dataset1.csv to dataset3.csv, or dataset4a.csv with dataset4b.csv.`,
    );
  }
  console.log(values.json ? JSON.stringify(febrl, null, 2) : febrlTable(febrl));
}

main();

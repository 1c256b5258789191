/**
 * The figures of a run that have a peer or a bar. With `--json` they replace those of the same parts in docs/performance.json, of which
 * docs/performance.md is made.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { asDocument, type Figure, type Run } from './performance-page.ts';

const DOCS = join(import.meta.dirname, '../docs');
const FILE = join(DOCS, 'performance.json');
const loadBefore = loadavg()[0] ?? 0;

const noted: Figure[] = [];

/** Notes a figure of this run. */
export const note = (figure: Figure): void => void noted.push(figure);

/** Returns the runs of which a figure still stands, newest first. */
const readRuns = (): Run[] => JSON.parse(readFileSync(FILE, 'utf8')) as Run[];

/** Writes this run's figures, and the page. What was measured of the same parts before is gone. */
export function saveRun(): void {
  const parts = new Set(noted.map(({ part }) => part));
  const [cpu] = cpus();
  const run: Run = {
    date: new Date().toISOString().slice(0, 10),
    machine: {
      processor: cpu?.model.trim() ?? '',
      cores: cpus().length,
      memory: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    load: Number(loadBefore.toFixed(1)),
    figures: noted.map((figure) => ({ ...figure, value: Number(figure.value.toPrecision(4)) })),
  };
  const earlier = readRuns()
    .map((each) => ({ ...each, figures: each.figures.filter(({ part }) => !parts.has(part)) }))
    .filter(({ figures }) => figures.length > 0);
  const runs = [run, ...earlier];
  writeFileSync(FILE, `${JSON.stringify(runs, null, 2)}\n`);
  writeFileSync(join(DOCS, 'performance.md'), asDocument(runs));
}

/** Compares the matcher's table with an installation's own records (`npm run propose:matching`, docs/matching.md). Proposes, and changes nothing. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Level } from '#server/record/scoring/comparison.ts';
import { ADDRESS, MOVED } from '#server/record/scoring/parameters.ts';
import { type Estimate, estimate } from './expectation-maximization.ts';
import { CELLS, fieldOf, isEstimated, type Row, SAMPLES, START, withLocalAddresses } from './observe-pair.ts';
import { loadLabels, samplePairs } from './sample-pairs.ts';

/** Fewer matches than this say nothing. */
const ENOUGH = 30;
const FAR = 1.5;

/** A number of the table and its estimate. */
export interface ProposedNumber {
  field: Row | 'moved';
  level: Level | null;
  inTable: number;
  /** Null if too few matches have the field. */
  estimated: number | null;
  /** How many matches have the level, and the field. */
  pairs: number;
  of: number;
  /** Whether the two are more than FAR apart, and this level is or ought to be frequent enough to tell. */
  isFar: boolean;
}

export interface SampleSummary {
  name: string;
  pairs: number;
  isComplete: boolean;
  /** Pairs that people decided. */
  decided: number;
  /** How many pairs are probably one person. */
  matches: number;
}

export interface Proposal {
  samples: SampleSummary[];
  numbers: ProposedNumber[];
}

/** Reads the records and estimates. `db`: a read-only transaction of the pipeline. */
export async function proposeNumbers(db: Queryable): Promise<Proposal> {
  const labels = await loadLabels(db);
  const samples: SampleSummary[] = [];
  const numbers: ProposedNumber[] = [];
  for (const sample of SAMPLES) {
    const { pairs, isComplete } = await samplePairs(db, sample, labels);
    const decided = pairs.filter(({ isMatch }) => isMatch !== undefined).length;
    const found = estimate(withLocalAddresses(pairs), START);
    samples.push({ name: sample.name, pairs: pairs.length, isComplete, decided, matches: Math.round(found.matches) });
    numbers.push(...numbersOf(found, (row) => isEstimated(sample, fieldOf(row))));
  }
  return { samples, numbers };
}

function numbersOf({ match, counts, moved, addresses }: Estimate, isOfSample: (row: Row) => boolean): ProposedNumber[] {
  const totals = new Map<Row, number>();
  for (const [cell, { row }] of CELLS.entries()) totals.set(row, (totals.get(row) ?? 0) + (counts[cell] ?? 0));
  const ofCells = CELLS.flatMap(({ row, level, match: inTable }, cell) =>
    isOfSample(row) ? [compareNumbers(row, level, inTable, match[cell] ?? 0, totals.get(row) ?? 0)] : [],
  );
  const hasAddress = ofCells.some(({ field }) => field in ADDRESS);
  return hasAddress ? [...ofCells, compareNumbers('moved', null, MOVED, moved, addresses)] : ofCells;
}

function compareNumbers(
  field: ProposedNumber['field'],
  level: Level | null,
  inTable: number,
  estimated: number,
  of: number,
): ProposedNumber {
  const [less, more] = [Math.min(inTable, estimated), Math.max(inTable, estimated)];
  return {
    field,
    level,
    inTable,
    estimated: of < ENOUGH ? null : estimated,
    pairs: Math.round(estimated * of),
    of: Math.round(of),
    isFar: of >= ENOUGH && more * of >= ENOUGH && more > FAR * less,
  };
}

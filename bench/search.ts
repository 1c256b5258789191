/**
 * Compares the columns of `server/work/search/columns` with PostgreSQL and DuckDB on the same rows: fourteen queries, each for the total,
 * one page and the 50 most frequent values of 32 facets. The results must be equal. Each engine is given the fastest of its plans.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Table } from '#server/work/search/columns/table.ts';
import { note } from './figures.ts';
import { openDuckDb } from './search/duckdb.ts';
import { writeRows } from './search/file.ts';
import { openPostgres } from './search/postgres.ts';
import { type Question, questionsFor } from './search/questions.ts';
import { makeRows, type Rows, rowAt } from './search/rows.ts';
import { SCHEMA } from './search/schema.ts';
import { asSql, type Plan, type SqlAnswer } from './search/sql.ts';
import { median, table } from './table.ts';

const UPDATES = 20_000;

type Loaded = { columns: Table; seconds: number };

/** Puts the rows that `rowOf` returns into the columns, and returns the seconds that this took, without generating the rows. */
function putAll(columns: Table, count: number, rowOf: (n: number) => ReturnType<typeof rowAt>): number {
  let spent = 0;
  for (let from = 0; from < count; from += 1000) {
    const chunk = Array.from({ length: Math.min(1000, count - from) }, (_, n) => rowOf(from + n));
    const start = performance.now();
    for (const row of chunk) columns.put(row);
    spent += performance.now() - start;
  }
  return spent / 1000;
}

function load(rows: Rows): Loaded {
  const columns = new Table(SCHEMA, { capacity: rows.count });
  return { columns, seconds: putAll(columns, rows.count, (n) => rowAt(rows, n)) };
}

/** Returns the microseconds per update, which changes a row's status, day and diagnoses. */
function timeUpdates(columns: Table, rows: Rows): number {
  const changed = (n: number) => {
    const row = rowAt(rows, (n * 7919) % rows.count);
    const other = rowAt(rows, (n * 104_729) % rows.count);
    row.singles.status = other.singles.status ?? null;
    row.numbers.day = other.numbers.day ?? null;
    row.multis.diagnosis = [...(row.multis.diagnosis ?? []), ...(other.multis.diagnosis ?? []).slice(0, 1)];
    return row;
  };
  return (putAll(columns, UPDATES, changed) * 1e6) / UPDATES;
}

async function timed<T>(rounds: number, run: () => T | Promise<T>): Promise<[last: T, milliseconds: number]> {
  let last = await run();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    last = await run();
    times.push(performance.now() - start);
  }
  return [last, median(times)];
}

/** Returns the fastest plan's milliseconds. Throws if a result differs from the columns'. */
async function best(plans: Record<string, Plan>, { name, query }: Question, expected: SqlAnswer): Promise<number> {
  const all: number[] = [];
  for (const [plan, run] of Object.entries(plans)) {
    const [answer, milliseconds] = await timed(3, () => run(query));
    if (!isDeepStrictEqual(answer, expected))
      throw new Error(`'${name}' has a different result with the plan '${plan}'`);
    all.push(milliseconds);
  }
  return Math.min(...all);
}

/** Runs the bench for each number of rows, and prints a table for each. `url` is an empty database. */
export async function benchSearch(url: string, counts: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-search-'));
  const postgres = await openPostgres(url);
  try {
    for (const count of counts) {
      const rows = makeRows(count);
      const file = join(folder, 'rows.tsv');
      await writeRows(file, rows);
      await postgres.load(file);
      const duck = await openDuckDb(file);
      await compare(rows, postgres.plans, duck.plans);
      duck.close();
    }
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true });
  }
}

async function compare(rows: Rows, postgres: Record<string, Plan>, duck: Record<string, Plan>): Promise<void> {
  const { columns, seconds } = load(rows);
  const lines: string[][] = [];
  for (const question of questionsFor(rows)) {
    const [answer, own] = await timed(25, () => columns.search(question.query));
    const expected = asSql(answer, question.query.facetSize);
    const others = [await best(postgres, question, expected), await best(duck, question, expected)];
    const share = ((answer.total / rows.count) * 100).toFixed(1);
    const isDense = answer.total * 3 >= rows.count;
    const figure = {
      part: 'search',
      what: `${question.name}, ${rows.count.toLocaleString('en-US')} rows`,
      value: own,
      unit: 'ms',
    };
    const [sql = Number.NaN, duckDb = Number.NaN] = others;
    note({ ...figure, peer: { what: 'PostgreSQL', value: sql }, ...(isDense && { bar: { most: 1 / 30 } }) });
    note({ ...figure, peer: { what: 'DuckDB', value: duckDb } });
    lines.push([
      question.name,
      share,
      own.toFixed(1),
      ...others.flatMap((each) => [each.toFixed(0), (each / own).toFixed(0)]),
    ]);
  }
  const megabytes = (columns.bytes / 1e6).toFixed(0);
  const update = timeUpdates(columns, rows).toFixed(1);
  table(
    `Search over ${rows.count} rows, milliseconds (columns on one core; ${megabytes} MB, loaded in ${seconds.toFixed(1)} s, ${update} µs per update)`,
    ['query', '% match', 'columns', 'PostgreSQL', 'times', 'DuckDB', 'times'],
    lines,
  );
}

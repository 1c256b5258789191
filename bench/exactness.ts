/**
 * Checks that the columns of `server/work/search/columns` return the same results as PostgreSQL: random filters over the same rows, before
 * and after random changes, insertions and deletions. Compares the total, the page, and the counts of the filtered facets and of two others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { type Query, Table } from '#server/work/search/columns/table.ts';
import { codeOf } from './search/facets.ts';
import { COLUMNS, writeRows } from './search/file.ts';
import { dialect, openPostgres } from './search/postgres.ts';
import { belowFrom, randomQuestions } from './search/random-questions.ts';
import { makeRows, type Rows, rowAt } from './search/rows.ts';
import { SCHEMA } from './search/schema.ts';
import { facetOf, pageOf, totalOf, where } from './search/sql.ts';

const CHANGES = 30_000;
const SEED = 7;

type Facet = [value: number, count: number][];
type Compared = { total: number; keys: number[]; facets: Facet[] };

/** The current rows: for each key, the number of its generated row. */
type Contents = Map<number, number>;

/** Throws if a result differs. `count` is the number of rows at first, `filters` that of the queries both before and after the changes. */
export async function benchExactness(url: string, options: { count: number; filters: number }): Promise<void> {
  const rows = makeRows(options.count * 2);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await loadSource(url, rows);
    await client.query('create table source as select * from entry');
    const columns = new Table(SCHEMA);
    const contents: Contents = new Map();
    const put = (key: number, source: number) => {
      columns.put({ ...rowAt(rows, source), key });
      contents.set(key, source);
    };
    for (let key = 0; key < options.count; key += 1) put(key, key);
    let differences = await compareAll(client, columns, contents, { rows, filters: options.filters });
    const below = belowFrom(SEED);
    for (let n = 0; n < CHANGES; n += 1) {
      // A third of the changes delete a key, if it is there. The others insert or replace one.
      const key = below(rows.count);
      if (n % 3 === 0) {
        if (columns.remove(key) !== contents.delete(key))
          throw new Error('The columns disagree about whether a removed row was there');
      } else put(key, below(rows.count));
    }
    differences += await compareAll(client, columns, contents, { rows, filters: options.filters });
    process.stdout.write(`\nExactness: ${differences} differences from PostgreSQL\n`);
    if (differences > 0) throw new Error('The columns and PostgreSQL returned different results');
  } finally {
    await client.end();
  }
}

async function loadSource(url: string, rows: Rows): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-exactness-'));
  const postgres = await openPostgres(url);
  try {
    const file = join(folder, 'rows.tsv');
    await writeRows(file, rows);
    await postgres.load(file);
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true });
  }
}

async function fill(client: pg.Client, contents: Contents): Promise<void> {
  const others = COLUMNS.filter((name) => name !== 'id').join(', ');
  await client.query('truncate entry');
  await client.query(
    `insert into entry select key, ${others} from unnest($1::int[], $2::int[]) as c(key, source) join source on id = source`,
    [[...contents.keys()], [...contents.values()]],
  );
  await client.query('vacuum analyze entry');
}

/** Returns how many results differ, and prints the first three. */
async function compareAll(
  client: pg.Client,
  columns: Table,
  contents: Contents,
  { rows, filters }: { rows: Rows; filters: number },
): Promise<number> {
  await fill(client, contents);
  const questions = randomQuestions(rows, SEED);
  const start = performance.now();
  let [differences, matched, empty] = [0, 0, 0];
  for (let n = 0; n < filters; n += 1) {
    const query = questions.next().value;
    const [answer, expected] = [ofColumns(columns, query), await ofPostgres(client, query)];
    matched += expected.total;
    if (expected.total === 0) empty += 1;
    if (isDeepStrictEqual(answer, expected)) continue;
    differences += 1;
    if (differences <= 3) process.stdout.write(`${JSON.stringify({ query, answer, expected })}\n`);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const share = ((matched / filters / contents.size) * 100).toFixed(1);
  process.stdout.write(
    `${filters} random filters over ${contents.size} rows (${share} % match on average, no match for ${empty}), ${seconds} s: ${differences} differences\n`,
  );
  return differences;
}

function ofColumns(columns: Table, query: Query): Compared {
  const { total, keys, facets } = columns.search(query);
  const valuesOf = (name: string): Facet =>
    (facets[name]?.values ?? [])
      .slice(0, query.facetSize)
      .filter(({ count }) => count > 0)
      .map(({ value, count }) => [codeOf(value), count]);
  return { total, keys, facets: query.facets.map(valuesOf) };
}

async function ofPostgres(client: pg.Client, query: Query): Promise<Compared> {
  const from = `entry ${where(query, dialect)}`;
  const facets = query.facets.map((name) => {
    const counts = facetOf(`entry ${where(query, dialect, name)}`, name, query.facetSize);
    return `(select coalesce(json_agg(json_build_array(v, n)), '[]') from (${counts}) as x(v, n))`;
  });
  const { rows } = await client.query<[number, number[], ...Facet[]]>({
    text: `select (${totalOf(from)}), array(${pageOf(from, query)}), ${facets.join(', ')}`,
    rowMode: 'array',
  });
  const [total, keys, ...counts] = rows[0] as [number, number[], ...Facet[]];
  return { total, keys, facets: counts };
}

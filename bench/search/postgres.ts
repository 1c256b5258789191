import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Query } from '#server/work/search/columns/table.ts';
import { MULTIS, NUMBERS, SINGLES } from './facets.ts';
import { type Ask, type Dialect, type Plan, statementPerFacet, temporaryTable } from './sql.ts';

export const dialect: Dialect = { overlaps: (column, codes) => `${column} && '{${codes.join(',')}}'::smallint[]` };

/** Loads the codes as small integers, with an index for each selective column and for each sort order of a page. */
async function load(client: pg.Client, file: string): Promise<void> {
  const columns = [
    'id int',
    'last text collate "C"',
    'first text collate "C"',
    ...NUMBERS.map((name) => `${name} int`),
    ...SINGLES.map(({ name }) => `${name} smallint`),
    ...MULTIS.map(({ name }) => `${name} smallint[]`),
  ];
  await client.query(`drop table if exists entry`);
  await client.query(`create table entry (${columns.join(', ')})`);
  await pipeline(createReadStream(file), client.query(copyFrom('copy entry from stdin')));
  await client.query('alter table entry add primary key (id)');
  for (const name of [...NUMBERS, ...SINGLES.filter(({ values }) => values > 10).map((facet) => facet.name)])
    await client.query(`create index on entry (${name})`);
  for (const { name } of MULTIS) await client.query(`create index on entry using gin (${name})`);
  for (const order of ['last, first, id', 'first, last, id', 'day desc, id', 'length, id'])
    await client.query(`create index on entry (${order})`);
  await client.query('vacuum analyze entry');
}

export type Postgres = { plans: Record<string, Plan>; load(file: string): Promise<void>; close(): Promise<void> };

/** Connects to PostgreSQL. Three plans: a statement per facet over two connections, the same with parallel query, and a temporary table. */
export async function openPostgres(url: string): Promise<Postgres> {
  const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  const [first, second] = clients as [pg.Client, pg.Client];
  await Promise.all(clients.map((client) => client.connect()));
  for (const client of clients) await client.query(`set work_mem = '256MB'`);
  const [ask, askSecond] = [oneAtATime(first), oneAtATime(second)];
  const parallel = async (workers: number): Promise<void> => {
    for (const client of clients) await client.query(`set max_parallel_workers_per_gather = ${workers}`);
  };
  let turn = 0;
  const inTurns: Ask = (statement) => (turn++ % 2 === 0 ? ask : askSecond)(statement);
  const withWorkers =
    (workers: number, run: Plan): Plan =>
    async (query: Query) => {
      await parallel(workers);
      return run(query);
    };
  return {
    plans: {
      'per facet': withWorkers(0, (query) => statementPerFacet(inTurns, query, dialect)),
      parallel: withWorkers(2, (query) => statementPerFacet(ask, query, dialect)),
      'temporary table': withWorkers(2, (query) => temporaryTable(ask, query, dialect)),
    },
    load: (file) => load(first, file),
    async close() {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

/** Returns a function that runs the statements of one connection one after another. */
function oneAtATime(client: pg.Client): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (text) => {
    const rows = last.then(async () => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows);
    last = rows.catch(() => {});
    return rows;
  };
}

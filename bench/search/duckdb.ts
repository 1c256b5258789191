import { loadDuckDb } from '../peers/duckdb.ts';
import { MULTIS, NUMBERS, SINGLES } from './facets.ts';
import { COLUMNS } from './file.ts';
import { type Ask, type Dialect, type Plan, statementPerFacet, temporaryTable } from './sql.ts';

const dialect: Dialect = { overlaps: (column, codes) => `list_has_any(${column}, [${codes.join(', ')}]::usmallint[])` };

export type Duck = { plans: Record<string, Plan>; close(): void };

/** Loads the rows into DuckDB, in memory and in this process, with one thread per core. Two plans: a statement per facet, and a temporary table. */
export async function openDuckDb(file: string): Promise<Duck> {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const small = (names: readonly string[], type: string) => names.map((name) => `${name}::${type} as ${name}`);
  const lists = MULTIS.map(({ name }) => `translate(${name}, '{}', '[]')::usmallint[] as ${name}`);
  const columns = [
    ...small(['id', ...NUMBERS], 'int'),
    'last',
    'first',
    ...small(
      SINGLES.map(({ name }) => name),
      'usmallint',
    ),
    ...lists,
  ];
  const names = COLUMNS.map((name) => `'${name}'`).join(', ');
  await connection.run(`create table entry as select ${columns.join(', ')}
    from read_csv('${file}', header = false, delim = '\t', quote = '', escape = '', all_varchar = true, names = [${names}])`);
  const ask: Ask = async (statement) => (await connection.runAndReadAll(statement)).getRows();
  return {
    plans: {
      'per facet': (query) => statementPerFacet(ask, query, dialect),
      'temporary table': (query) => temporaryTable(ask, query, dialect),
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

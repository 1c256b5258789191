/** The tables and sequences of an installation, as the catalog has them. */
import pg from 'pg';
import type { BackedUpSequence, BackedUpTable } from './manifest.ts';

/** `graphile_worker` has the queue of jobs. */
const SCHEMAS = ['tidings', 'graphile_worker'];

/** A table with rows of its own, so a partition instead of its parent. */
export interface StoredTable extends Pick<BackedUpTable, 'schema' | 'name' | 'columns' | 'partition'> {
  /** What orders the rows: the columns of the primary key, as SQL. */
  key: string[];
}

/** Connects so that values are written as the same text everywhere, however long it takes. */
export async function connect(url: string, applicationName: string): Promise<pg.Client> {
  const settings = {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    extra_float_digits: '1',
    bytea_output: 'hex',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    options: options.join(' '),
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export const quoted = (...names: string[]): string => names.map((name) => pg.escapeIdentifier(name)).join('.');

/** Returns the tables that a backup holds, with their columns and keys. */
export async function storedTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select n.nspname as schema, c.relname as name,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attname) as columns,
       array(select quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
         where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
       case when c.relispartition then json_build_object('parent', parent.relname, 'bounds', pg_get_expr(c.relpartbound, c.oid))
         end as partition
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join pg_inherits h on h.inhrelid = c.oid left join pg_class parent on parent.oid = h.inhparent
     where n.nspname = any ($1) and c.relkind = 'r' and c.relpersistence <> 't'
     order by n.nspname, c.relname`,
    [SCHEMAS],
  );
  return rows;
}

/** Returns the sequences with their values. */
export async function storedSequences(client: pg.ClientBase): Promise<BackedUpSequence[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind = 'S' order by n.nspname, c.relname`,
    [SCHEMAS],
  );
  const found: BackedUpSequence[] = [];
  for (const { schema, name } of rows) {
    const { rows: values } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(schema, name)}`,
    );
    found.push({ schema, name, ...(values[0] as { value: string; isCalled: boolean }) });
  }
  return found;
}

/** The statement that writes a table's rows as text, in an order that does not depend on where they are stored. */
export function copyOut({ schema, name, columns, key }: StoredTable): string {
  const order = key.length > 0 ? key.join(', ') : 't::text collate "C"';
  return `copy (select ${columns.map((column) => quoted('t', column)).join(', ')} from only ${quoted(schema, name)} t order by ${order}) to stdout`;
}

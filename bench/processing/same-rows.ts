/**
 * Writes the rows that a piece of work left behind once more, as plainly as PostgreSQL can: into empty copies of their tables with the same indexes, checks and
 * foreign keys. The peers of the processing bench. References lead to the real tables, where every row is by then, so that their order doesn't matter.
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** A table with rows that the work wrote. */
interface Written {
  name: string;
  rows: number;
  /** Those that can be inserted, quoted. */
  columns: string;
}

export interface Cost {
  seconds: number;
  rows: number;
  tables: number;
}

const QUEUE = 'messages_waiting';
/** The months of the archive. */
const MONTH = /^messages_\d{4}_\d\d$/;

/** SQL: a row was written after the mark `$1`, also if it was only changed. */
const IS_NEW = 'xmin::text::bigint >= $1';

export class SameRows {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** `url`: of an administrator of the server, who may create schemas. */
  static async open(url: string): Promise<SameRows> {
    const client = new pg.Client({ connectionString: url });
    // If the bench fails, the server stops before this connection ends. Its failure must not hide the first one.
    client.on('error', () => {});
    await client.connect();
    await client.query('set search_path = tidings');
    return new SameRows(client);
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /** Returns a mark: what is written from now on is newer. */
  async mark(): Promise<string> {
    const { rows } = await this.#client.query<{ mark: string }>('select pg_current_xact_id()::text as mark');
    return rows[0]?.mark ?? '';
  }

  /** Copies what was written since the mark from files, a table at a time. */
  async copy(mark: string): Promise<Cost> {
    const written = await this.#prepare(mark);
    const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-rows-'));
    const fileOf = ({ name }: Written) => join(folder, name);
    try {
      for (const each of written) {
        const { name, columns } = each;
        const query = `copy (select ${columns} from ${name} where ${IS_NEW.replace('$1', mark)}) to stdout`;
        await pipeline(this.#client.query(copyTo(query)), createWriteStream(fileOf(each)));
      }
      const start = performance.now();
      for (const each of written) {
        const into = this.#client.query(copyFrom(`copy peer.${each.name} (${each.columns}) from stdin`));
        await pipeline(createReadStream(fileOf(each)), into);
      }
      return await this.#cost(written, start);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /**
   * Inserts what was written since the mark by a statement for each table and transaction, in so many transactions, and takes the messages that are archived
   * out of a copy of the queue.
   */
  async insert(mark: string, transactions: number): Promise<Cost> {
    const written = await this.#prepare(mark);
    for (const { name, columns } of written) await this.#divide(name, columns, { mark, transactions });
    const archived = written.filter(({ name }) => MONTH.test(name));
    await this.#fillQueue(archived);
    const start = performance.now();
    for (let part = 1; part <= transactions; part += 1) {
      const run = (name: string, text: string) => this.#client.query({ name, text, values: [part] });
      await this.#client.query('begin');
      for (const { name } of archived)
        await run(
          `delete ${name}`,
          `delete from peer.${QUEUE} q using parts.${name} p where p.part = $1 and q.id = p.id`,
        );
      for (const { name, columns } of written)
        await run(
          `insert ${name}`,
          `insert into peer.${name} (${columns}) overriding system value select ${columns} from parts.${name} where part = $1`,
        );
      await this.#client.query('commit');
    }
    return this.#cost(written, start);
  }

  /** Returns the tables with new rows, and makes empty copies of them. */
  async #prepare(mark: string): Promise<Written[]> {
    await this.#client.query(`create schema peer; create schema parts`);
    const { rows: tables } = await this.#client.query<{ name: string; columns: string }>(`
      select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'tidings'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by c.oid order by c.relname`);
    const written: Written[] = [];
    for (const table of tables) {
      const { rows } = await this.#client.query(`select count(*)::int as rows from ${table.name} where ${IS_NEW}`, [
        mark,
      ]);
      if (rows[0]?.rows > 0) written.push({ ...table, rows: rows[0].rows });
    }
    for (const name of new Set([QUEUE, ...written.map((each) => each.name)])) await this.#makeCopy(name);
    return written;
  }

  async #makeCopy(name: string): Promise<void> {
    await this.#client.query(`create table peer.${name} (like ${name} including all)`);
    const { rows } = await this.#client.query<{ name: string; key: string }>(
      `select quote_ident(conname) as name, pg_get_constraintdef(oid) as key from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
      [name],
    );
    for (const { name: key, key: definition } of rows)
      await this.#client.query(`alter table peer.${name} add constraint ${key} ${definition}`);
  }

  /** Divides the new rows of a table, in their order, among transactions. */
  async #divide(
    name: string,
    columns: string,
    { mark, transactions }: { mark: string; transactions: number },
  ): Promise<void> {
    const order = columns.split(', ').includes('id') ? 'id' : 'ctid';
    await this.#client.query(`
      create table parts.${name} as select ntile(${transactions}) over (order by ${order}) as part, ${columns} from ${name} where ${IS_NEW.replace('$1', mark)};
      create index on parts.${name} (part); analyze parts.${name}`);
  }

  async #fillQueue(archived: readonly Written[]): Promise<void> {
    for (const { name, columns } of archived)
      await this.#client.query(
        `insert into peer.${QUEUE} (${columns}) overriding system value select ${columns} from parts.${name}`,
      );
    await this.#client.query(`analyze peer.${QUEUE}`);
  }

  async #cost(written: readonly Written[], start: number): Promise<Cost> {
    const seconds = (performance.now() - start) / 1000;
    for (const { name, rows } of written) {
      const { rows: found } = await this.#client.query(`select count(*)::int as rows from peer.${name}`);
      if (found[0]?.rows !== rows) throw new Error(`${name} has ${found[0]?.rows} rows instead of ${rows}`);
    }
    await this.#client.query('drop schema peer cascade; drop schema parts cascade');
    return { seconds, rows: written.reduce((sum, { rows }) => sum + rows, 0), tables: written.length };
  }
}

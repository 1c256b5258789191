/** Tries every table as the app's role: the catalog says which tables there are, so that a new one cannot be forgotten. */
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { openDatabase, type Queryable } from '#server/platform/database/pool.ts';
import { testDatabase } from '#server/testing/database.ts';

const { app, owner, pipeline, adminUrl } = await testDatabase();
const now = new Date('2026-11-20T15:00:00Z');

/** Tables that every call reads without a wall. None tells anything about a person or holds a secret. */
const DIRECTORY = [
  // Which migrations were applied: read at the start, before anyone calls.
  'migrations',
  // Names of organizations, their groups, and the teams that work for them: public for requests to join.
  'organizations',
  'groups',
  'teams',
  'team_groups',
  // Names of roles and their flags: the gate joins them on every call.
  'roles',
  // Which sender is which feed, and which identifier is which group: decides where a message belongs.
  'feeds',
  'feed_facilities',
  // Which of them aren't heard from, as feeds say of themselves: ids and times only. What a list names is decided by its query.
  'facility_silences',
];

/** Functions that read or write past row-level security for the app's role. Each does one narrow thing. */
const NARROW_FUNCTIONS = [
  'administers_team',
  'audit_key',
  'care_listings',
  'colleagues_using_shared_filters',
  'create_user_at_sign_in',
  'current_candidates',
  'death_of_held',
  'document_message_outcome',
  'emergencies_at',
  'enqueue_job',
  'evidence_of_visit',
  'feed_health',
  'has_opted_out',
  'heard_by_another_feed',
  'kind_of_connection',
  'link_of_visit',
  'links_of',
  'look_up_held',
  'managed_feeds',
  'managed_groups',
  'messages_of_event',
  'name_of_user',
  'note_text_reply',
  'notices_of_event',
  'organization_signs_in',
  'organizations_of_held',
  'owners_of_shared_filters',
  'owners_of_shared_spotlights',
  'pass_on_stays',
  'patient_accesses',
  'patients_of_message',
  'phones_of',
  'post_letter',
  'programs_of',
  'readers_elsewhere',
  'readers_of_visit',
  'record_part2_lifted',
  'rename_user_of_connection',
  'shares_care',
  'stays_taken_by',
  'team_colleagues',
  'use_feed_token',
  'use_scim_token',
  'users_of_usage',
  'was_mailed',
];

interface Column {
  name: string;
  type: string;
  isNeeded: boolean;
}

const SAMPLES: Record<string, string> = {
  bigint: '1',
  integer: '1',
  smallint: '1',
  text: 'x',
  boolean: 'false',
  bytea: '\\x01',
  date: '2026-11-20',
  'timestamp with time zone': now.toISOString(),
  jsonb: '{}',
  xid8: '1',
  uuid: '00000000-0000-4000-8000-000000000001',
};
const sampleOf = (type: string): string => (type.endsWith('[]') ? '{}' : (SAMPLES[type] ?? '0'));

async function tables(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'tidings'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`);
  return rows.map(({ name }) => name);
}

async function columnsOf(table: string): Promise<Column[]> {
  const { rows } = await owner.query<Column>(
    `select attname as name, format_type(atttypid, null) as type,
       attnotnull and attidentity = '' and not atthasdef as "isNeeded"
     from pg_attribute where attrelid = format('tidings.%I', $1::text)::regclass and attnum > 0 and not attisdropped
     order by attnum`,
    [table],
  );
  return rows;
}

/** Returns a statement that adds a row with a value in every column that needs one. */
async function insertInto(table: string): Promise<string> {
  const needed = (await columnsOf(table)).filter(({ isNeeded }) => isNeeded);
  const names = needed.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
  // Messages have a part for each status.
  const sample = ({ name, type }: Column) => (name === 'status' ? 'PENDING' : sampleOf(type));
  const values = needed.map((column) => `${pg.escapeLiteral(sample(column))}::${column.type}`).join(', ');
  return `insert into ${table} ${needed.length > 0 ? `(${names}) values (${values})` : 'default values'}`;
}

/** Runs a statement in a transaction of its own, which is undone. Returns how many rows it concerned, or the code that refused it. */
async function attempt(db: typeof app, statement: string): Promise<number | string> {
  const undo = new Error('undo');
  let outcome: number | string = '';
  const tried = db.transaction(async (tx) => {
    outcome = (await tx.query(statement)).rowCount;
    throw undo;
  });
  await tried.catch((error: Error & { code?: string }) => {
    if (error !== undo) outcome = error.code ?? error.message;
  });
  return outcome;
}

const countIn = async (db: Queryable, table: string): Promise<unknown> =>
  (await db.query(`select count(*)::int as n from ${table}`)).rows[0]?.['n'];

/** Puts a row into every table. Constraints and triggers are of no interest here, and are removed. */
beforeAll(async () => {
  await ensurePartitions(pipeline, now);
  const admin = openDatabase(adminUrl, { max: 1 });
  await admin.transaction(async (tx) => {
    await tx.query(`set local search_path = tidings`);
    await tx.query(`do $$
      declare statement text;
      begin
        for statement in
          select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) from pg_constraint
          where connamespace = 'tidings'::regnamespace and contype in ('c', 'f') and conparentid = 0 and coninhcount = 0
        loop execute statement; end loop;
      end $$`);
    await tx.query(`set local session_replication_role = replica`);
    for (const table of await tables()) {
      if ((await countIn(tx, table)) === 0) await tx.query(await insertInto(table));
    }
  });
  await admin.close();
});

describe('without settings', () => {
  test('the app’s role sees no row except the directory’s', async () => {
    for (const table of await tables()) {
      const seen = await attempt(app, `select from ${table}`);
      if (DIRECTORY.includes(table)) expect([table, seen]).not.toEqual([table, 0]);
      else
        expect([
          [table, 0],
          [table, '42501'],
        ]).toContainEqual([table, seen]);
    }
  });

  test('it inserts, updates and deletes nothing', async () => {
    for (const table of await tables()) {
      expect([table, await attempt(app, await insertInto(table))]).toEqual([table, '42501']);
      for (const { name } of await columnsOf(table)) {
        const changed = await attempt(app, `update ${table} set ${name} = default`);
        // 428C9: an id that is always generated.
        expect([
          [table, name, 0],
          [table, name, '42501'],
          [table, name, '428C9'],
        ]).toContainEqual([table, name, changed]);
      }
      const deleted = await attempt(app, `delete from ${table}`);
      expect([
        [table, 0],
        [table, '42501'],
      ]).toContainEqual([table, deleted]);
      expect([table, await attempt(app, `truncate ${table}`)]).toEqual([table, '42501']);
    }
  });

  test('the pipeline’s role sees every row, so the tables are not merely empty', async () => {
    for (const table of await tables()) {
      expect([table, await countIn(owner, table)]).not.toEqual([table, 0]);
    }
  });
});

describe('the catalog', () => {
  test('has row-level security on every table but the list of migrations', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'tidings'::regnamespace and relkind in ('r', 'p') and not relispartition and not relrowsecurity
      order by 1`);
    expect(rows.map(({ name }) => name)).toEqual(['migrations']);
  });

  test('has no policy that lets the app’s role read everything, except in the directory', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      select distinct c.relname as name
      from pg_policy p join pg_class c on c.oid = p.polrelid
      where 'tidings_app'::regrole = any (p.polroles) and pg_get_expr(p.polqual, p.polrelid) = 'true' order by 1`);
    expect(rows.map(({ name }) => name)).toEqual(DIRECTORY.filter((name) => name !== 'migrations').toSorted());
  });

  test('opens months of a table to no one directly, since policies belong to the whole table', async () => {
    const { rows } = await owner.query(`
      select relname from pg_class
      where relnamespace = 'tidings'::regnamespace and relispartition and relkind = 'r'
        and has_table_privilege('tidings_app', oid, 'select, insert, update, delete')`);
    expect(rows).toEqual([]);
  });

  test('lets the app’s role run only these functions with the owner’s rights', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      select proname as name from pg_proc
      where pronamespace = 'tidings'::regnamespace and prosecdef and has_function_privilege('tidings_app', oid, 'execute')
      order by 1`);
    expect(rows.map(({ name }) => name)).toEqual(NARROW_FUNCTIONS);
  });
});

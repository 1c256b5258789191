import { describe, expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { openDatabase, type Queryable } from './pool.ts';
import { forPurpose, forUser } from './settings.ts';
import { sql } from './sql.ts';

const { owner, app, pipeline, adminUrl, urls } = await testDatabase();

describe('values', () => {
  test('arrive as strings without loss', async () => {
    const { rows } = await app.query(sql`
      select 9007199254740993::bigint as id, 0.10::numeric as amount, date '2024-02-29' as born,
        timestamptz '2026-03-01 12:00:00.1239+02' as at, timestamp '2026-03-01 12:00' as local,
        array[date '2024-02-29'] as days, array[timestamptz '2026-03-01 12:00+00', null] as times, '{"a":[1]}'::jsonb as document`);
    expect(rows).toEqual([
      {
        id: '9007199254740993',
        amount: '0.10',
        born: '2024-02-29',
        at: '2026-03-01T10:00:00.123Z',
        local: '2026-03-01 12:00:00',
        days: ['2024-02-29'],
        times: ['2026-03-01T12:00:00.000Z', null],
        document: { a: [1] },
      },
    ]);
  });
});

describe('a statement of a call', () => {
  const purposes = (db: Queryable) =>
    db.query<{ user: string | null; purpose: string | null }>(sql`
      select nullif(current_setting('tidings.user_id', true), '') as user,
        nullif(current_setting('tidings.purpose', true), '') as purpose`);

  test('runs under the settings of the call, and leaves none to the next', async () => {
    const one = openDatabase(urls.app, { max: 1 });
    expect((await forUser('7', () => purposes(one))).rows).toEqual([{ user: '7', purpose: null }]);
    const inTransaction = forPurpose('sign-in', () => one.transaction((tx) => purposes(tx)));
    expect((await inTransaction).rows).toEqual([{ user: null, purpose: 'sign-in' }]);
    const withOwn = forUser('7', () =>
      one.transaction((tx) => purposes(tx), { settings: { 'tidings.purpose': 'changes' } }),
    );
    expect((await withOwn).rows).toEqual([{ user: null, purpose: 'changes' }]);
    expect((await purposes(one)).rows).toEqual([{ user: null, purpose: null }]);
    await one.close();
  });

  test('that fails leaves its connection usable', async () => {
    const one = openDatabase(urls.app, { max: 1 });
    const failing = forUser('7', () => one.query(sql`select ${0}::int / ${0}::int`));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect((await purposes(one)).rows).toEqual([{ user: null, purpose: null }]);
    await one.close();
  });
});

describe('a transaction', () => {
  test('has its settings from the first statement to the end', async () => {
    const within = await app.transaction(
      async (tx) => (await tx.query(sql`select current_setting('tidings.actor') as actor`)).rows[0],
      { settings: { 'tidings.actor': "o'brien; --" } },
    );
    expect(within).toEqual({ actor: "o'brien; --" });
    const { rows } = await app.query(sql`select current_setting('tidings.actor', true) as actor`);
    expect(rows[0]?.actor ?? '').toBe('');
  });

  test('that only reads fails as its BEGIN did, with which its statements are sent, and writes nothing', async () => {
    const one = openDatabase(urls.owner, { max: 1 });
    const options = { readOnly: true, settings: { statement_timeout: 'never' } };
    const misspelled = one.transaction((tx) => tx.query('create table tidings.unbegun_probe (id int)'), options);
    await expect(misspelled).rejects.toMatchObject({ code: '22023' });
    expect((await one.query(`select to_regclass('tidings.unbegun_probe') as made`)).rows).toEqual([{ made: null }]);
    const writing = one.transaction((tx) => tx.query('create table tidings.unbegun_probe (id int)'), {
      readOnly: true,
    });
    await expect(writing).rejects.toMatchObject({ code: '25006' });
    await one.close();
  });

  test('that only reads is over for the next user of its connection, also where no one waits for its COMMIT', async () => {
    const one = openDatabase(urls.app, { max: 1 });
    const actor = async (tx: Queryable) =>
      (await tx.query<{ actor: string | null }>(sql`select current_setting('tidings.actor', true) as actor`)).rows[0];
    const read = one.transaction(actor, { readOnly: true, settings: { 'tidings.actor': 'ann' } });
    const next = actor(one);
    expect(await read).toEqual({ actor: 'ann' });
    expect((await next)?.actor ?? '').toBe('');
    await one.close();
  });

  test('is rolled back if its function throws', async () => {
    await owner.query('create table tidings.rollback_probe (id int)');
    await expect(
      owner.transaction(async (tx) => {
        await tx.query(sql`insert into rollback_probe values (${1})`);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await owner.query('select * from rollback_probe')).rowCount).toBe(0);
  });

  test('is rolled back if one of several statements sent together fails, and its connection still works', async () => {
    const one = openDatabase(urls.owner, { max: 1 });
    await one.query('create table tidings.together_probe (id int)');
    const both = one.transaction((tx) =>
      Promise.all([
        tx.query(sql`insert into together_probe values (${1})`),
        tx.query(sql`select ${0}::int / ${0}::int`),
        tx.query(sql`insert into together_probe values (${2})`),
      ]),
    );
    await expect(both).rejects.toMatchObject({ code: '22012' });
    expect((await one.query('select * from together_probe')).rowCount).toBe(0);
    await one.close();
  });

  test('is retried after a serialization failure, up to the given number of times', async () => {
    await owner.query('create table tidings.conflict_probe (n int); insert into tidings.conflict_probe values (0)');
    const addOne = () =>
      owner.transaction(
        async (tx) => {
          const { rows } = await tx.query<{ n: number }>('select n from conflict_probe');
          await tx.query('select pg_sleep(0.05)');
          await tx.query(sql`update conflict_probe set n = ${(rows[0]?.n ?? 0) + 1}`);
        },
        { isolation: 'serializable', retries: 10 },
      );
    await Promise.all([addOne(), addOne(), addOne()]);
    expect((await owner.query('select n from conflict_probe')).rows).toEqual([{ n: 3 }]);
    const once = owner.transaction(
      async (tx) => {
        await tx.query('select n from conflict_probe');
        await owner.query('update conflict_probe set n = 10');
        await tx.query('update conflict_probe set n = 11');
      },
      { isolation: 'repeatable read' },
    );
    await expect(once).rejects.toMatchObject({ code: '40001' });
  });

  test('on a connection that breaks fails as retryable, and the pool still works', async () => {
    const broken = app.transaction(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      const admin = openDatabase(adminUrl, { max: 1 });
      await admin.query(sql`select pg_terminate_backend(${rows[0]?.pid})`);
      await admin.close();
      await tx.query('select 1');
    });
    await expect(broken).rejects.toThrow(DatabaseUnavailableError);
    expect((await app.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('an error', () => {
  test('names the constraint, and never a value', async () => {
    await owner.query('create table tidings.secret_probe (name text constraint secret_name unique)');
    const insert = () => owner.query(sql`insert into secret_probe values (${'Marguerite'})`);
    await insert();
    const error = await insert().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: '23505', constraint: 'secret_name' });
    expect(JSON.stringify(error)).not.toContain('Marguerite');
    const cast = await owner.query(sql`select ${'Marguerite'}::date`).catch((caught: unknown) => caught);
    expect(cast).toMatchObject({ code: '22007' });
    expect(String(cast) + JSON.stringify(cast)).not.toContain('Marguerite');
    // The log contains the stack.
    expect((cast as Error).stack).not.toContain('Marguerite');
  });

  test('from a server that cannot be reached is retryable', async () => {
    const nowhere = openDatabase('postgres://nobody:x@127.0.0.1:9/none');
    await expect(nowhere.query('select 1')).rejects.toThrow(DatabaseUnavailableError);
    await nowhere.close();
  });
});

describe('the roles', () => {
  test('are not superusers, and do not bypass row-level security', async () => {
    const { rows } = await owner.query(
      `select rolname from pg_roles where rolname like 'tidings\\_%' and not (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb) order by 1`,
    );
    expect(rows.map((row) => row.rolname)).toEqual(['tidings_app', 'tidings_owner', 'tidings_pipeline']);
  });

  test('cannot read a table without a grant', async () => {
    await owner.query('create table tidings.closed_probe (id int)');
    for (const role of [app, pipeline]) {
      await expect(role.query('select * from closed_probe')).rejects.toMatchObject({ code: '42501' });
      await expect(role.query('create table tidings.mine (id int)')).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('the app reads under row-level security, which shows nothing until groups are set', async () => {
    const insert = sql`
      with organization as (insert into organizations (name, created_at) values ('Probe', '2026-01-01') returning id)
      insert into groups (organization_id, name, type, time_zone, created_at)
      select id, 'Probe', 'PROGRAM', 'America/New_York', '2026-01-01' from organization returning id`;
    const group = (await pipeline.query<{ id: string }>(insert)).rows[0]?.id;
    const person = sql`insert into persons (created_at) values ('2026-01-01') returning id`;
    const { rows } = await pipeline.query<{ id: string }>(person);
    await pipeline.query(sql`
      insert into roster_patients (group_id, member_id, person_id, first_name, last_name, gender, sort_first, sort_last, listed_at,
        opens_from)
      values (${group}, '1', ${rows[0]?.id}, 'Ada', 'Probe', 'U', 'ada', 'probe', '2026-01-01', '2026-01-01')`);
    const listed = (settings: Record<string, string>) =>
      app.transaction(async (tx) => (await tx.query('select member_id from roster_patients')).rows, { settings });
    expect(await listed({})).toEqual([]);
    expect(await listed({ 'tidings.group_ids': `{${group}}` })).toEqual([{ member_id: '1' }]);
  });

  test('have different passwords, derived from the administrator’s', () => {
    const passwords = Object.values(urls).map((url) => new URL(url).password);
    expect(new Set(passwords).size).toBe(3);
    for (const password of passwords) expect(password).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the app enqueues through one function and cannot read the queue', async () => {
    const { rows } = await app.query(
      sql`select enqueue_job(task => ${'probe'}, payload => ${JSON.stringify({ id: '1' })}, job_key => ${'k'}) as id`,
    );
    expect(rows[0]?.id).toMatch(/^\d+$/);
    await expect(app.query('select * from graphile_worker.jobs')).rejects.toMatchObject({ code: '42501' });
    const jobs = await pipeline.query('select task_identifier from graphile_worker.jobs');
    expect(jobs.rows).toEqual([{ task_identifier: 'probe' }]);
  });
});

test('of statements that are sent together, those after one that failed say why it failed', async () => {
  const sent = pipeline.transaction(async (tx) => {
    const [, refused] = await Promise.allSettled([tx.query('select 1 / 0'), tx.query('select 1')]);
    if (refused.status === 'rejected') throw refused.reason;
  });
  await expect(sent).rejects.toMatchObject({ code: '22012' });
});

test('a statement that comes after the end of its transaction is refused', async () => {
  const ended = await pipeline.transaction(async (tx) => tx);
  await expect(ended.query('select 1')).rejects.toThrow('after the end of its transaction');
  const failing = pipeline.transaction(async (tx) => {
    const late = new Promise((resolve) => setTimeout(resolve, 50)).then(() => tx.query('select 1'));
    await Promise.all([tx.query('select 1 / 0'), late]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
});

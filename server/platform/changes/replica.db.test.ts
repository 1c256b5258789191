/** Reading from a hot standby that is late, down, in conflict with what it replays, or promoted. */
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase, type Transaction } from '#server/platform/database/pool.ts';
import { urlAtReplica } from '#server/platform/database/roles.ts';
import { testDatabase } from '#server/testing/database.ts';
import { databaseProxy } from '#server/testing/database-proxy.ts';
import { replicatedDatabase, startStandby } from '#server/testing/standby.ts';
import { logChanges } from './change-log.ts';
import { proveReplica, ReplicaReads } from './replica.ts';

const { database, standby, replicaUrl } = await replicatedDatabase();
const { app, owner, pipeline } = database;
const NOW = new Date('2026-11-20T12:00:00Z');
const log = (db: Database | Transaction, subjectId: string) =>
  logChanges(db, [{ kind: 'person', change: 'changed', groupId: null, subjectId }], NOW);

const replica = openDatabase(replicaUrl, { max: 1 });
afterAll(() => replica.close());

afterEach(async () => {
  await standby.start();
  await standby.resume();
});

async function reading(url = replicaUrl, primary = app) {
  const replica = openDatabase(url, { max: 4, timeouts: { connection: 1000 } });
  const reports: (string | null)[] = [];
  const reads = new ReplicaReads({ primary, replica, now: Date.now }, (reason) => reports.push(reason));
  await reads.start();
  onTestFinished(async () => {
    await reads.stop();
    await replica.close();
  });
  /** Returns where the log was read, and the persons it names. */
  const read = () =>
    reads.transaction(
      async (tx) => {
        const { rows } = await tx.query<{ isReplica: boolean; subjects: string[] }>(
          `select pg_is_in_recovery() as "isReplica", array_agg(subject_id::text order by id) as subjects
           from change_log where kind = 'person'`,
        );
        return rows[0] as { isReplica: boolean; subjects: string[] };
      },
      { settings: { 'tidings.purpose': 'changes' } },
    );
  const backInUse = () => expect.poll(() => reports.at(-1), { timeout: 15_000 }).toBeNull();
  return { reads, read, reports, backInUse };
}

test('the snapshots of a standby list no transaction in progress, so that the log is followed at the primary', async () => {
  let end = () => {};
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => void (begun = resolve));
  const whole = pipeline.transaction(async (tx) => {
    await log(tx, '1');
    begun();
    await new Promise<void>((resolve) => void (end = resolve));
  });
  await hasBegun;
  await log(pipeline, '2');
  const inProgress = async (db: Database) =>
    (await db.query(`select pg_snapshot_xip(pg_current_snapshot())`)).rows.length;
  await proveReplica({ primary: app, replica, now: Date.now });
  expect([await inProgress(app), await inProgress(replica)]).toEqual([1, 0]);
  end();
  await whole;
});

test('a read is made at the replica, and sees everything that was committed before it', async () => {
  const { read, reports } = await reading();
  for (let n = 10; n < 20; n += 1) {
    await log(pipeline, String(n));
    const { isReplica, subjects } = await read();
    expect([isReplica, subjects.at(-1)]).toEqual([true, String(n)]);
  }
  expect(reports).toEqual([null]);
});

test('a read sees a commit whose log ends in the record of a transaction that stays open', async () => {
  const { read, reports } = await reading();
  await pipeline.transaction(async (tx) => {
    await log(tx, '20');
    await log(pipeline, '21');
    await log(tx, '22');
    expect(await read()).toMatchObject({ isReplica: true, subjects: expect.arrayContaining(['21']) });
  });
  expect((await read()).subjects.slice(-3).toSorted()).toEqual(['20', '21', '22']);
  expect(reports).toEqual([null]);
});

test('a read that a late replica cannot answer is made at the primary, until the replica shows what was committed', async () => {
  const { read, reports, backInUse } = await reading();
  await standby.pause();
  await log(pipeline, '30');
  const late = await read();
  expect([late.isReplica, late.subjects.at(-1)]).toEqual([false, '30']);
  expect(reports).toEqual([null, 'it does not show within 1000 ms what was committed at the primary']);
  await standby.resume();
  await backInUse();
  const { isReplica, subjects } = await read();
  expect([isReplica, subjects.at(-1)]).toEqual([true, '30']);
});

test('a read goes to the primary while the replica is down, and to the replica when it is there again', async () => {
  const { read, reports, backInUse } = await reading();
  await standby.stop();
  await log(pipeline, '40');
  const without = await read();
  expect([without.isReplica, without.subjects.at(-1)]).toEqual([false, '40']);
  expect(reports.at(-1)).toMatch(/^The database is not available/);
  await standby.start();
  await backInUse();
  expect((await read()).isReplica).toBe(true);
});

test('a read does not wait for a replica that is gone without a word', async () => {
  const proxy = await databaseProxy(replicaUrl);
  const { read, reports } = await reading(proxy.url);
  expect((await read()).isReplica).toBe(true);
  proxy.silence();
  await log(pipeline, '45');
  const without = await read();
  expect([without.isReplica, without.subjects.at(-1)]).toEqual([false, '45']);
  expect(reports).toEqual([null, expect.stringMatching(/not available|does not answer/)]);
  proxy.cut();
});

test('a read that is canceled by a conflict with recovery is made again at the primary, and the replica stays in use', async () => {
  const { reads, reports } = await reading();
  const places: boolean[] = [];
  const conflicting = reads.transaction(async (tx) => {
    const { rows } = await tx.query<{ here: boolean }>('select pg_is_in_recovery() as here');
    places.push(rows[0]?.here === true);
    await tx.query('select case when pg_is_in_recovery() then pg_sleep(30) end from (select count(*) from groups) c');
  });
  await expect.poll(() => standby.log().includes('then pg_sleep(30)')).toBe(true);
  await owner.transaction((tx) => tx.query('lock table groups in access exclusive mode'));
  await conflicting;
  expect(places).toEqual([true, false]);
  const conflicts = () =>
    replica.query('select confl_lock::int as n from pg_stat_database_conflicts where confl_lock > 0');
  await expect.poll(async () => (await conflicts()).rows, { timeout: 5000 }).toEqual([{ n: 1 }]);
  expect(reports).toEqual([null]);
});

test('a standby of another server never counts', async () => {
  const other = await testDatabase();
  const proof = proveReplica({ primary: other.app, replica, now: Date.now });
  await expect(proof).rejects.toMatchObject({ message: 'it has the data of another server', isForeign: true });
});

test('a standby that was promoted is out of use', async () => {
  const { read, reports } = await reading();
  await standby.promote();
  await log(pipeline, '50');
  const { isReplica, subjects } = await read();
  expect([isReplica, subjects.at(-1)]).toEqual([false, '50']);
  expect(reports.at(-1)).toBe('it accepts writes, so that it is no standby');
});

test('a standby that is further than the successor of its primary, and wrong, is out of use', async () => {
  const second = await startStandby(database.adminUrl);
  let primary: Database = app;
  const failingOver = {
    query: (...of: [string]) => primary.query(...of),
    transaction: (...of: Parameters<Database['transaction']>) => primary.transaction(...of),
  } as Database;
  const { read, reports } = await reading(urlAtReplica(database.urls.app, second.adminUrl), failingOver);
  expect((await read()).isReplica).toBe(true);
  await standby.promote();
  await log(pipeline, '60');
  await log(pipeline, '61');
  expect((await read()).subjects.at(-1)).toBe('61');
  const successor = openDatabase(urlAtReplica(database.urls.pipeline, standby.adminUrl), { max: 1 });
  onTestFinished(async () => {
    await successor.close();
    await second.remove();
  });
  primary = replica;
  await log(successor, '62');
  const { isReplica, subjects } = await read();
  expect([isReplica, subjects.at(-1), subjects.includes('61')]).toEqual([false, '62', false]);
  expect(reports[1]).toBe('another server has become the primary');
  await expect.poll(() => reports.at(-1), { timeout: 10_000 }).toMatch(/^it does not show/);
});

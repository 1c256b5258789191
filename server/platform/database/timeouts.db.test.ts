import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { DatabaseBusyError, DatabaseUnavailableError } from './errors.ts';
import { type Database, openDatabase, type Timeouts } from './pool.ts';
import { shareOf } from './share.ts';
import { sql } from './sql.ts';

const { owner, urls } = await testDatabase();
await owner.query('create table tidings.slow (id int)');

function open(timeouts: Timeouts, max = 2): Database {
  const database = openDatabase(urls.owner, { max, timeouts });
  onTestFinished(() => database.close());
  return database;
}

/** Uses a connection until the returned function is called. */
async function occupy(database: Database): Promise<() => Promise<void>> {
  let release = () => {};
  let begun = () => {};
  const isRunning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const transaction = database.transaction(async (tx) => {
    await tx.query(sql`lock table slow`);
    begun();
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  await isRunning;
  return () => {
    release();
    return transaction;
  };
}

test('a statement or a lock that takes too long is a DatabaseBusyError, and the connection still works', async () => {
  const database = open({ statement: 100 }, 1);
  await expect(database.query('select pg_sleep(20)')).rejects.toThrow(DatabaseBusyError);
  const impatient = open({ lock: 100 }, 1);
  const release = await occupy(owner);
  await expect(impatient.transaction((tx) => tx.query(sql`lock table slow`))).rejects.toThrow(DatabaseBusyError);
  await release();
  for (const each of [database, impatient]) expect((await each.query('select 1')).rowCount).toBe(1);
});

test('a transaction that forgets itself loses its connection and its locks', async () => {
  const database = open({ idleInTransaction: 100 });
  const forgotten = occupy(database).then((release) =>
    new Promise((resolve) => setTimeout(resolve, 500)).then(release),
  );
  await expect(forgotten).rejects.toThrow(DatabaseUnavailableError);
  await owner.transaction((tx) => tx.query(sql`lock table slow`));
  expect((await database.query('select 1')).rowCount).toBe(1);
});

test('waiting for a connection ends soon if none is free', async () => {
  // Opening a connection counts too.
  const database = open({ connection: 2000 }, 1);
  const release = await occupy(database);
  await expect(database.query('select 1')).rejects.toThrow(DatabaseBusyError);
  await release();
  expect((await database.query('select 1')).rowCount).toBe(1);
});

test('a share leaves the other connections to other work', async () => {
  const database = open({ connection: 2000 }, 2);
  const share = shareOf(database, 1);
  const release = await occupy(share);
  let isDone = false;
  const waiting = share.query('select 1').then(() => (isDone = true));
  expect((await database.query('select 1')).rowCount).toBe(1);
  expect(isDone).toBe(false);
  await release();
  await waiting;
});

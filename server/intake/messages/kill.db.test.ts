/** kill -9 loses nothing that was acknowledged. The tests run the real process and the messages of a generated world. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createDirectory, type DemoDirectory } from '#demo/directory.ts';
import { enteredByHand, uploadRosters } from '#demo/past.ts';
import { makeWorld, type World } from '#demo/world/world.ts';
import { makePipeline } from '#server/pipeline.ts';
import { freePort } from '#server/platform/database/embedded/postmaster.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { ensureRoles } from '#server/platform/database/roles.ts';
import { createLog } from '#server/platform/http/log.ts';
import { closeHangingVisits } from '#server/record/encounters/close-hanging.ts';
import { testDatabase } from '#server/testing/database.ts';
import { sendStubbornly, startTidings, stopAllTidings } from '#server/testing/tidings-process.ts';
import { differences, storedPings, storedVisits, truePings, trueVisits } from '#server/testing/truth.ts';
import { MessageQueue } from './message-queue.ts';
import { MessageStore } from './message-store.ts';
import { ensurePartitions } from './partitions.ts';

const PERIOD = { from: '2026-05-20T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z' };
afterEach(stopAllTidings);

const NOTHING = { missing: [], unexpected: [] };

/** Sets up the world's region and rosters in the database that the process will run on. */
async function prepare(db: { app: Database; pipeline: Database }, world: World): Promise<DemoDirectory> {
  const from = new Date(world.options.from);
  await ensurePartitions(db.pipeline, new Date(world.options.to), from);
  const directory = await createDirectory(db.pipeline, world.region, from);
  await uploadRosters(db, world, directory, from);
  return directory;
}

async function queueIsEmpty(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await db
      .query("select from messages where status = 'PENDING' limit 1")
      .catch(() => ({ rows: [{}] }));
    if (rows.length === 0) return;
    await sleep(200);
  }
}

/** Adds the manual entries and the jobs that depend on the clock, in the test's own process. Waits for what a server that still runs has claimed. */
async function finish(db: Database, world: World, directory: DemoDirectory): Promise<void> {
  const end = new Date(world.options.to);
  const clock = () => end;
  const queue = new MessageQueue({ database: db, process: makePipeline(clock), log: createLog('silent'), clock });
  const store = new MessageStore(db);
  await Promise.all(enteredByHand(world, directory).map((entry) => store.receive(entry)));
  const drain = async () => {
    await queue.drain();
    await queueIsEmpty(db);
  };
  await drain();
  while ((await closeHangingVisits(db, store, end)) > 0) await drain();
}

const digest = (bytes: Buffer) =>
  createHash('sha256').update(bytes.toString('latin1').trimEnd(), 'latin1').digest('hex');

async function expectNothingLost(db: Database, acknowledged: Iterable<Buffer>): Promise<void> {
  const { rows } = await db.query<{ raw: Buffer }>('select raw from messages where raw is not null');
  const stored = new Set(rows.map(({ raw }) => digest(raw)));
  expect([...acknowledged].filter((message) => !stored.has(digest(message))).length).toBe(0);
}

async function expectTruth(db: Database, world: World, directory: DemoDirectory): Promise<void> {
  const { rows } = await db.query("select reason from messages where status in ('PENDING', 'QUARANTINED')");
  expect(rows).toEqual([]);
  expect(differences(trueVisits(world), await storedVisits(db, directory))).toEqual(NOTHING);
  expect(differences(truePings(world, 'programs'), await storedPings(db, directory, 'programs'))).toEqual(NOTHING);
}

const MESSAGES = 10_000;

test('10,000 messages on 32 connections while the process is killed with -9 three times: nothing acknowledged is lost, no ping is sent twice, and the result is correct', async () => {
  const database = await testDatabase();
  const world = makeWorld({ seed: 'kill', people: 3100, visits: 3620, ...PERIOD });
  expect(world.messages.length).toBeGreaterThanOrEqual(MESSAGES);
  const directory = await prepare(database, world);
  const [port, web] = [await freePort(), await freePort()];
  const env = {
    DATABASE_URL: database.adminUrl,
    PORT: String(web),
    MLLP_PORT: String(port),
    // Without the worker, whose clock would close visits by today's date.
    TIDINGS_ROLES: 'web,feed',
  };
  let tidings = await startTidings(env);
  const acknowledged: Buffer[] = [];
  const kills = [0.25, 0.55, 0.85].map((part) =>
    Math.floor((part + (Math.random() - 0.5) / 5) * world.messages.length),
  );
  const killing = (async () => {
    for (const moment of kills) {
      while (acknowledged.length < moment) await sleep(1);
      await tidings.stop('SIGKILL');
      await expectNothingLost(database.pipeline, acknowledged);
      tidings = await startTidings(env);
    }
  })();
  await Promise.all([
    killing,
    sendStubbornly(
      world.messages.map(({ bytes }) => bytes),
      { port, connections: 32, onAcknowledged: (message) => acknowledged.push(message) },
    ),
  ]);

  expect(acknowledged.length).toBe(world.messages.length);
  await queueIsEmpty(database.pipeline);
  await tidings.stop();
  await expectNothingLost(database.pipeline, acknowledged);
  await finish(database.pipeline, world, directory);
  await expectTruth(database.pipeline, world, directory);
}, 180_000);

test('2,000 messages while the embedded database is killed with -9 twice: the process survives, and nothing acknowledged is lost', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-kill-')));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const [port, web] = [await freePort(), await freePort()];
  const tidings = await startTidings({
    TIDINGS_DATA_DIR: dataDir,
    PORT: String(web),
    MLLP_PORT: String(port),
    TIDINGS_ROLES: 'web,feed',
  });
  const [pid, , , databasePort] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
  const urls = await ensureRoles(`postgres://postgres:${password}@127.0.0.1:${databasePort}/tidings`);
  const open = (role: 'app' | 'pipeline') => openDatabase(urls[role], { applicationName: 'test of kill -9' });
  let database = { app: open('app'), pipeline: open('pipeline') };
  const world = makeWorld({ seed: 'kill the database', people: 540, visits: 640, ...PERIOD });
  expect(world.messages.length).toBeGreaterThanOrEqual(2000);
  const directory = await prepare(database, world);
  const acknowledged: Buffer[] = [];
  const postmaster = () => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  const killing = (async () => {
    let last = Number(pid);
    for (const part of [0.3, 0.7]) {
      while (acknowledged.length < part * world.messages.length) await sleep(1);
      while (postmaster() !== last) last = postmaster();
      process.kill(last, 'SIGKILL');
    }
    await vi.waitFor(() => expect(postmaster()).not.toBe(last), 30_000);
    // Backends of the killed server answer for a moment longer, until the new one ends them.
    await Promise.all([database.app.close(), database.pipeline.close()]);
    database = { app: open('app'), pipeline: open('pipeline') };
  })();
  await Promise.all([
    killing,
    sendStubbornly(
      world.messages.map(({ bytes }) => bytes),
      { port, connections: 8, onAcknowledged: (message) => acknowledged.push(message) },
    ),
  ]);
  await queueIsEmpty(database.pipeline);
  await expectNothingLost(database.pipeline, acknowledged);
  await finish(database.pipeline, world, directory);
  await expectTruth(database.pipeline, world, directory);
  await Promise.all([database.app.close(), database.pipeline.close()]);
  await tidings.stop();
}, 180_000);

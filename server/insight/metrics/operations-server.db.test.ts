/** The server for whoever runs the product, over real HTTP, with a real PostgreSQL behind it. */
import { Logger, run } from 'graphile-worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import { newMetrics } from '#server/platform/metrics/metrics.ts';
import { startApp } from '#server/testing/app.ts';
import { listenForOperations } from './operations-server.ts';
import { newScrape } from './scrape.ts';

const app = await startApp({ scrape: { contentType: 'text/plain; version=0.0.4', read: async () => 'up 1' } });
const metrics = newMetrics();
const NOW = new Date('2026-11-20T15:00:00.000Z');
let usesReplica: boolean | null = null;
let operations: Awaited<ReturnType<typeof listenForOperations>>;

beforeAll(async () => {
  const db = app.database.pipeline;
  const log = createLog('silent');
  const scrape = newScrape({
    metrics,
    db,
    read: () => ({
      mllpConnections: 3,
      searchesWaiting: 2,
      usesReplica,
      pools: { pipeline: db.pool },
    }),
    clock: () => NOW,
    log,
  });
  operations = await listenForOperations({
    host: '127.0.0.1',
    port: 0,
    scrape,
    db,
    usesReplica: () => usesReplica,
    log,
  });
});
afterAll(() => operations.close());

const get = async (path: string, init?: RequestInit) => {
  const response = await fetch(`http://127.0.0.1:${operations.port}${path}`, init);
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
};

/** Returns the samples of a scrape, by name and labels. */
const samplesOf = (body: string): Map<string, number> =>
  new Map(
    body
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

/** One look at the database answers for a second. */
const scrape = async () => {
  await new Promise((passed) => setTimeout(passed, 1100));
  return samplesOf((await get('/metrics')).body);
};

test('what waits is counted, with the age of the oldest', async () => {
  const { pipeline } = app.database;
  const store = (sender: number, at: string, status: string) =>
    pipeline.query(sql`
      insert into messages (received_at, source, digest, lane, status, sender)
      values (${at}, 'MLLP', sha256(${`${sender} ${at} ${status}`}::text::bytea), 1, ${status}, ${sender})`);
  await store(1, '2026-11-20T14:59:00.000Z', 'PENDING');
  await store(2, '2026-11-20T14:50:00.000Z', 'PENDING');
  await store(2, '2026-11-20T14:55:00.000Z', 'PENDING');
  await store(2, '2026-11-20T13:00:00.000Z', 'APPLIED');
  await store(2, '2026-11-20T13:00:00.000Z', 'QUARANTINED');
  const write = (channel: string, state: string, at: string) =>
    pipeline.query(sql`
      insert into outbox (channel, recipient, subject, body, created_at, state) values (${channel}, 'x', 'x', 'x', ${at}, ${state})`);
  await write('e-mail', 'queued', '2026-11-20T14:58:00.000Z');
  await write('e-mail', 'sent', '2026-11-20T12:00:00.000Z');
  await write('text', 'failed', '2026-11-20T12:00:00.000Z');
  await write('text', 'failed', '2026-11-18T12:00:00.000Z');
  const samples = await scrape();
  const all = Object.fromEntries([...samples].filter(([name]) => /_(pending|quarantined|deliveries|mllp)/.test(name)));
  expect(all).toEqual({
    tidings_messages_pending: 3,
    tidings_messages_pending_oldest_seconds: 600,
    tidings_messages_quarantined: 1,
    'tidings_deliveries_waiting{channel="e-mail"}': 1,
    'tidings_deliveries_waiting{channel="text"}': 0,
    'tidings_deliveries_oldest_seconds{channel="e-mail"}': 120,
    'tidings_deliveries_oldest_seconds{channel="text"}': 0,
    'tidings_deliveries_failed{channel="e-mail"}': 0,
    'tidings_deliveries_failed{channel="text"}': 1,
    tidings_mllp_connections: 3,
  });
  expect(samples.get('tidings_database_up')).toBe(1);
  expect(samples.get('tidings_searches_waiting')).toBe(2);
});

test('a task that a worker offers is counted as 0 while it has no job', async () => {
  const worker = await run({
    pgPool: app.database.pipeline.pool,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { 'water-the-plants': () => {} },
  });
  await worker.stop();
  const samples = await scrape();
  for (const gauge of ['due', 'oldest_seconds', 'failed'])
    expect([gauge, samples.get(`tidings_jobs_${gauge}{task="water-the-plants"}`)]).toEqual([gauge, 0]);
});

test('without its replica a process is ready, and says so', async () => {
  expect((await scrape()).has('tidings_replica_in_use')).toBe(false);
  for (const [isUsed, replica] of [
    [false, 'out of use'],
    [true, 'in use'],
  ] as const) {
    usesReplica = isUsed;
    expect(JSON.parse((await get('/readyz')).body)).toEqual({ status: 'ready', replica });
    expect((await scrape()).get('tidings_replica_in_use')).toBe(isUsed ? 1 : 0);
  }
  usesReplica = null;
});

test('what the process has done is counted and timed, by route and not by path', async () => {
  metrics.answers.observe({ method: 'GET', route: '/api/patients/:id', status: '200' }, 0.02);
  metrics.processed.inc({ status: 'APPLIED' }, 40);
  metrics.stored.observe(0.002);
  const samples = await scrape();
  expect(samples.get('tidings_http_answer_seconds_count{method="GET",route="/api/patients/:id",status="200"}')).toBe(1);
  expect(samples.get('tidings_messages_processed_total{status="APPLIED"}')).toBe(40);
  expect(samples.get('tidings_message_store_seconds_bucket{le="0.0025"}')).toBe(1);
});

test('a process says that it is alive and ready; nothing else is there, and nothing can be sent', async () => {
  expect(await get('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  expect(await get('/readyz')).toMatchObject({ status: 200, body: '{"status":"ready"}' });
  expect((await get('/metrics')).type).toContain('text/plain');
  for (const path of ['/', '/api/me', '/metrics/', '/metrics?x=1', '/__proto__', '/constructor'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  expect((await get('/metrics', { method: 'POST', body: 'x' })).status).toBe(404);
});

test('a demo, which is given them, shows its metrics beside its pages', async () => {
  const response = await fetch(`${app.url}/metrics`);
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/plain; version=0.0.4',
    'up 1',
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

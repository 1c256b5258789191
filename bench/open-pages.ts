/** Measures how soon 1,000 open pages hear of changes, 500 of them a second, each of one patient of one of 25 teams. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { logChanges } from '#server/platform/changes/change-log.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { sql } from '#server/platform/database/sql.ts';
import { note } from './figures.ts';
import { startServer } from './http/server-process.ts';
import { fillTeams, type Pinged, TEAMS } from './open-pages/region.ts';
import { quantile, table } from './table.ts';

const SECONDS = 20;
const CHANGES_PER_SECOND = 500;
/** Messages are processed in batches. */
const BATCH = 50;

/** Changes visits and their pings as a batch of messages does, in one transaction. */
const change = (db: Database, batch: readonly Pinged[]): Promise<void> =>
  db.transaction(async (tx) => {
    const personIds = batch.map(({ personId }) => personId);
    await tx.query(sql`update encounters set updated_at = now() where person_id = any (${personIds}::bigint[])`);
    const ofPing = ({ groupId, eventId }: Pinged) =>
      ({ kind: 'ping', change: 'amended', groupId, subjectId: eventId }) as const;
    await logChanges(tx, batch.map(ofPing), new Date());
  });

/** Returns how many changes were made. */
async function makeChanges(db: Database, pinged: readonly Pinged[], streams: Worker): Promise<number> {
  const start = performance.now();
  let made = 0;
  for (let seconds = 0; seconds < SECONDS; seconds = (performance.now() - start) / 1000) {
    if (seconds * CHANGES_PER_SECOND < made) {
      await sleep(5);
      continue;
    }
    const batch = Array.from({ length: BATCH }, (_, n) => pinged[((made + n) * 7919) % pinged.length] as Pinged);
    made += BATCH;
    streams.postMessage({ ids: batch.map(({ eventId }) => eventId), at: Date.now() });
    await change(db, batch);
  }
  return made;
}

/** Runs the bench and prints a table. */
export async function benchOpenPages(adminUrl: string, urls: RoleUrls): Promise<void> {
  const db = openDatabase(urls.pipeline, { max: 4 });
  const { pages, pinged } = await fillTeams(db);
  const owner = openDatabase(urls.owner, { max: 1 });
  await owner.query('analyze');
  await owner.close();
  const server = await startServer(adminUrl, urls);
  const { hostname: host, port } = new URL(server.url);
  const file = new URL('./open-pages/streams-thread.ts', import.meta.url);
  const streams = new Worker(file, { workerData: { host, port: Number(port), pages } });
  await once(streams, 'message');
  const made = await makeChanges(db, pinged, streams);
  await sleep(2000);
  streams.postMessage('report');
  const [waits] = (await once(streams, 'message')) as [number[]];
  const figure = { part: 'pages', unit: 'ms' };
  note({ ...figure, what: 'from a change to the page, p50', value: quantile(waits, 0.5) });
  note({ ...figure, what: 'from a change to the page, p99', value: quantile(waits, 0.99), bar: { most: 250 } });
  note({ part: 'pages', what: 'changes not heard', value: made - waits.length, unit: 'changes', bar: { most: 0 } });
  const ms = (part: number) => `${quantile(waits, part).toFixed(0)} ms`;
  const columns = ['pages', 'changes', 'p50', 'p99', 'max', 'not heard'];
  const line = [String(pages.length), String(made), ms(0.5), ms(0.99), ms(1), String(made - waits.length)];
  table(`From a change to an open page, ${TEAMS} teams, ${CHANGES_PER_SECOND} changes a second`, columns, [line]);
  await streams.terminate();
  await server.stop();
  await db.close();
}

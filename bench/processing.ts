/** Measures a region of many people: its rosters, its messages in the pipeline, and the resulting inbox. */
import { Readable } from 'node:stream';
import { searchParameters } from '#contract/search.ts';
import { createDirectory, idOf } from '#demo/directory.ts';
import { received } from '#demo/past.ts';
import { makeRegion } from '#demo/world/region.ts';
import { ROSTER_GROUPS } from '#demo/world/rosters.ts';
import { streamMessages, streamRoster, type WorldOptions } from '#demo/world/world.ts';
import { MessageQueue } from '#server/intake/messages/message-queue.ts';
import { MessageStore } from '#server/intake/messages/message-store.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { makePipeline } from '#server/pipeline.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { createLog } from '#server/platform/http/log.ts';
import { processUpload } from '#server/work/rosters/process.ts';
import { type ReceiveDeps, receiveUpload } from '#server/work/rosters/upload.ts';
import { search } from '#server/work/search/search.ts';
import { SearchPool } from '#server/work/search/search-threads.ts';
import { note } from './figures.ts';
import { quantile, table } from './table.ts';

const DAY = 86_400_000;
const WORKERS = 2;

async function timed<T>(work: () => Promise<T>): Promise<[T, seconds: number]> {
  const start = performance.now();
  const result = await work();
  return [result, (performance.now() - start) / 1000];
}

interface Bench {
  db: { app: Database; pipeline: Database };
  options: WorldOptions;
  region: ReturnType<typeof makeRegion>;
  directory: Awaited<ReturnType<typeof createDirectory>>;
  from: Date;
  to: Date;
}

/** Measures rosters, messages and the inbox for `people` people of the region and at most `limit` of a year's messages. */
export async function benchProcessing(
  db: Bench['db'],
  appUrl: string,
  { people, limit }: { people: number; limit: number },
): Promise<void> {
  const to = new Date('2026-11-20T00:00:00Z');
  const from = new Date(+to - 365 * DAY);
  const period = { from: from.toISOString(), to: to.toISOString() };
  const options: WorldOptions = { seed: 'bench', people, visits: people * 1.2, ...period };
  const region = makeRegion();
  const directory = await createDirectory(db.pipeline, region, from);
  await ensurePartitions(db.pipeline, to, from);
  const bench: Bench = { db, options, region, directory, from, to };
  const [rows, rosterSeconds] = await timed(() => uploadRosters(bench));
  const stored = await storeMessages(bench, limit);
  const [, seconds] = await timed(() => processMessages(bench));
  const inbox = await readInbox(bench, appUrl);
  const figure = { part: 'processing' };
  note({
    ...figure,
    what: 'roster rows applied and identified',
    value: rows / rosterSeconds,
    unit: 'rows/s',
    bar: { least: 8000 },
  });
  note({
    ...figure,
    what: `messages processed by ${WORKERS} workers`,
    value: stored / seconds,
    unit: 'messages/s',
    bar: { least: 1500 },
  });
  const rate = (count: number, took: number) => `${(count / took).toFixed(0)}/s`;
  const inSeconds = (took: number) => `${took.toFixed(1)} s`;
  table(
    `A region of ${people} people`,
    ['measurement', 'count', 'time', 'rate'],
    [
      ['roster rows applied and identified', String(rows), inSeconds(rosterSeconds), rate(rows, rosterSeconds)],
      [`messages processed (${WORKERS} workers)`, String(stored), inSeconds(seconds), rate(stored, seconds)],
      ['first page of a team, which loads its rows', '1', inSeconds(inbox.firstSeconds), ''],
      [
        `inbox page with filter panel, ${inbox.total} rows match`,
        '30',
        `p50 ${quantile(inbox.times, 0.5).toFixed(0)} ms`,
        `p99 ${quantile(inbox.times, 0.99).toFixed(0)} ms`,
      ],
    ],
  );
}

async function actorOf({ db, directory }: Bench, user: Bench['region']['users'][number], team: string) {
  const actor = await loadActor(db.app, idOf(directory.users, user.key), idOf(directory.teams, team));
  if (!actor) throw new Error(`${user.key} does not work in ${team}`);
  return actor;
}

function administratorOf(bench: Bench, group: string) {
  const { users, teams } = bench.region;
  for (const user of users)
    for (const { team, role } of user.grants)
      if (role === 'administrator' && teams.some(({ key, groups }) => key === team && groups.includes(group)))
        return actorOf(bench, user, team);
  throw new Error(`${group} has no administrator`);
}

/** Returns how many rows were uploaded. */
async function uploadRosters(bench: Bench): Promise<number> {
  const { db, options, directory, from } = bench;
  let rows = 0;
  async function* lines(group: (typeof ROSTER_GROUPS)[number]): AsyncGenerator<Buffer> {
    for (const line of streamRoster(options, group)) {
      rows += 1;
      yield Buffer.from(line);
    }
  }
  for (const group of ROSTER_GROUPS) {
    const file = { name: 'roster.csv', bytes: Readable.from(lines(group)), relationship: 'COVERAGE' as const };
    const actor = await administratorOf(bench, group);
    const asUploader: ReceiveDeps['asUploader'] = (fn) => asActor(db.app, actor, 'canUploadRoster', fn);
    const job = await receiveUpload({ asUploader, clock: () => from }, idOf(directory.groups, group), file);
    await processUpload(db.pipeline, job.jobId, { clock: () => from });
  }
  return rows;
}

/** Stores messages in batches, and returns how many. */
async function storeMessages({ db, options }: Bench, limit: number): Promise<number> {
  const store = new MessageStore(db.pipeline);
  let stored = 0;
  let batch: Promise<unknown>[] = [];
  for (const message of streamMessages(options)) {
    if (stored === limit) break;
    batch.push(store.receive(received(message)));
    stored += 1;
    if (batch.length < 2000) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
  return stored;
}

async function processMessages({ db, to }: Bench): Promise<void> {
  const clock = () => to;
  const log = createLog('warn');
  const queue = new MessageQueue({ database: db.pipeline, process: makePipeline(clock), log, clock });
  await Promise.all(Array.from({ length: WORKERS }, () => queue.drain()));
}

/** Loads the ACO team's inbox, and returns the milliseconds of each load after the first. */
async function readInbox(bench: Bench, url: string) {
  const { db, region, to: now } = bench;
  const team = region.teams.find(({ groups }) => groups.includes('lakeshore-aco'));
  const user = region.users.find(({ grants }) => grants.some((grant) => grant.team === team?.key));
  if (!team || !user) throw new Error('The ACO has no team with a user');
  const actor = await actorOf(bench, user, team.key);
  const parameters = searchParameters.parse({});
  const pool = new SearchPool({ url, log: createLog('info') });
  const ask = () => search({ db: db.app, pool }, { actor, context: 'PINGS', parameters, now, after: null });
  const [{ total }, firstSeconds] = await timed(ask);
  const times: number[] = [];
  for (let n = 0; n < 30; n += 1) times.push((await timed(ask))[1] * 1000);
  await pool.close();
  return { total, firstSeconds, times };
}

/** A region of many people: its rosters, its messages through the pipeline, and the inbox that comes of it. */
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
import { receiveUpload } from '#server/work/rosters/upload.ts';
import { search } from '#server/work/search/search.ts';
import { SearchPool } from '#server/work/search/search-threads.ts';
import { quantile, table } from './table.ts';

const DAY = 86_400_000;
const WORKERS = 2;

async function timed<T>(work: () => Promise<T>): Promise<[T, seconds: number]> {
  const start = performance.now();
  const result = await work();
  return [result, (performance.now() - start) / 1000];
}

/** `people` of the region, and as many of a year's messages as `limit` says. */
export async function benchProcessing(
  db: { app: Database; pipeline: Database },
  appUrl: string,
  { people, limit }: { people: number; limit: number },
): Promise<void> {
  const to = new Date('2026-11-20T00:00:00Z');
  const from = new Date(+to - 365 * DAY);
  const options: WorldOptions = {
    seed: 'bench',
    people,
    visits: people * 1.2,
    from: from.toISOString(),
    to: to.toISOString(),
  };
  const region = makeRegion();
  const directory = await createDirectory(db.pipeline, region, from);
  await ensurePartitions(db.pipeline, to, from);
  const actorOf = async (user: (typeof region.users)[number], team: string) => {
    const actor = await loadActor(db.app, idOf(directory.users, user.key), idOf(directory.teams, team));
    if (!actor) throw new Error(`${user.key} does not work in ${team}`);
    return actor;
  };
  const administratorOf = (group: string) => {
    for (const user of region.users)
      for (const { team, role } of user.grants)
        if (role === 'administrator' && region.teams.some(({ key, groups }) => key === team && groups.includes(group)))
          return actorOf(user, team);
    throw new Error(`${group} has no administrator`);
  };

  let rows = 0;
  const [, rosterSeconds] = await timed(async () => {
    for (const group of ROSTER_GROUPS) {
      const file = { name: 'roster.csv', bytes: Readable.from(lines(group)) };
      const actor = await administratorOf(group);
      const job = await asActor(db.app, actor, 'canUploadRoster', (tx) =>
        receiveUpload(tx, idOf(directory.groups, group), file, from),
      );
      await processUpload(db.pipeline, job.jobId, {
        clock: () => from,
      });
    }
  });
  async function* lines(group: (typeof ROSTER_GROUPS)[number]): AsyncGenerator<Buffer> {
    for (const line of streamRoster(options, group)) {
      rows += 1;
      yield Buffer.from(line);
    }
  }

  const store = new MessageStore(db.pipeline);
  let stored = 0;
  for (let batch: Promise<unknown>[] = []; ; ) {
    for (const message of streamMessages(options)) {
      if (stored === limit) break;
      batch.push(store.receive(received(message)));
      stored += 1;
      if (batch.length < 2000) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
    break;
  }
  const clock = () => to;
  const queue = new MessageQueue({
    database: db.pipeline,
    process: makePipeline(clock),
    log: createLog('warn'),
    clock,
  });
  const [, seconds] = await timed(() => Promise.all(Array.from({ length: WORKERS }, () => queue.drain())));

  const team = region.teams.find(({ groups }) => groups.includes('lakeshore-aco'));
  const user = region.users.find(({ grants }) => grants.some((grant) => grant.team === team?.key));
  if (!team || !user) throw new Error('Nobody looks after the ACO');
  const actor = await actorOf(user, team.key);
  const parameters = searchParameters.parse({});
  const pool = new SearchPool({ url: appUrl, log: createLog('info') });
  const ask = () => search({ db: db.app, pool }, { actor, context: 'PINGS', parameters, now: to, after: null });
  const [, firstSeconds] = await timed(ask);
  const times: number[] = [];
  let total = 0;
  for (let n = 0; n < 30; n += 1) {
    const [page, took] = await timed(ask);
    times.push(took * 1000);
    total = page.total;
  }
  await pool.close();
  table(
    `A region of ${people} people`,
    ['what', 'how many', 'took', 'rate'],
    [
      [
        'roster rows applied and identified',
        String(rows),
        `${rosterSeconds.toFixed(1)} s`,
        `${(rows / rosterSeconds).toFixed(0)}/s`,
      ],
      [
        `messages processed (${WORKERS} workers)`,
        String(stored),
        `${seconds.toFixed(1)} s`,
        `${(stored / seconds).toFixed(0)}/s`,
      ],
      ['first page of a team: its rows are loaded', '1', `${firstSeconds.toFixed(1)} s`, ''],
      [
        `inbox page with panel, ${total} rows match`,
        '30',
        `p50 ${quantile(times, 0.5).toFixed(0)} ms`,
        `p99 ${quantile(times, 0.99).toFixed(0)} ms`,
      ],
    ],
  );
}

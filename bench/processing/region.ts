/** The invented region in a database: its directory, who uploads its rosters, and its messages in the queue. */
import { createDirectory, idOf } from '#demo/directory.ts';
import { received } from '#demo/past.ts';
import type { WorldMessage } from '#demo/world/chapter.ts';
import { makeRegion } from '#demo/world/region.ts';
import type { WorldOptions } from '#demo/world/world.ts';
import { MessageQueue } from '#server/intake/messages/message-queue.ts';
import { MessageStore } from '#server/intake/messages/message-store.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { type Actor, loadActor } from '#server/people/access/actor.ts';
import { makePipeline } from '#server/pipeline.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { createLog } from '#server/platform/http/log.ts';
import type { Uploader } from './rosters.ts';

const DAY = 86_400_000;

export interface Region {
  db: { app: Database; pipeline: Database };
  region: ReturnType<typeof makeRegion>;
  directory: Awaited<ReturnType<typeof createDirectory>>;
  from: Date;
  to: Date;
}

/** Returns a year of so many people. The households of fewer people are the first of those of more. */
export function optionsOf(people: number): WorldOptions {
  const to = new Date('2026-11-20T00:00:00Z');
  const from = new Date(to.getTime() - 365 * DAY);
  return { seed: 'bench', people, visits: people * 1.2, from: from.toISOString(), to: to.toISOString() };
}

/** Creates the region's organizations and users, and the partitions of its messages. */
export async function openRegion(db: Region['db'], options: WorldOptions): Promise<Region> {
  const [from, to] = [new Date(options.from), new Date(options.to)];
  const region = makeRegion();
  const directory = await createDirectory(db.pipeline, region, from);
  await ensurePartitions(db.pipeline, to, from);
  return { db, region, directory, from, to };
}

export async function actorOf(
  { db, directory }: Region,
  user: Region['region']['users'][number],
  team: string,
): Promise<Actor> {
  const actor = await loadActor(db.app, idOf(directory.users, user.key), idOf(directory.teams, team));
  if (!actor) throw new Error(`${user.key} does not work in ${team}`);
  return actor;
}

/** Returns who uploads the rosters: an administrator of each group. */
export function uploaderOf(region: Region): Uploader {
  const { db, directory, from } = region;
  const { users, teams } = region.region;
  return {
    db,
    clock: () => from,
    groupId: (group) => idOf(directory.groups, group),
    actor: (group) => {
      for (const user of users)
        for (const { team, role } of user.grants)
          if (role === 'administrator' && teams.some(({ key, groups }) => key === team && groups.includes(group)))
            return actorOf(region, user, team);
      throw new Error(`${group} has no administrator`);
    },
  };
}

const AT_ONCE = 2000;

/** Stores at most so many messages, and returns how many. */
export async function storeMessages({ db }: Region, messages: Iterable<WorldMessage>, limit: number): Promise<number> {
  const store = new MessageStore(db.pipeline);
  let stored = 0;
  let batch: Promise<unknown>[] = [];
  for (const message of messages) {
    batch.push(store.receive(received(message)));
    stored += 1;
    if (stored === limit) break;
    if (batch.length < AT_ONCE) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
  return stored;
}

/** Processes all messages of the queue. */
export async function processMessages({ db, to }: Region, workers: number): Promise<void> {
  const clock = () => to;
  const log = createLog('warn');
  const queue = new MessageQueue({ database: db.pipeline, process: makePipeline(clock), log, clock });
  await Promise.all(Array.from({ length: workers }, () => queue.drain()));
}

/**
 * Runs a generated world through the real intake and compares the result with what the generator knows to be true. The generator shares
 * no code with our parser and fold.
 */
import { describe, expect, test } from 'vitest';
import { MessageQueue } from '#server/intake/messages/message-queue.ts';
import { MessageStore } from '#server/intake/messages/message-store.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import type { ReceivedMessage } from '#server/intake/messages/received-message.ts';
import { makePipeline } from '#server/pipeline.ts';
import { createLog } from '#server/platform/http/log.ts';
import { closeHangingVisits } from '#server/record/encounters/close-hanging.ts';
import { endListings } from '#server/record/listings/end-listings.ts';
import { type TestDatabase, testDatabase } from '#server/testing/database.ts';
import { differences, storedPings, storedVisits, truePings, trueVisits } from '#server/testing/truth.ts';
import { createDirectory, type DemoDirectory } from './directory.ts';
import { enteredByHand, received, uploadRosters } from './past.ts';
import { makeRandom } from './world/random.ts';
import { arrivals, makeWorld, type World } from './world/world.ts';

const DAY = 86_400_000;
const to = '2026-11-20T00:00:00.000Z';
const log = createLog('silent');

interface Live {
  world: World;
  database: TestDatabase;
  directory: DemoDirectory;
  store: MessageStore;
  queue: MessageQueue;
}

/** Creates a world's directory and uploads its rosters. `clock` is the queue's. */
async function begin(database: TestDatabase, world: World, clock: () => Date): Promise<Live> {
  const { pipeline } = database;
  const from = new Date(world.options.from);
  const directory = await createDirectory(pipeline, world.region, from);
  await ensurePartitions(pipeline, new Date(world.options.to), from);
  await uploadRosters(database, world, directory, from);
  const queue = new MessageQueue({ database: pipeline, process: makePipeline(clock), log, clock });
  return { world, database, directory, store: new MessageStore(pipeline), queue };
}

/** Stores everything first, then lets two workers process it concurrently, as the product does. */
async function processAll({ world, database, store, queue }: Live, messages: ReceivedMessage[]): Promise<void> {
  const end = new Date(world.options.to);
  let left = messages.length;
  await Promise.all(messages.map((message) => store.receive(message)));
  while (left > 0) {
    await Promise.all([queue.drain(), queue.drain()]);
    left = await closeHangingVisits(database.pipeline, store, end);
  }
}

/** Processes each message alone, at the time it was sent. */
async function processOneByOne(
  { world, database, store, queue }: Live,
  messages: ReceivedMessage[],
  clock: { at: Date },
) {
  const end = Date.parse(world.options.to);
  for (let day = Date.parse(world.options.from), next = 0; day < end; day += DAY) {
    for (; messages[next] && +(messages[next] as ReceivedMessage).receivedAt <= day + DAY; next += 1) {
      clock.at = (messages[next] as ReceivedMessage).receivedAt;
      await store.receive(messages[next] as ReceivedMessage);
      await queue.drain();
    }
    clock.at = new Date(Math.min(day + DAY, end));
    if ((await closeHangingVisits(database.pipeline, store, clock.at)) > 0) await queue.drain();
    await database.pipeline.transaction((tx) => endListings(tx, clock.at));
  }
}

const inOrder = (world: World, directory: DemoDirectory): ReceivedMessage[] =>
  [...world.messages.map(received), ...enteredByHand(world, directory)].sort((a, b) => +a.receivedAt - +b.receivedAt);

async function leftOver({ database }: Live) {
  const { rows } = await database.pipeline.query(
    "select status, reason, count(*)::int from messages where status in ('PENDING', 'QUARANTINED') group by 1, 2",
  );
  return rows;
}

const NOTHING = { missing: [], unexpected: [] };

describe.each([
  { arrival: 'in the order of sending', seed: null },
  { arrival: 'shuffled and doubled (one)', seed: 'one' },
  { arrival: 'shuffled and doubled (two)', seed: 'two' },
])('a world of 1,000 visits, two workers, $arrival', async ({ seed }) => {
  const database = await testDatabase();
  const world = makeWorld({ seed: 'truth', people: 850, visits: 1000, from: '2026-05-20T00:00:00.000Z', to });
  let live: Live;

  test('is processed, with nothing quarantined and nothing left pending', async () => {
    live = await begin(database, world, () => new Date(to));
    const entries = enteredByHand(world, live.directory);
    const messages =
      seed === null
        ? inOrder(world, live.directory)
        : makeRandom(seed).shuffle([
            ...arrivals(world, { seed, shuffle: true, duplicate: 0.2 }).map(received),
            ...entries,
          ]);
    expect(world.visits.length).toBeGreaterThan(950);
    await processAll(live, messages);
    expect(await leftOver(live)).toEqual([]);
  }, 180_000);

  test('ends with the state and the events that the generator knows for each visit', async () => {
    const found = await storedVisits(database.pipeline, live.directory);
    expect(differences(trueVisits(world), found)).toEqual(NOTHING);
  });

  test('sent each event once to each program that lists the person, and to no one else', async () => {
    const found = await storedPings(database.pipeline, live.directory, 'programs');
    expect(differences(truePings(world, 'programs'), found)).toEqual(NOTHING);
  });
});

test('a world of 300 visits, each message processed when it was sent, also notifies the facilities that list the person', async () => {
  const database = await testDatabase();
  const world = makeWorld({ seed: 'one by one', people: 260, visits: 300, from: '2026-05-20T00:00:00.000Z', to });
  const clock = { at: new Date(world.options.from) };
  const live = await begin(database, world, () => clock.at);
  await processOneByOne(live, inOrder(world, live.directory), clock);
  expect(await leftOver(live)).toEqual([]);
  expect(differences(trueVisits(world), await storedVisits(database.pipeline, live.directory))).toEqual(NOTHING);
  const found = await storedPings(database.pipeline, live.directory, 'all');
  expect(differences(truePings(world, 'all'), found)).toEqual(NOTHING);
}, 180_000);

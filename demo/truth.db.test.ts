/**
 * A generated world through the real intake, held against what its generator knows to be true: the generator shares no code with
 * our parser and fold.
 */
import { describe, expect, test } from 'vitest';
import { closeHangingVisits } from '#server/encounters/close-hanging.ts';
import { createLog } from '#server/http/log.ts';
import { ensurePartitions } from '#server/ingest/partitions.ts';
import { MessageQueue } from '#server/ingest/queue.ts';
import { MessageStore } from '#server/ingest/store.ts';
import { makePipeline } from '#server/pipeline.ts';
import { type TestDatabase, testDatabase } from '#server/testing/database.ts';
import { differences, storedPings, storedVisits, truePings, trueVisits } from '#server/testing/truth.ts';
import { createDirectory, type DemoDirectory } from './directory.ts';
import { enteredByHand, livePast, received, uploadRosters } from './past.ts';
import { makeRandom } from './world/random.ts';
import { arrivals, makeWorld } from './world/world.ts';

const world = makeWorld({
  seed: 'truth',
  people: 1700,
  visits: 2000,
  from: '2026-05-20T00:00:00.000Z',
  to: '2026-11-20T00:00:00.000Z',
});
const end = new Date(world.options.to);
const log = createLog('silent');

/** Two workers side by side, as in the process. */
async function processAll({ pipeline }: TestDatabase): Promise<void> {
  const queue = new MessageQueue({ database: pipeline, process: makePipeline(() => end), log, clock: () => end });
  await Promise.all([queue.drain(), queue.drain()]);
}

async function liveShuffled(database: TestDatabase, directory: DemoDirectory, seed: string): Promise<void> {
  const from = new Date(world.options.from);
  await ensurePartitions(database.pipeline, end, from);
  await uploadRosters(database, world, directory, from);
  const store = new MessageStore(database.pipeline);
  const messages = [
    ...arrivals(world, { seed, shuffle: true, duplicate: 0.2 }).map(received),
    ...enteredByHand(world, directory),
  ];
  await Promise.all(
    makeRandom(seed)
      .shuffle(messages)
      .map((message) => store.receive(message)),
  );
  await processAll(database);
  while ((await closeHangingVisits(database.pipeline, store, end)) > 0) await processAll(database);
}

describe.each([
  { arrival: 'in the order of sending', seed: null },
  { arrival: 'shuffled and doubled (one)', seed: 'one' },
  { arrival: 'shuffled and doubled (two)', seed: 'two' },
])('a world of 2,000 visits, $arrival', async ({ seed }) => {
  const database = await testDatabase();
  let directory: DemoDirectory;

  test('is processed: nothing fails, nothing is left', async () => {
    expect(world.visits.length).toBeGreaterThan(1800);
    directory = await createDirectory(database.pipeline, world.region, new Date(world.options.from));
    if (seed === null) await livePast({ ...database, log }, world, directory);
    else await liveShuffled(database, directory, seed);
    const { rows } = await database.pipeline.query(
      `select status, reason, count(*)::int as count from messages where status in ('PENDING', 'QUARANTINED') group by 1, 2`,
    );
    expect(rows).toEqual([]);
  }, 180_000);

  test('ends as the generator knows it: state and events of each visit', async () => {
    const found = await storedVisits(database.pipeline, directory);
    expect(differences(trueVisits(world), found)).toEqual({ missing: [], unexpected: [] });
  });

  test('has told each event to each group that lists the person, and to nobody else', async () => {
    const groups = seed === null ? 'all' : 'programs';
    const found = await storedPings(database.pipeline, directory, groups);
    expect(differences(truePings(world, groups), found)).toEqual({ missing: [], unexpected: [] });
  });
});

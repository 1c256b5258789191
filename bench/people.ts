/**
 * What a message costs in a region of few people, and of millions. The messages are always about the same people, whom every region has, so that only what
 * surrounds them grows: their rows in tables and indexes, and those who look like them.
 */
import { ROSTER_GROUPS, type RosterGroup } from '#demo/world/rosters.ts';
import { streamMessages, streamRoster, type WorldOptions } from '#demo/world/world.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { ensureRoles } from '#server/platform/database/roles.ts';
import { note } from './figures.ts';
import { openRegion, optionsOf, processMessages, storeMessages, uploaderOf } from './processing/region.ts';
import { upload } from './processing/rosters.ts';
import { between, ran } from './processor-time.ts';
import { median, table } from './table.ts';

const NAME = 'bench of people';
/** Measured in a round. The first round warms up. */
const MESSAGES = 2000;
const ROUNDS = 5;
const MOST_TIMES = 1.5;
const LINES = 500;

/** Yields the lines of a roster, some at a time: a file of a million is not kept. */
function* fileOf(options: WorldOptions, group: RosterGroup): Generator<Buffer> {
  let lines: string[] = [];
  for (const line of streamRoster(options, group)) {
    lines.push(line);
    if (lines.length < LINES) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  yield Buffer.from(lines.join(''));
}

/** Microseconds of processor time a message, seconds for the rosters, and the size of the database in bytes. */
interface Cost {
  message: number;
  rosters: number;
  size: number;
}

async function measure(adminUrl: string, people: number, fewest: number): Promise<Cost> {
  const urls = await ensureRoles(adminUrl, `bench_people_${people}`);
  await migrate(urls.owner);
  const db = {
    app: openDatabase(urls.app, { max: 2 }),
    pipeline: openDatabase(urls.pipeline, { max: 5, applicationName: NAME }),
  };
  const region = await openRegion(db, optionsOf(people));
  let rosters = 0;
  for (const group of ROSTER_GROUPS) {
    const { received, applied } = await upload(group, fileOf(optionsOf(people), group), uploaderOf(region));
    rosters += received + applied;
  }
  const messages = streamMessages(optionsOf(fewest));
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    // The rest of the generator stays for the next round.
    const some = { [Symbol.iterator]: () => ({ next: () => messages.next() }) };
    const count = await storeMessages(region, some, MESSAGES);
    const before = await ran(db.pipeline, NAME);
    await processMessages(region, 1);
    if (round > 0) rounds.push(between(before, await ran(db.pipeline, NAME)) / count);
  }
  const size = await db.pipeline.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  await Promise.all([db.app.close(), db.pipeline.close()]);
  return { message: median(rounds), rosters, size: size.rows[0]?.bytes ?? 0 };
}

/** Measures regions of so many people, each in a database of its own, and prints a table. */
export async function benchPeople(adminUrl: string, counts: readonly number[]): Promise<void> {
  const [fewest = 0] = counts;
  const costs: Cost[] = [];
  for (const people of counts) costs.push(await measure(adminUrl, people, fewest));
  const named = (people: number) => `with ${people.toLocaleString('en-US')} people`;
  for (const [index, { message }] of costs.entries()) {
    if (index === 0) continue;
    note({
      part: 'people',
      what: `a message processed, ${named(counts[index] ?? 0)}`,
      value: message,
      unit: 'µs',
      peer: { what: named(fewest), value: costs[0]?.message ?? 0 },
      bar: { most: MOST_TIMES },
    });
  }
  table(
    'Processor time for a message in regions of different sizes',
    ['people', 'message', 'rosters took', 'database'],
    costs.map(({ message, rosters, size }, index) => [
      (counts[index] ?? 0).toLocaleString('en-US'),
      `${message.toFixed(0)} µs`,
      `${rosters.toFixed(0)} s`,
      `${(size / 2 ** 30).toFixed(1)} GiB`,
    ]),
  );
}

/**
 * What a message costs to store, and to take from the queue and settle, when few messages and when millions are stored. Those are put in by SQL. Nothing
 * is read from the measured ones, so that no other work hides the cost. Costs are processor time of this process and of its connections' in PostgreSQL
 * (Linux), which other work on the machine changes little.
 */
import { DIGESTS_KEPT_DAYS, forgetDigests } from '#server/intake/messages/forget-digests.ts';
import { MessageQueue, type Process } from '#server/intake/messages/message-queue.ts';
import { MessageStore } from '#server/intake/messages/message-store.ts';
import { dropOldPartitions, ensurePartitions, MESSAGES_KEPT_DAYS } from '#server/intake/messages/partitions.ts';
import type { ReceivedMessage } from '#server/intake/messages/received-message.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import { note } from './figures.ts';
import { between, ran } from './processor-time.ts';
import { median, table } from './table.ts';

const DAY = 86_400_000;
const NAME = 'bench of growth';
/** So long ago that a whole month is past its retention. */
const DAYS = MESSAGES_KEPT_DAYS + 62;
const BYTES = 1000;
/** Measured in a round. */
const MESSAGES = 3000;
/** That wait for their acknowledgement at a time. */
const AT_ONCE = 32;
const ROUNDS = 5;
const MOST_TIMES = 1.5;

/** SQL: the digest of message number `n`, whose sender is one of fifty. */
const DIGEST = sql`substring(sha256(convert_to('F' || n % 50, 'UTF8')) for 4) || convert_to(rpad('B' || n, 20, ' '), 'UTF8') || sha256(convert_to(n::text, 'UTF8'))`;

/** Puts in messages from one number to another, evenly over five months, and their digests over thirteen. */
async function fill(owner: Database, { from, to, now }: { from: number; to: number; now: Date }): Promise<void> {
  await owner.query(sql`
    insert into messages (received_at, source, remote, raw, digest, lane, feed_id, control_id, message_type, sending_application, sending_facility,
      status, reason, attempts, processed_at, sender)
    select at, 'MLLP', '10.0.0.1:40000', convert_to(rpad('MSH|' || n, ${BYTES}::int, md5(n::text)), 'UTF8'), ${DIGEST}, n % 100000,
      n % 50, 'B' || n, 'ADT^A08', 'ADT', 'F' || n % 50, 'APPLIED', 'Created: admission', 1, at, n % 50
    from generate_series(${from}::int, ${to}::int - 1) as n, lateral (
      select ${now}::timestamptz - random() * ${DAYS}::int * interval '1 day' as at) as received`);
  await owner.query(sql`
    insert into message_digests (digest, message_id, received_at)
    select ${DIGEST}, n, ${now}::timestamptz - random() * ${DIGESTS_KEPT_DAYS}::int * interval '1 day' from generate_series(${from}::int, ${to}::int - 1) as n`);
  for (const filled of ['messages', 'message_digests']) await owner.query(`vacuum analyze ${filled}`);
}

let count = 0;

function message(receivedAt: Date): ReceivedMessage {
  const controlId = `G${++count}`;
  return {
    source: 'MLLP',
    raw: Buffer.alloc(BYTES, controlId),
    receivedAt,
    remote: '10.0.0.1:40000',
    sendingApplication: 'ADT',
    sendingFacility: 'MGH',
    controlId,
    messageType: 'ADT^A01',
    patientKey: controlId,
  };
}

const settle: Process = (_, messages) =>
  Promise.resolve(messages.map((each) => ({ ...each, status: 'APPLIED', reason: 'Created: admission' })));

/** Microseconds of processor time a message, and bytes of the write-ahead log. */
interface Cost {
  stored: number;
  settled: number;
  log: number;
}

async function measure(database: Database, now: Date): Promise<Cost> {
  const store = new MessageStore(database);
  const queue = new MessageQueue({ database, process: settle, log: createLog('warn'), clock: () => now });
  const logged = async () =>
    (await database.query<{ at: number }>("select (pg_current_wal_insert_lsn() - '0/0')::float8 as at")).rows[0]?.at ??
    0;
  const [before, start] = [await logged(), await ran(database, NAME)];
  for (let n = 0; n < MESSAGES; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => store.receive(message(now))));
  const stored = await ran(database, NAME);
  const done = await queue.drain();
  return {
    stored: between(start, stored) / done,
    settled: between(stored, await ran(database, NAME)) / done,
    log: ((await logged()) - before) / done,
  };
}

/** Runs the daily jobs, and returns in words how long they took. */
async function dailyJobs(database: Database, now: Date): Promise<string> {
  const start = performance.now();
  const months = await dropOldPartitions(database, now);
  const dropped = performance.now();
  await forgetDigests(database, new Date(now.getTime() + DAY));
  const seconds = (took: number) => `${(took / 1000).toFixed(1)} s`;
  return `Daily jobs: ${months.length} months dropped in ${seconds(dropped - start)}, a day of digests in ${seconds(performance.now() - dropped)}`;
}

/** Measures with each of these many messages stored, and prints a table. */
export async function benchGrowth(urls: RoleUrls, counts: readonly number[]): Promise<void> {
  const now = new Date();
  const [owner, database] = [
    openDatabase(urls.owner, { max: 1 }),
    openDatabase(urls.pipeline, { max: 3, applicationName: NAME }),
  ];
  await ensurePartitions(database, now, new Date(now.getTime() - DAYS * DAY));
  const costs: Cost[] = [];
  for (const [index, to] of counts.entries()) {
    await fill(owner, { from: counts[index - 1] ?? 0, to, now });
    await measure(database, now);
    const rounds: Cost[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(database, now));
    const of = (part: keyof Cost) => median(rounds.map((cost) => cost[part]));
    costs.push({ stored: of('stored'), settled: of('settled'), log: of('log') });
  }
  const size = await owner.query<{ bytes: number }>(sql`
    select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('messages')`);
  const jobs = await dailyJobs(database, now);
  await Promise.all([owner.close(), database.close()]);
  const named = (stored: number) => `with ${stored.toLocaleString('en-US')} stored`;
  const [first] = costs;
  for (const [index, cost] of costs.entries()) {
    if (first === undefined || cost === first) continue;
    for (const [part, what] of [
      ['stored', 'stored'],
      ['settled', 'taken from the queue and settled'],
    ] as const)
      note({
        part: 'growth',
        what: `a message ${what}, ${named(counts[index] ?? 0)}`,
        value: cost[part],
        unit: 'µs',
        peer: { what: named(counts[0] ?? 0), value: first[part] },
        bar: { most: MOST_TIMES },
      });
  }
  table(
    `Processor time for a message of ${BYTES} bytes with messages before it, which take ${((size.rows[0]?.bytes ?? 0) / 2 ** 30).toFixed(1)} GiB at the end`,
    ['messages', 'stored', 'settled', 'write-ahead log'],
    costs.map(({ stored, settled, log }, index) => [
      (counts[index] ?? 0).toLocaleString('en-US'),
      `${stored.toFixed(0)} µs`,
      `${settled.toFixed(0)} µs`,
      `${(log / 1024).toFixed(1)} kB`,
    ]),
  );
  process.stdout.write(`  ${jobs}\n`);
}

import { expect, test } from 'vitest';
import { describeMessage } from '#server/intake/mllp/describe-message.ts';
import { createLog } from '#server/platform/http/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { BY_INDEX, CLAIM } from './claim-messages.ts';
import { MessageQueue, type Process } from './message-queue.ts';
import { MessageStore } from './message-store.ts';
import { ensurePartitions } from './partitions.ts';
import { quarantine, recordStart } from './queries.ts';

const database = await testDatabase();
const { pipeline } = database;
const now = new Date('2026-11-20T15:00:00Z');
const clock = () => now;
await ensurePartitions(pipeline, now);
const store = new MessageStore(pipeline);
const receive = (controlId: string) =>
  store.receive(
    describeMessage(Buffer.from(`MSH|^~\\&|APP|FAC|||20261120||ADT^A01|${controlId}|P|2.5.1\r`), now, 'test'),
  );
const queueWith = (process: Process) =>
  new MessageQueue({ database: pipeline, process, log: createLog('silent'), clock });
const stateOf = async (id: string) =>
  (await pipeline.query('select status, attempts from messages where id = $1', [id])).rows[0];

test('a quarantine recorded late leaves alone a message that another worker has processed', async () => {
  const { id } = await receive('1');
  await queueWith(async (_, messages) =>
    messages.map((message) => ({ ...message, status: 'APPLIED', reason: 'Created: admission' })),
  ).drain();
  await quarantine(pipeline, id, { reason: 'Processing failed.', attempts: 3, now });
  expect(await stateOf(id)).toEqual({ status: 'APPLIED', attempts: 1 });
});

test('a transient failure, such as a deadlock, quarantines no message', async () => {
  const { id } = await receive('2');
  const deadlocked = queueWith(async () => {
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  });
  for (let n = 0; n < 3; n += 1) await expect(deadlocked.drain()).rejects.toThrow('deadlock detected');
  expect(await stateOf(id)).toEqual({ status: 'PENDING', attempts: 0 });
  const faulty = queueWith(async () => {
    throw new Error('an internal error');
  });
  await faulty.drain();
  expect(await stateOf(id)).toEqual({ status: 'QUARANTINED', attempts: 3 });
});

test('nor does one while resends are told apart', async () => {
  const { id } = await receive('17');
  await database.owner.query(`
    create function deadlock() returns trigger language plpgsql as $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$;
    create trigger deadlocks before insert on message_digests for each row execute function deadlock()`);
  const queue = queueWith(async (_, messages) =>
    messages.map((message) => ({ ...message, status: 'APPLIED', reason: '' })),
  );
  for (let n = 0; n < 4; n += 1) await expect(queue.drain()).rejects.toThrow('deadlock detected');
  await database.owner.query('drop trigger deadlocks on message_digests; drop function deadlock');
  await queue.drain();
  expect(await stateOf(id)).toEqual({ status: 'APPLIED', attempts: 1 });
});

test('messages that a process had started when it ended are processed one by one, before later ones', async () => {
  const stored = [await receive('7'), await receive('8'), await receive('9')].map(({ id }) => id);
  const [, second, third] = stored as [string, string, string];
  await recordStart(pipeline, [second, third], false);
  await recordStart(pipeline, [third], true);
  const batches: { ids: string[]; starts: number }[] = [];
  await queueWith(async (_, messages) => {
    // Another connection sees the start while the message is processed.
    const { rows } = await pipeline.query<{ alone: number }>(
      'select alone from started_messages where message_id = $1',
      [messages[0]?.id],
    );
    batches.push({ ids: messages.map(({ id }) => id), starts: rows[0]?.alone ?? -1 });
    return messages.map((message) => ({ ...message, status: 'APPLIED', reason: '' }));
  }).drain();
  expect(batches).toEqual([
    { ids: [stored[0]], starts: 0 },
    { ids: [second], starts: 1 },
    { ids: [third], starts: 2 },
  ]);
  expect((await pipeline.query('select from started_messages')).rows).toEqual([]);
});

test('a message that was started three times by itself is quarantined without a fourth start', async () => {
  const { id } = await receive('10');
  for (let n = 0; n < 3; n += 1) await recordStart(pipeline, [id], true);
  await queueWith(async () => {
    throw new Error('It must not be processed');
  }).drain();
  expect(await stateOf(id)).toEqual({ status: 'QUARANTINED', attempts: 3 });
});

test('messages that are long together are processed in several batches', async () => {
  const note = 'x'.repeat(12 * 1024 * 1024);
  for (const controlId of ['3', '4', '5', '6']) await receive(`${controlId}|${note}`);
  const sizes: number[] = [];
  await queueWith(async (_, messages) => {
    sizes.push(messages.length);
    return messages.map((message) => ({ ...message, status: 'APPLIED', reason: '' }));
  }).drain();
  expect(sizes).toEqual([3, 1]);
});

const planOfClaim = (): Promise<string> =>
  pipeline.transaction(
    async (tx) => {
      const values = { $1: '100', $2: '1000000', $3: "'0'" };
      const claim = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), CLAIM);
      const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`explain ${claim}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    },
    { settings: BY_INDEX },
  );

test('a claim reads no more of a long queue than it takes, although nothing is known of its size', async () => {
  const { owner } = database;
  await owner.query('alter table messages_waiting set (autovacuum_enabled = off)');
  await pipeline.query(`
    insert into messages (received_at, source, digest, lane, sender, status, raw)
    select '2026-11-20T15:00:00Z', 'MLLP', '', n, n % 2, 'PENDING', repeat('x', 1000)::bytea from generate_series(1, 5000) n`);
  const plan = await planOfClaim();
  await pipeline.query("delete from messages where status = 'PENDING'");
  expect(plan).toContain('Index Scan using messages_waiting_sender_id_idx');
  expect(plan).not.toContain('Bitmap');
});

test('a claim that was planned for an empty queue reads a long one by its index, and no settled message', async () => {
  await pipeline.query(`
    insert into messages (received_at, source, digest, lane, status)
    select '2026-11-20T15:00:00Z', 'MLLP', '', n, 'APPLIED' from generate_series(1, 20000) n`);
  const { owner } = database;
  await owner.query('analyze messages');
  const plan = await planOfClaim();
  expect(plan).toContain('Index Scan using messages_waiting_sender_id_idx');
  expect(plan).not.toMatch(/Seq Scan|messages_2026/);
});

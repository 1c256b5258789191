import pg from 'pg';
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { testDatabase } from '#server/testing/database.ts';
import { MessageStore } from './message-store.ts';
import { ensurePartitions } from './partitions.ts';
import type { ReceivedMessage } from './received-message.ts';

const database = await testDatabase();
const receivedAt = new Date('2026-11-20T15:00:00Z');
await ensurePartitions(database.pipeline, receivedAt);

const message = (controlId: string, bytes = 10): ReceivedMessage => ({
  source: 'MLLP',
  raw: Buffer.alloc(bytes, controlId),
  receivedAt,
  remote: null,
  sendingApplication: '',
  sendingFacility: '',
  controlId,
  messageType: '',
  patientKey: '',
});

/** Lets nothing be stored until the returned function is called. */
async function holdUp(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.urls.owner });
  await holder.connect();
  await holder.query('begin; lock table messages in share mode');
  return async () => {
    await holder.query('rollback');
    await holder.end();
  };
}

test('senders take turns, and the messages of each are stored in order', async () => {
  const store = new MessageStore(database.pipeline);
  const release = await holdUp();
  const order: string[] = [];
  const receive = (controlId: string, sender: string) =>
    store.receive(message(controlId), sender).then(() => order.push(controlId));
  const flood = Array.from({ length: 3000 }, (_, index) => receive(`F${index}`, 'flood'));
  await new Promise(setImmediate);
  const others = [receive('A1', 'a'), receive('A2', 'a'), receive('B1', 'b')];
  await release();
  await Promise.all([...flood, ...others]);
  const after = (controlId: string) => order.slice(order.indexOf(controlId)).length;
  // One transaction of 500 was on its way; the others are in the next.
  for (const controlId of ['A1', 'A2', 'B1']) expect(after(controlId)).toBeGreaterThan(2000);
  expect(order.filter((controlId) => controlId.startsWith('A'))).toEqual(['A1', 'A2']);
  expect(order.filter((controlId) => controlId.startsWith('F'))).toEqual(flood.map((_, index) => `F${index}`));
});

test('stores the same row for a message alone as for one among others', async () => {
  const store = new MessageStore(database.pipeline);
  const sent = {
    ...message('R1'),
    remote: '10.0.0.1:5',
    sendingFacility: 'MGH',
    messageType: 'ADT^A01',
    patientKey: 'P1',
    unreadable: 'Why',
  };
  const alone = await store.receive(sent);
  const [among] = await Promise.all([message('R0'), sent, message('R2')].map((each) => store.receive(each))).then(
    (all) => all.slice(1),
  );
  const { rows } = await database.pipeline.query<{ row: object }>(sql`
    select to_jsonb(m) - 'id' as row from messages m where id in (${alone.id}, ${among?.id}) order by id`);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual(rows[1]);
  expect(rows[0]?.row).toMatchObject({
    control_id: 'R1',
    remote: '10.0.0.1:5',
    reason: 'Why',
    status: 'PENDING',
    sender: 0,
  });
});

test('is full for the sender of many bytes or messages, and for no other', async () => {
  const store = new MessageStore(database.pipeline);
  const release = await holdUp();
  const bytes = [1, 2].map((n) => store.receive(message(`L${n}`, 9 * 1024 * 1024), 'large'));
  const small = Array.from({ length: 20_000 }, (_, n) => store.receive(message(`S${n}`, 1), 'small'));
  expect(['large', 'small', 'other'].map((sender) => store.isFull(sender))).toEqual([true, true, false]);
  await release();
  await Promise.all([...bytes, ...small]);
  await store.drained();
  expect(['large', 'small'].map((sender) => store.isFull(sender))).toEqual([false, false]);
});

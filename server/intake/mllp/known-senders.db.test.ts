import { expect, test } from 'vitest';
import { encodeFrame } from '#server/intake/hl7/frame.ts';
import { sql } from '#server/platform/database/sql.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { startIntake } from '#server/testing/intake.ts';
import { mllpClient } from '#server/testing/mllp-client.ts';
import { KnownSenders } from './known-senders.ts';

const database = await testDatabase();
let now = new Date('2026-11-20T15:00:00Z');
const clock = () => now;
const { listener, queue, senders } = await startIntake(database.pipeline, clock);
const make = factories(database.pipeline, clock);

let count = 0;
async function send(application: string): Promise<void> {
  const text = `MSH|^~\\&|${application}|HILL|||20261120100000||ADT^A01|K${++count}|P|2.5.1\rPID|1||7^^^HILL^MR||Ash^Ida\r`;
  const client = await mllpClient(listener.port);
  client.socket.write(encodeFrame(Buffer.from(text)));
  await client.acknowledgements(1);
  client.close();
}

const group = await make.group({ type: 'HOS' });
await make.feed({ group, application: 'LAB', identifier: 'HILL' });
const isKnown = async (address = '127.0.0.1'): Promise<boolean> => {
  await queue.drain();
  await senders.refresh();
  return senders.isKnown(address);
};

test('an address is known a week after its first message of a feed, also after a restart, for 30 days', async () => {
  await send('ELSEWHERE');
  expect(await isKnown()).toBe(false);

  await send('LAB');
  await senders.refresh();
  // Anyone can send one message that claims to be from a feed.
  expect(await isKnown()).toBe(false);
  await send('LAB');
  expect(await isKnown()).toBe(false);
  now = new Date('2026-11-26T15:00:00Z');
  await send('LAB');
  expect(await isKnown()).toBe(false);
  now = new Date('2026-11-27T15:00:01Z');
  expect(await isKnown()).toBe(false);
  await send('LAB');
  expect(await isKnown()).toBe(true);

  const restarted = new KnownSenders(database.pipeline, clock, null as never);
  await restarted.refresh();
  expect(restarted.isKnown('127.0.0.1')).toBe(true);
  expect(restarted.isKnown('127.0.0.2')).toBe(false);

  now = new Date('2026-12-28T15:00:00Z');
  await restarted.refresh();
  expect(restarted.isKnown('127.0.0.1')).toBe(false);
});

test('of the addresses that send messages of one feed for weeks, the first four are known', async () => {
  for (let n = 1; n <= 6; n++) {
    await database.pipeline.query(sql`
      insert into mllp_senders (feed_id, address, first_message_at, last_message_at)
      values ((select max(id) from feeds), ${`10.0.0.${n}`}, ${now}::timestamptz - ${20 - n} * interval '1 day', ${now})`);
  }
  await senders.refresh();
  expect([1, 2, 3, 4, 5, 6].filter((n) => senders.isKnown(`10.0.0.${n}`))).toEqual([1, 2, 3, 4]);
});

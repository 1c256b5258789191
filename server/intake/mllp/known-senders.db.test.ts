import { expect, test } from 'vitest';
import { encodeFrame } from '#server/intake/hl7/frame.ts';
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

test('an address is known once a message of a feed came from it, also after a restart, for 30 days', async () => {
  const group = await make.group({ type: 'HOS' });
  await make.feed({ group, application: 'LAB', identifier: 'HILL' });
  await send('ELSEWHERE');
  await queue.drain();
  await senders.refresh();
  expect(senders.isKnown('127.0.0.1')).toBe(false);

  await send('LAB');
  await senders.refresh();
  // Not processed yet, so no one knows which feed it belongs to.
  expect(senders.isKnown('127.0.0.1')).toBe(false);
  await queue.drain();
  await senders.refresh();
  expect(senders.isKnown('127.0.0.1')).toBe(true);

  const restarted = new KnownSenders(database.pipeline, clock, null as never);
  await restarted.refresh();
  expect(restarted.isKnown('127.0.0.1')).toBe(true);
  expect(restarted.isKnown('127.0.0.2')).toBe(false);

  now = new Date('2026-12-21T15:00:00Z');
  await restarted.refresh();
  expect(restarted.isKnown('127.0.0.1')).toBe(false);
});

/** What one sender has waiting doesn't delay another's messages. */
import { expect, test } from 'vitest';
import { describeMessage } from '#server/intake/mllp/describe-message.ts';
import { createLog } from '#server/platform/http/log.ts';
import { adt } from '#server/testing/hospital.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';
import { WAITING_SENDERS } from './claim-messages.ts';
import { MessageQueue, type Process } from './message-queue.ts';
import { recordStart } from './queries.ts';

const { database, clock, hosp, now, region } = await pipelineScene();
const { pipeline } = database;

/** Returns a queue that processes nothing, and the batches it was given: the record numbers of each. */
function observedQueue(meanwhile: (batch: number) => Promise<void> = async () => {}) {
  const batches: string[][] = [];
  const process: Process = async (_, messages) => {
    batches.push(messages.map(({ raw }) => /\rPID\|\|\|([^^]*)/.exec(raw.toString())?.[1] ?? ''));
    await meanwhile(batches.length);
    return messages.map((message) => ({ ...message, status: 'APPLIED', reason: '' }));
  };
  return { batches, queue: new MessageQueue({ database: pipeline, process, log: createLog('silent'), clock }) };
}

type Sender = Awaited<ReturnType<typeof region>>;

/** Receives messages of a sender about patients named `prefix`-1, -2 and so on. Returns their ids. */
async function receive(sender: Sender, prefix: string, count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, n) =>
    sender.message('A04', '202611200900', { record: `${prefix}-${n + 1}`, visit: `V-${n + 1}` }),
  );
  const stored = await Promise.all(
    texts.map((text) => hosp.store.receive(describeMessage(Buffer.from(text), now, 'test'))),
  );
  return stored.map(({ id }) => id);
}

const numbered = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${prefix}-${from + n}`);

test("with a thousand messages of one sender waiting, another's come next", async () => {
  const [flood, second, third] = [await region(), await region(), await region()];
  await receive(flood, 'FLOOD', 1000);
  await receive(second, 'SECOND', 2);
  const { batches, queue } = observedQueue(async (batch) => {
    if (batch === 4) await receive(third, 'THIRD', 1);
  });
  await queue.drain();
  expect(batches.slice(0, 2)).toContainEqual(['SECOND-1', 'SECOND-2']);
  expect(batches[4]).toEqual(['THIRD-1']);
  expect(batches.flat().filter((record) => record.startsWith('FLOOD'))).toEqual(numbered('FLOOD', 1, 1000));
});

test('senders that are unknown share one turn, and so do manual entries', async () => {
  const known = await region();
  await receive(known, 'KNOWN', 150);
  for (const n of numbered('', 1, 40)) {
    await hosp.receive(adt('A04', { at: '202611200900', record: `STRANGER${n}`, facility: `NOWHERE${n}` }));
  }
  const manual = (record: string) => ({
    source: 'MANUAL' as const,
    raw: Buffer.from(`\rPID|||${record}^`),
    receivedAt: now,
    remote: null,
    sendingApplication: 'TIDINGS',
    sendingFacility: known.facility,
    controlId: record,
    messageType: 'MANUAL^ADMIT',
    patientKey: record,
  });
  await hosp.store.receive(manual('ENTRY-1'));
  await hosp.store.receive(manual('ENTRY-2'));
  const { batches, queue } = observedQueue();
  await queue.drain();
  expect(batches.map((batch) => batch.length).toSorted((a, b) => a - b)).toEqual([2, 20, 20, 20, 130]);
  expect(batches.slice(0, 3)).toContainEqual(['ENTRY-1', 'ENTRY-2']);
});

test('a batch is as long as another sender may wait for, by the time that the messages before it took', async () => {
  const sender = await region();
  await receive(sender, 'SLOW', 210);
  let time = now.getTime();
  const sizes: number[] = [];
  const process: Process = async (_, messages) => {
    sizes.push(messages.length);
    time += messages.length * ([30, 60, 300, 2][sizes.length - 1] ?? 2);
    return messages.map((message) => ({ ...message, status: 'APPLIED', reason: '' }));
  };
  const log = createLog('silent');
  await new MessageQueue({ database: pipeline, process, log, clock: () => new Date(time) }).drain();
  expect(sizes).toEqual([20, 13, 10, 1, 166]);
});

test("a sender's message that another worker holds doesn't keep the queue from the other senders", async () => {
  const [held, other] = [await region(), await region()];
  await receive(held, 'HELD', 1);
  let release = (): void => {};
  const isHeld = new Promise<void>((started) => {
    const holding = observedQueue(() => {
      started();
      return new Promise((resolve) => void (release = resolve));
    });
    void holding.queue.drain();
  });
  await isHeld;
  await receive(other, 'OTHER', 1);
  const { batches, queue } = observedQueue();
  await queue.drain();
  expect(batches).toEqual([['OTHER-1']]);
  release();
  await expect.poll(() => queue.drain().then(async () => (await waiting()).length)).toBe(0);
});

const waiting = async () => (await pipeline.query("select from messages where status = 'PENDING'")).rows;

test('while a sender’s messages that ended the thread are tried one by one, other senders take turns with them', async () => {
  const [bad, other] = [await region(), await region()];
  const started = await receive(bad, 'BAD', 3);
  await receive(other, 'OTHER', 1);
  await recordStart(pipeline, started, false);
  const { batches, queue } = observedQueue(async (batch) => {
    if (batch < 4) await receive(other, `LATER${batch}`, 1);
  });
  await queue.drain();
  expect(batches).toEqual([['OTHER-1'], ['BAD-1'], ['LATER1-1', 'LATER2-1'], ['BAD-2'], ['LATER3-1'], ['BAD-3']]);
});

test('a batch that fails is tried one by one without the messages of other senders', async () => {
  const [bad, other] = [await region(), await region()];
  const failing = await receive(bad, 'BAD', 2);
  const [fine = ''] = await receive(other, 'OTHER', 1);
  const process: Process = async (_, messages) => {
    if (messages.some(({ id }) => id === failing[0])) throw new Error('an internal error');
    return messages.map((message) => ({ ...message, status: 'APPLIED', reason: '' }));
  };
  await new MessageQueue({ database: pipeline, process, log: createLog('silent'), clock }).drain();
  const { rows } = await pipeline.query('select id, status, attempts from messages where id = any ($1) order by id', [
    [...failing, fine],
  ]);
  expect(rows).toEqual([
    { id: failing[0], status: 'QUARANTINED', attempts: 3 },
    { id: failing[1], status: 'APPLIED', attempts: 1 },
    { id: fine, status: 'APPLIED', attempts: 1 },
  ]);
});

test('the senders that wait are found without reading all of their messages', async () => {
  await pipeline.query(`
    insert into messages (received_at, source, digest, lane, sender, status)
    select '2026-11-20T15:00:00Z', 'MLLP', '', n, 900000 + n % 3, 'PENDING' from generate_series(1, 20000) n`);
  const { rows } = await pipeline.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, timing off) ${WAITING_SENDERS.replace('$1', "'0'")}`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const read = [...plan.matchAll(/actual rows=([\d.]+)/g)].map(([, count]) => Number(count));
  expect(Math.max(...read)).toBeLessThan(10);
});

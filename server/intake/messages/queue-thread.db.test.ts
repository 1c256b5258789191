/** Messages that hold up or end the thread that processes them. The thread is a real one, with a faulty pipeline. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#server/platform/http/log.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';
import { QueueThread } from './queue-thread.ts';

const { database, hosp, region } = await pipelineScene();

/** The limit in these tests: long enough for a busy machine to take its turns. In milliseconds. */
const STANDSTILL = 3000;

let thread: QueueThread;

async function startThread(): Promise<QueueThread> {
  thread = new QueueThread({
    file: new URL('../../testing/faulty-pipeline-thread.ts', import.meta.url),
    url: database.urls.pipeline,
    database: database.pipeline,
    log: createLog('silent'),
    clock: () => new Date(),
    longestStandstill: STANDSTILL,
  });
  await thread.start();
  return thread;
}

afterEach(() => thread.stop());

async function allProcessed(): Promise<void> {
  for (;;) {
    const { rows } = await database.pipeline.query("select from messages where status = 'PENDING' limit 1");
    if (rows.length === 0) return;
    await sleep(50);
  }
}

/** Stores an admission of each control id, then later messages about the same patient, and returns the ids. */
async function receiveAround(controlId: string) {
  const { message, program } = await region();
  const [before, bad, after, last] = [
    await hosp.receive(message('A01', '202611200900')),
    await hosp.receive(message('A08', '202611200910', { controlId })),
    await hosp.receive(message('A02', '202611200930', { unit: 'ICU' })),
    await hosp.receive(message('A03', '202611201000')),
  ] as [string, string, string, string];
  return { before, bad, after, last, program };
}

const startsLeft = async () => (await database.pipeline.query('select from started_messages')).rows.length;

test('a message that never ends is quarantined by name, and all others are applied in order', async () => {
  const { bad, before, after, last, program } = await receiveAround('SPIN-1');
  await startThread();
  await allProcessed();
  expect(await hosp.message(bad)).toMatchObject({
    status: 'QUARANTINED',
    reason: expect.stringMatching(/^Processing took longer than 3 seconds and was stopped\./),
  });
  for (const id of [before, after, last]) expect(await hosp.message(id)).toMatchObject({ status: 'APPLIED' });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'TRANSFER ACTIVE', 'DISCHARGE ACTIVE current']);
  expect(await startsLeft()).toBe(0);
});

test('a message that ends its thread is started three times by itself, then quarantined; all others are applied', async () => {
  const { bad, before, after, last, program } = await receiveAround('DIE-1');
  await startThread();
  await allProcessed();
  expect(await hosp.message(bad)).toMatchObject({
    status: 'QUARANTINED',
    reason: expect.stringMatching(/^Processing started 3 times and never ended/),
  });
  for (const id of [before, after, last]) expect(await hosp.message(id)).toMatchObject({ status: 'APPLIED' });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'TRANSFER ACTIVE', 'DISCHARGE ACTIVE current']);
  expect(await startsLeft()).toBe(0);
});

test('a message that was quarantined can be replayed after the cause is fixed', async () => {
  const { bad } = await receiveAround('SPIN-2');
  await startThread();
  await allProcessed();
  await thread.stop();
  await database.pipeline.query("update messages set status = 'PENDING', reason = '', attempts = 0 where id = $1", [
    bad,
  ]);
  await hosp.queue.drain();
  expect(await hosp.message(bad)).toMatchObject({ status: 'APPLIED' });
});

test('a thread that is asked to stop ends its batch first', async () => {
  const { message } = await region();
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) ids.push(await hosp.receive(message('A08', '202611200910', { record: `MR-${n}` })));
  await startThread();
  thread.wake();
  await thread.stop();
  const { rows } = await database.pipeline.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from messages where id = any ($1::bigint[]) group by status',
    [ids],
  );
  expect(rows).toHaveLength(1);
  expect(await startsLeft()).toBe(0);
});

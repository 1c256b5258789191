import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';
import { quarantine } from './queries.ts';

const { database, hosp, now, region, reprocess } = await pipelineScene();
const { pipeline } = database;

/** The line end after the last segment isn't stored. */
const stored = (text: string) => Buffer.from(text.trimEnd());

/** Returns what became of the messages with these bytes, in the order in which they came. */
async function fates(text: string): Promise<string[]> {
  const { rows } = await pipeline.query<{ status: string }>(sql`
    select status from messages where digest in (
      select digest from messages where raw = ${stored(text)}) order by id`);
  return rows.map(({ status }) => status);
}

test('a resend is a duplicate in the batch of the first message and in later ones', async () => {
  const { message, facility } = await region();
  const text = message('A01', '202611200900');
  const id = await hosp.receive(text, text, text);
  expect(await fates(text)).toEqual(['PENDING', 'PENDING', 'PENDING']);
  expect(await hosp.store.isResend({ id })).toBe(true);
  await hosp.queue.drain();
  await hosp.send(text);
  expect(await fates(text)).toEqual(['APPLIED', 'DUPLICATE', 'DUPLICATE', 'DUPLICATE']);
  const { rows } = await pipeline.query(sql`select from messages where raw = ${stored(text)}`);
  expect(rows).toHaveLength(1);
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE']);
});

test('a message that is processed again is no duplicate of itself, and a resend after that is one', async () => {
  const { message } = await region();
  const text = message('A01', '202611200900');
  const id = await hosp.send(text);
  await reprocess(id);
  expect(await hosp.store.isResend({ id })).toBe(false);
  await hosp.send(text);
  expect(await fates(text)).toEqual(['APPLIED', 'DUPLICATE']);
});

test('a resend of a message that ended in quarantine is a duplicate, whether it was processed or not', async () => {
  const { message } = await region();
  const [failing, unreadable] = [message('A01', '202611200900'), `PID|||${randomUUID()}`];
  const id = await hosp.receive(failing);
  await quarantine(pipeline, id, { reason: 'Processing failed.', attempts: 3, now });
  await hosp.send(failing, unreadable, unreadable);
  expect([await fates(failing), await fates(unreadable)]).toEqual([
    ['QUARANTINED', 'DUPLICATE'],
    ['QUARANTINED', 'DUPLICATE'],
  ]);
});

test('a resend of a message from before digests were ordered is a duplicate', async () => {
  const { message } = await region();
  const text = message('A01', '202611200900');
  const id = await hosp.send(text);
  await pipeline.query(sql`
    update message_digests set digest = substring(digest from octet_length(digest) - 31) where message_id = ${id}`);
  await hosp.send(text);
  expect(await fates(text)).toEqual(['APPLIED', 'DUPLICATE']);
});

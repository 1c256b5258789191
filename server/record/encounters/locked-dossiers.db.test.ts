import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ClaimedMessage, claimMessages, sendersInTurn } from '#server/intake/messages/claim-messages.ts';
import { settleMessages } from '#server/intake/messages/queries.ts';
import { makePipeline } from '#server/pipeline.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { clock, database, hosp, now, region } = await pipelineScene();

/** Claims a message that no other transaction processes. */
async function claimNext(tx: Transaction): Promise<ClaimedMessage[]> {
  for (const sender of await sendersInTurn(tx, '0')) {
    const messages = await claimMessages(tx, sender, 1);
    if (messages.length > 0) return messages;
  }
  throw new Error('No message to process');
}

/** Processes the next message, and calls `beforeCommit` in its transaction. */
const processNext = (beforeCommit: () => Promise<void> = async () => {}): Promise<void> =>
  database.pipeline.transaction(async (tx) => {
    const outcomes = await makePipeline(clock)(tx, await claimNext(tx));
    await settleMessages(tx, outcomes, now);
    await beforeCommit();
  });

const isWaiting = async (): Promise<boolean> => {
  const { rowCount } = await database.pipeline.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount > 0;
};

test('an update of a patient who is merged at the same moment is applied', async () => {
  const { facility, code, message } = await region();
  // The hospital sends updates under another name, in a lane of its own.
  const lane = `L-${randomUUID().slice(0, 8)}`;
  const { rows: groups } = await database.pipeline.query<{ owner: string }>(
    'select organization_id as owner from groups where id = $1',
    [facility],
  );
  await hosp.feed(groups[0]?.owner ?? '', { [lane]: facility });
  await hosp.send(
    message('A01', '202611200900'),
    message('A01', '202611200930', { record: 'MR-2', visit: 'V-2', admitted: '202611200930' }),
  );
  await hosp.receive(message('A40', '202611200940', { priorRecord: 'MR-2' }));
  let update: Promise<void> = Promise.resolve();
  let id = '';
  await processNext(async () => {
    const sent = { record: 'MR-2', visit: 'V-2', facility: lane, authority: code };
    id = await hosp.receive(message('A08', '202611200941', sent));
    update = processNext();
    await expect.poll(isWaiting).toBe(true);
  });
  await update;
  expect(await hosp.message(id)).toMatchObject({ status: 'APPLIED' });
  const { rows } = await database.pipeline.query(
    'select distinct dossier_id from source_patients where group_id = $1',
    [facility],
  );
  expect(rows).toHaveLength(1);
});

/** Which dossiers a record number joins: of one feed, at the same moment, and up to a limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { claimMessages, sendersInTurn } from '#server/intake/messages/claim-messages.ts';
import { settleMessages } from '#server/intake/messages/queries.ts';
import { makePipeline } from '#server/pipeline.ts';
import { hospital } from '#server/testing/hospital.ts';
import { hospitalSystems } from '#server/testing/hospital-systems.ts';
import { ARRIVAL_ORDERS } from '#server/testing/pipeline-scene.ts';

const { clock, database, hosp, make, now, system } = await hospitalSystems();

test('a merge and the first message under the new number at the other hospital, processed concurrently, give one stay', async () => {
  for (const isMergeFirst of [true, false]) {
    const { message, there, stays, code } = await system();
    // Without MSH-4 in the feed, the second hospital can send under its own name, in another lane of the queue.
    const setSender = (from: string | null, to: string | null) =>
      database.pipeline.query(
        `update feeds set sending_facility = $2 where sending_facility is not distinct from $1
         and id = (select feed_id from feed_facilities where identifier = $3)`,
        [from, to, code],
      );
    await setSender(code, null);
    const worker = hospital(database, clock, make);
    const own = { ...there, visit: 'V-2', facility: there.placedAt ?? '' };
    await hosp.send(
      message('A01', '202611200830'),
      message('A01', '202611200900', { ...own, record: 'MR-2', person: undefined }),
    );
    const pair = [message('A40', '202611200910', { priorRecord: 'MR-2' }), message('A08', '202611200920', own)];
    const [first = '', second = ''] = isMergeFirst ? pair : pair.toReversed();
    await hosp.receive(first);
    let drained: Promise<number> = Promise.resolve(0);
    await database.pipeline.transaction(async (tx) => {
      const [sender = ''] = await sendersInTurn(tx, '0');
      const claimed = await claimMessages(tx, sender, 1);
      const outcomes = await makePipeline(clock)(tx, claimed);
      await hosp.receive(second);
      drained = worker.queue.drain();
      await Promise.race([drained, sleep(300)]);
      await settleMessages(tx, outcomes, now);
    });
    await drained;
    await hosp.queue.drain();
    await setSender(null, code);
    expect(await stays()).toEqual([{ record: 'MR-1', visit: 'V-2', status: 'IN_PROGRESS', isSurvivors: true }]);
  }
});

test('record numbers of one authority in two feeds have nothing to do with each other', async () => {
  const [one, two] = [await system(), await system()];
  await hosp.send(
    two.message('A01', '202611200900', { ...two.there, record: 'MR-2', visit: 'V-2', person: undefined }),
    one.message('A40', '202611200910', { priorRecord: 'MR-2', person: undefined }),
  );
  expect(await two.stays()).toMatchObject([{ record: 'MR-2' }]);
});

test('a facility’s patient whose number has never had the authority is left alone', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { message, there, stays } = await system();
    const bare = { ...there, authority: '', person: undefined };
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', { ...there, record: 'MR-2', visit: 'V-2', person: undefined, controlId: '1' }),
        message('A01', '202611200905', { ...bare, record: 'MR-1', visit: 'V-3', controlId: '2' }),
        message('A40', '202611200910', { priorRecord: 'MR-2', controlId: '3' }),
      ]),
    );
    expect(await stays()).toMatchObject([
      { record: 'MR-2', visit: 'V-2', isSurvivors: false },
      { record: 'MR-1', visit: 'V-3', isSurvivors: false },
    ]);
  }
});

test('a number with very many messages is not joined over the facilities', async () => {
  const { message, there, stays, facility } = await system();
  await hosp.send(message('A01', '202611200830'), message('A08', '202611200840'));
  await database.pipeline.query(
    `insert into facts (source_patient_id, message_id, ordinal, adt, received_at)
     select f.source_patient_id, -n, 0, f.adt || jsonb_build_object('contentHash', n::text), f.received_at
     from facts f join source_patients s on s.id = f.source_patient_id, generate_series(1, 10000) as n
     where s.group_id = $1 and f.adt ->> 'trigger' = 'A08'`,
    [facility],
  );
  await hosp.send(message('A01', '202611200900', { ...there, visit: 'V-2' }));
  expect(await stays()).toMatchObject([{ record: 'MR-1', visit: 'V-2' }]);
  const { rows } = await database.pipeline.query(
    `select count(distinct dossier_id)::int as dossiers from source_patients where group_id in (
       select group_id from feed_facilities where feed_id = (select feed_id from feed_facilities where group_id = $1))`,
    [facility],
  );
  expect(rows).toEqual([{ dossiers: 2 }]);
});

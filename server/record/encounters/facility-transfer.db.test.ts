import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { claimMessages, sendersInTurn } from '#server/intake/messages/claim-messages.ts';
import { settleMessages } from '#server/intake/messages/queries.ts';
import { makePipeline } from '#server/pipeline.ts';
import { pingsBeforeAndAfterSync, wrongCopies } from '#server/testing/copies.ts';
import { hospital } from '#server/testing/hospital.ts';
import { ARRIVAL_ORDERS, newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';

const { clock, database, hosp, make, now, region } = await pipelineScene();

/** Two hospitals with one feed. `second` places a message at the second hospital. */
async function sisters() {
  const where = await region();
  const other = await make.group({ type: 'HOS', facilityType: 'HOS' });
  const code = `S-${randomUUID().slice(0, 8)}`;
  await database.pipeline.query(
    `insert into feed_facilities (feed_id, identifier, group_id) select feed_id, $1, $2 from feed_facilities where group_id = $3`,
    [code, other.id, where.facility],
  );
  const stays = async () =>
    (
      await database.pipeline.query(
        `select group_id = $2 as "isSecond", status, admitted_at as "admittedAt", discharged_at as "dischargedAt",
           state ->> 'disposition' as disposition, (state ->> 'transferredTo')::bigint = $2 as "toSecond"
         from encounters where group_id in ($1, $2) and status <> 'CANCELLED' order by group_id`,
        [where.facility, other.id],
      )
    ).rows;
  return { ...where, other: other.id, second: { placedAt: code }, stays };
}

for (const [how, record, numbers] of [
  ['under the same record number', 'MR-1', {}],
  ['under a record number of its own', 'MR-9', {}],
  ['under the same record and account number, without a visit number', 'MR-1', { visit: '', account: 'A-701' }],
  ['under an account number and a record number of its own', 'MR-9', { visit: '', account: 'A-701' }],
] as const) {
  test(`a transfer to a sister facility ${how} ends the first stay and begins a second, in any order of arrival`, async () => {
    for (const inOrder of ARRIVAL_ORDERS) {
      const { facility, other, program, second, message, stays } = await sisters();
      const there = { ...second, ...numbers, record };
      await hosp.send(
        ...inOrder([
          message('A01', '202611200900', { ...numbers, controlId: '1' }),
          message('A02', '202611200930', { ...there, controlId: '2' }),
          message('A08', '202611200940', { ...there, controlId: '3' }),
        ]),
      );
      const [began, moved] = ['2026-11-20T14:00:00.000Z', '2026-11-20T14:30:00.000Z'];
      expect(await stays()).toEqual([
        {
          isSecond: false,
          status: 'FINISHED',
          admittedAt: began,
          dischargedAt: moved,
          disposition: '02',
          toSecond: true,
        },
        {
          isSecond: true,
          status: 'IN_PROGRESS',
          admittedAt: moved,
          dischargedAt: null,
          disposition: null,
          toSecond: null,
        },
      ]);
      const codesOf = async (groupId: string) =>
        (await hosp.events(groupId))
          .filter((event) => !event.endsWith('CANCELLED'))
          .map((event) => event.split(' ')[0]);
      expect(await codesOf(facility)).toEqual(['ADMIT', 'DISCHARGE']);
      expect(await codesOf(other)).toEqual(['ADMIT']);
      expect((await hosp.pings(program)).filter((ping) => !ping.includes('CANCELLED'))).toHaveLength(3);
    }
  });
}

test('a canceled transfer to a sister facility leaves one stay, at the first facility', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { second, message, stays, other } = await sisters();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', { controlId: '1' }),
        message('A02', '202611200930', { ...second, controlId: '2' }),
        message('A12', '202611200930', { sentAt: '202611200940', controlId: '3' }),
      ]),
    );
    expect(await stays()).toMatchObject([{ isSecond: false, status: 'IN_PROGRESS', dischargedAt: null }]);
    expect((await hosp.events(other)).filter((event) => !event.endsWith('CANCELLED'))).toEqual([]);
  }
});

test('a patient who is transferred back and then discharged was at the first facility twice', async () => {
  const { facility, other, second, message, stays } = await sisters();
  await hosp.send(
    message('A01', '202611200900'),
    message('A02', '202611200910', second),
    message('A02', '202611200920'),
    message('A03', '202611200930', { discharged: '202611200930', disposition: '01' }),
  );
  const codes = async (groupId: string) => (await hosp.events(groupId)).map((event) => event.split(' ')[0]);
  expect(await codes(facility)).toEqual(['ADMIT', 'DISCHARGE', 'ADMIT', 'DISCHARGE']);
  expect(await codes(other)).toEqual(['ADMIT', 'DISCHARGE']);
  expect(await stays()).toMatchObject([{ status: 'FINISHED', disposition: '01' }, { status: 'FINISHED' }]);
});

test('another patient’s equal visit number at a sister facility is another stay', async () => {
  const { second, message, stays } = await sisters();
  await hosp.send(
    message('A01', '202611200900'),
    message('A02', '202611200930', { ...second, record: 'MR-9', person: newPerson() }),
  );
  expect(await stays()).toMatchObject([{ status: 'IN_PROGRESS' }, { status: 'IN_PROGRESS' }]);
});

test('an admission and a transfer to a sister facility that are processed concurrently see each other', async () => {
  const { second, message, stays, code } = await sisters();
  // Without MSH-4 in the feed, the second hospital can send under its own name, in another lane of the queue.
  await database.pipeline.query(
    'update feeds set sending_facility = null where id = (select feed_id from feed_facilities where identifier = $1)',
    [code],
  );
  const workers = [hosp, hospital(database, clock, make)];
  await hosp.receive(message('A01', '202611200900'));
  let drained: Promise<number> = Promise.resolve(0);
  await database.pipeline.transaction(async (tx) => {
    const [sender = ''] = await sendersInTurn(tx, '0');
    const [claimed] = await claimMessages(tx, sender, 1);
    if (!claimed) throw new Error('No message to process');
    const outcomes = await makePipeline(clock)(tx, [claimed]);
    await hosp.receive(message('A02', '202611200930', { ...second, facility: second.placedAt, authority: code }));
    drained = workers[1]?.queue.drain() ?? drained;
    await Promise.race([drained, sleep(300)]);
    await settleMessages(tx, outcomes, now);
  });
  await drained;
  await hosp.queue.drain();
  await database.pipeline.query('update feeds set sending_facility = $1 where sending_facility is null', [code]);
  expect(await stays()).toMatchObject([{ status: 'FINISHED' }, { status: 'IN_PROGRESS' }]);
});

test('after all of that, each copied reference is the one that was copied', async () => {
  expect(await wrongCopies(database.pipeline)).toEqual([]);
});

test('after all of that, each ping is in line with its event, also those of visits that were new', async () => {
  const [before, after] = await pingsBeforeAndAfterSync(database.pipeline, now);
  expect(before).not.toEqual([]);
  expect(after).toEqual(before);
});

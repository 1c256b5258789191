import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { identifyAll } from '#server/record/matching/identify.ts';
import { relink } from '#server/record/matching/relink.ts';
import { resendMoved, sendOpenVisits } from '#server/record/pings/notify.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, now, region } = await pipelineScene();

test('adding a person to a roster during a stay sends one ping, of the newest event', async () => {
  const { program, person, message } = await region({ isListed: false });
  await hosp.send(message('A01', '202611200900'), message('A02', '202611200930', { unit: 'ICU' }));
  await hosp.list(program, person);
  expect(await hosp.pings(program)).toEqual(['TRANSFER ACTIVE current']);
});

test('a listing that moves to another person is sent what arrived about that person since it began, as if the stay had moved', async () => {
  const { facility, program, person, message } = await region({ isListed: false });
  const id = await hosp.list(program, { ...person, birthDate: '1922-01-28' });
  await hosp.send(message('A01', '202611200900'), message('A03', '202611200930', { discharged: '202611200930' }));
  expect(await hosp.pings(program)).toEqual([]);
  const { rows } = await database.pipeline.query<{ id: string }>(
    'select person_id as id from source_patients where group_id = $1',
    [facility],
  );
  await database.pipeline.transaction(async (tx) => {
    const reason = { decidedBy: null, now, outcome: 'decided', ruleId: null, evidence: {} } as const;
    await resendMoved(tx, await relink(tx, { kind: 'ROSTER_PATIENT', id }, rows[0]?.id ?? '', reason), now);
  });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('a group that lists the person while a discharge is canceled gets a ping when it is valid again', async () => {
  const { program, person, message } = await region({ isListed: false });
  await hosp.send(
    message('A01', '202611200900'),
    message('A03', '202611200930', { discharged: '202611200930' }),
    message('A13', '202611200930', { sentAt: '202611200935' }),
  );
  await hosp.list(program, person);
  await hosp.send(message('A03', '202611200930', { discharged: '202611200930', sentAt: '202611200940' }));
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE AMENDED current']);
});

test('a person added to a roster at the moment of a discharge gets its ping', async () => {
  const { program, person, message } = await region({ isListed: false });
  await hosp.send(message('A01', '202611200900'));
  await hosp.receive(message('A03', '202611200930', { discharged: '202611200930' }));
  const { id } = await make.rosterPatient({
    groupId: program,
    first_name: person.given,
    last_name: person.family,
    date_of_birth: person.birthDate,
    zip: person.zip,
    content_hash: Buffer.from(randomUUID()),
  });
  let drained: Promise<number> = Promise.resolve(0);
  await database.pipeline.transaction(async (tx) => {
    await identifyAll(tx, [{ kind: 'ROSTER_PATIENT', id }], { now });
    await sendOpenVisits(tx, [id], now);
    drained = hosp.queue.drain();
    await Promise.race([drained, sleep(300)]);
  });
  await drained;
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('adding a person to a roster after the stay sends no ping', async () => {
  const { program, person, message } = await region({ isListed: false });
  await hosp.send(message('A01', '202611200900'), message('A03', '202611200930', { discharged: '202611200930' }));
  await hosp.list(program, person);
  expect(await hosp.pings(program)).toEqual([]);
});

test('adding a person to a roster during a stay that began before the feed sends a ping', async () => {
  const { program, message, person } = await region();
  await hosp.send(message('A08', '202611200900', { admitted: '202611170900' }));
  expect(await hosp.pings(program)).toEqual([]);
  const another = await make.group();
  await hosp.list(another.id, person);
  expect(await hosp.pings(another.id)).toEqual(['ADMIT ACTIVE current late']);
  expect(await hosp.pings(program)).toEqual([]);
});

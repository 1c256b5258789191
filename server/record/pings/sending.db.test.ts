import { expect, test } from 'vitest';
import { newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, region } = await pipelineScene();

test('an admission pings the program that lists the person, but not the hospital that sent it', async () => {
  const { facility, program, message } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  expect(await hosp.message(id)).toMatchObject({ status: 'APPLIED', reason: 'Created: admission' });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  expect(await hosp.pings(facility)).toEqual([]);
});

test('a group that does not list the person gets no ping', async () => {
  const { message } = await region();
  const other = await make.group();
  await hosp.list(other.id, newPerson());
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(other.id)).toEqual([]);
});

test('other groups of the same organization get pings about their people too', async () => {
  const { facility, person, message } = await region({ isListed: false });
  const { rows } = await database.pipeline.query<{ id: string }>(
    'select organization_id as id from groups where id = $1',
    [facility],
  );
  const sister = await make.group({ organizationId: rows[0]?.id ?? '' });
  await hosp.list(sister.id, person);
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(sister.id)).toEqual(['ADMIT ACTIVE current']);
});

test('a discharge is a second ping of the visit and becomes the current one', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A01', '202611200900'),
    message('A03', '202611200955', { discharged: '202611200955', disposition: '01' }),
  );
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('a ping sent more than 72 hours after the event is late', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A01', '202611160900', { admitted: '202611160900' }),
    message('A02', '202611200930', { unit: 'ICU' }),
  );
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE late', 'TRANSFER ACTIVE current']);
});

test('an event of a day without a time is late 72 hours after the end of that day', async () => {
  for (const [day, expected] of [
    ['20261117', ['ADMIT ACTIVE current']],
    ['20261116', ['ADMIT ACTIVE current late']],
  ] as const) {
    const { program, message } = await region();
    await hosp.send(message('A01', day, { admitted: day }));
    expect(await hosp.pings(program)).toEqual(expected);
  }
});

test('an admission of days ago, inferred from an update, is sent once its own message arrives', async () => {
  const { program, facility, message } = await region();
  await hosp.send(message('A08', '202611200930', { admitted: '202611160900' }));
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE']);
  expect(await hosp.pings(program)).toEqual([]);
  await hosp.send(message('A01', '202611160900', { admitted: '202611160900' }));
  expect(await hosp.pings(program)).toEqual(['ADMIT AMENDED current late']);
});

test('a historical feed sends no pings', async () => {
  const { facility, program, message } = await region({ isBackfill: true });
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE']);
  expect(await hosp.pings(program)).toEqual([]);
});

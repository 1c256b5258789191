import { expect, test } from 'vitest';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, region, reprocess } = await pipelineScene();

test('reprocessing a message changes no pings', async () => {
  const { facility, program, message } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  const before = await database.pipeline.query('select id, encounter_id, state from pings where group_id = $1', [
    program,
  ]);
  await reprocess(id);
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE']);
  const after = await database.pipeline.query('select id, encounter_id, state from pings where group_id = $1', [
    program,
  ]);
  expect(after.rows).toEqual(before.rows);
  const { rows } = await database.pipeline.query<{ received: number }>(
    'select c.received from feed_counts c join feed_facilities f using (feed_id) where f.group_id = $1',
    [facility],
  );
  expect(rows).toEqual([{ received: 1 }]);
});

test('reprocessing a message after its facility was corrected moves it there', async () => {
  const { facility, program, message, code } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  const right = await make.group({ type: 'HOS', facilityType: 'HOS' });
  await database.pipeline.query('update feed_facilities set group_id = $1 where identifier = $2', [right.id, code]);
  await reprocess(id);
  expect(await hosp.events(facility)).toEqual(['ADMIT CANCELLED']);
  expect(await hosp.events(right.id)).toEqual(['ADMIT ACTIVE']);
  expect((await hosp.pings(program)).sort()).toEqual(['ADMIT ACTIVE current', 'ADMIT CANCELLED current']);
});

test('a message that is quarantined when reprocessed retracts its events', async () => {
  const { facility, program, message, code } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  await database.pipeline.query('delete from feed_facilities where identifier = $1', [code]);
  await reprocess(id);
  expect(await hosp.message(id)).toMatchObject({
    status: 'QUARANTINED',
    reason: `Facility '${code}' (PV1-3.4, EVN-7, MSH-4 or PV1-39) isn't on the feed's facility list. Add it, then replay the message.`,
  });
  expect(await hosp.events(facility)).toEqual(['ADMIT CANCELLED']);
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
});

import { expect, test } from 'vitest';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, region } = await pipelineScene();

test('a nursing home gets a ping when its former resident is in a hospital', async () => {
  const { person, message } = await region();
  const home = await make.group({ type: 'SNF', facilityType: 'SNF' });
  await hosp.enter(home.id, { code: 'ADMIT', record: 'N-1', visit: 'NV-1', person, at: '2026-11-02T14:00:00Z' });
  await hosp.enter(home.id, { code: 'DISCHARGE', record: 'N-1', visit: 'NV-1', at: '2026-11-12T14:00:00Z' });
  await hosp.send(message('A01', '202611200900'));
  expect(await hosp.pings(home.id)).toEqual(['ADMIT ACTIVE current']);
});

/** A nursing home whose resident, `person`, is in a hospital, and which got the ping. */
async function residentInHospital() {
  const { person, message } = await region({ isListed: false });
  const home = await region({ type: 'SNF', facilityType: 'SNF', isListed: false });
  const admitted = '202606010900';
  await hosp.send(home.message('A01', admitted, { person, admitted, record: 'N-1' }));
  await hosp.send(message('A01', '202611200900'));
  const statuses = async () =>
    (
      await database.pipeline.query<{ status: string }>(
        'select management_status as status from pings where group_id = $1 order by id',
        [home.facility],
      )
    ).rows.map(({ status }) => status);
  expect(await statuses()).toEqual(['NEW']);
  return { person, home, admitted, statuses };
}

test('a nursing home that changes its resident’s record number keeps the open ping', async () => {
  const { person, home, statuses } = await residentInHospital();
  await hosp.send(home.message('A40', '202611200930', { person, record: 'N-2', priorRecord: 'N-1' }));
  expect(await statuses()).toEqual(['NEW']);
});

test('the open ping is resolved when a nursing home reports late that its resident left long ago', async () => {
  const { person, home, admitted, statuses } = await residentInHospital();
  const discharged = '202607010900';
  const late = { person, admitted, discharged, record: 'N-1', sentAt: '202611200930' };
  await hosp.send(home.message('A03', discharged, late));
  expect(await statuses()).toEqual(['RESOLVED']);
});

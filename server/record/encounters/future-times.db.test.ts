import { expect, test } from 'vitest';
import { ARRIVAL_ORDERS, pipelineScene, type Region } from '#server/testing/pipeline-scene.ts';

const { database, hosp, region } = await pipelineScene();

test('an admission dated in the future ends with its discharge, and the visit has a flag for the wrong time', async () => {
  const ofRegion = ({ message }: Region) => [
    message('A01', '202611210300', { sentAt: '202611200905', admitted: '202611210300', controlId: '1' }),
    message('A03', '202611200950', { discharged: '202611200900', admitted: '202611210300', controlId: '2' }),
  ];
  for (const inOrder of ARRIVAL_ORDERS.slice(0, 2)) {
    const where = await region();
    await hosp.send(...inOrder(ofRegion(where)));
    const { rows } = await database.pipeline.query(
      `select status, admitted_at as "admittedAt", discharged_at as "dischargedAt", state -> 'flags' as flags from encounters where group_id = $1`,
      [where.facility],
    );
    const nine = '2026-11-20T14:00:00.000Z';
    expect(rows).toEqual([{ status: 'FINISHED', admittedAt: nine, dischargedAt: nine, flags: ['TIME_NOT_BELIEVED'] }]);
    const codes = (await hosp.events(where.facility)).map((event) => event.split(' ')[0]);
    expect(codes.toSorted((a, b) => (a ?? '').localeCompare(b ?? ''))).toEqual(['ADMIT', 'DISCHARGE']);
  }
  const { message } = await region();
  const id = await hosp.send(message('A01', '202611210300', { admitted: '202611200900' }));
  expect((await hosp.message(id)).reason).toBe(
    'Created: admission; EVN-6, EVN-2, MSH-7: a time in the future, which is not believed',
  );
});

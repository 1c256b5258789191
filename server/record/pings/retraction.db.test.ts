import { expect, test } from 'vitest';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { hosp, region } = await pipelineScene();

test('a canceled admission retracts the ping', async () => {
  const { program, message } = await region();
  await hosp.send(message('A01', '202611200900'), message('A11', '202611200900', { sentAt: '202611200930' }));
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
});

test('a cancel that arrives before its admission leaves no ping', async () => {
  const { program, message } = await region();
  await hosp.send(message('A11', '202611200900', { sentAt: '202611200930' }), message('A01', '202611200900'));
  expect(await hosp.pings(program)).toEqual([]);
});

test('a canceled discharge makes the admission the current ping again', async () => {
  const { program, message } = await region();
  await hosp.send(
    message('A01', '202611200900'),
    message('A03', '202611200945', { discharged: '202611200945' }),
    message('A13', '202611200945', { sentAt: '202611200950' }),
  );
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current', 'DISCHARGE CANCELLED']);
});

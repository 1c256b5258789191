import { expect, test } from 'vitest';
import { closeHangingVisits } from '#server/record/encounters/close-hanging.ts';
import { pipelineScene } from '#server/testing/pipeline-scene.ts';

const { database, hosp, now, region } = await pipelineScene();

test('an ED visit that was left open for 48 hours is closed once', async () => {
  const { facility, program, message } = await region();
  await hosp.send(message('A04', '202611180900', { patientClass: 'E', admitted: '202611180900' }));
  expect(await closeHangingVisits(database.pipeline, hosp.store, now)).toBe(1);
  expect(await closeHangingVisits(database.pipeline, hosp.store, now)).toBe(0);
  await hosp.queue.drain();
  expect(await hosp.events(facility)).toEqual(['PRESENTED ACTIVE', 'CLOSED ACTIVE']);
  expect(await hosp.pings(program)).toEqual(['PRESENTED ACTIVE', 'CLOSED ACTIVE current']);
});

test('an ED visit with the PV1-44 of an earlier visit is closed 48 hours after its arrival', async () => {
  const { facility, message } = await region();
  await hosp.send(message('A04', '202611180900', { patientClass: 'E', admitted: '202601010900' }));
  const beforeTime = new Date('2026-11-20T13:59:00Z');
  expect(await closeHangingVisits(database.pipeline, hosp.store, beforeTime)).toBe(0);
  expect(await closeHangingVisits(database.pipeline, hosp.store, now)).toBe(1);
  await hosp.queue.drain();
  expect(await hosp.events(facility)).toEqual(['PRESENTED ACTIVE', 'CLOSED ACTIVE']);
});

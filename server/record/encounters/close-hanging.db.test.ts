import { expect, test } from 'vitest';
import { closeHangingVisits } from '#server/record/encounters/close-hanging.ts';
import { newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';

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

test('so is one that an update reports as an outpatient’s, but not a stay in a bed that became one', async () => {
  const { facility, message } = await region();
  await hosp.send(
    message('A04', '202611180900', { visit: 'V-1', patientClass: 'E', admitted: '202611180900' }),
    message('A08', '202611181100', { visit: 'V-1', patientClass: 'O', admitted: '202611180900' }),
  );
  await hosp.send(
    message('A04', '202611180900', { visit: 'V-2', record: 'MR-2', patientClass: 'E', admitted: '202611180900' }),
    message('A06', '202611181100', { visit: 'V-2', record: 'MR-2', patientClass: 'I', admitted: '202611180900' }),
    message('A07', '202611181300', { visit: 'V-2', record: 'MR-2', patientClass: 'O', admitted: '202611180900' }),
  );
  expect(await closeHangingVisits(database.pipeline, hosp.store, now)).toBe(1);
  await hosp.queue.drain();
  const { rows } = await database.pipeline.query(
    `select s.record_number as record, e.status from encounters e join source_patients s on s.id = e.source_patient_id
     where s.group_id = $1 order by 1`,
    [facility],
  );
  expect(rows).toEqual([
    { record: 'MR-1', status: 'FINISHED' },
    { record: 'MR-2', status: 'IN_PROGRESS' },
  ]);
});

test('an ED visit of someone who died elsewhere is not closed', async () => {
  const at = await region();
  const elsewhere = await region({ isListed: false });
  await hosp.send(at.message('A04', '202611180900', { patientClass: 'E', admitted: '202611180900' }));
  const ofPerson = { person: at.person, deceased: true };
  await hosp.send(
    elsewhere.message('A01', '202611181500', { person: at.person, admitted: '202611181500' }),
    elsewhere.message('A08', '202611190900', { ...ofPerson, admitted: '202611181500', diedAt: '202611190700' }),
  );
  await closeHangingVisits(database.pipeline, hosp.store, now);
  await hosp.queue.drain();
  expect(await hosp.events(at.facility)).toEqual(['PRESENTED ACTIVE']);
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

test('an ED visit of the second patient under a record number is closed as that patient’s', async () => {
  const { facility, message } = await region();
  const emergency = { patientClass: 'E', admitted: '202611180900' };
  await hosp.send(message('A01', '202611170900', { visit: 'V-1', admitted: '202611170900' }));
  await hosp.send(message('A04', '202611180900', { ...emergency, visit: 'V-2', person: newPerson() }));
  await closeHangingVisits(database.pipeline, hosp.store, now);
  await hosp.queue.drain();
  const { rows } = await database.pipeline.query(
    `select s.record_number as record, v.code from events v join encounters e on e.id = v.encounter_id
       join source_patients s on s.id = e.source_patient_id where s.group_id = $1 and v.state <> 'CANCELLED' order by v.event_at`,
    [facility],
  );
  expect(rows).toEqual([
    { record: 'MR-1', code: 'ADMIT' },
    { record: 'MR-1 (patient 2)', code: 'PRESENTED' },
    { record: 'MR-1 (patient 2)', code: 'CLOSED' },
  ]);
});

/** What a rebuild changes for people: previews know what is read now, no one is sent what is over, and one rebuild runs at a time. */
import { expect, test } from 'vitest';
import type { ProgramFields } from '#contract/hl7-programs.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { rebuild } from './rebuild.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const db = database.pipeline;
const run = (options: Partial<Parameters<typeof rebuild>[0]> = {}) =>
  rebuild({ database: db, clock: clock.now, batchSize: 1, ...options });

/** A program of a team, and a hospital with a feed. */
async function scene() {
  const code = `F-${Math.random().toString(36).slice(2, 8)}`;
  const facility = await make.group({ type: 'HOS', facilityType: 'HOS' });
  await hosp.feed(facility.organizationId, { [code]: facility.id });
  const { id: organizationId } = await make.organization();
  const { id: program } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [program] });
  const client = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const person = newPerson();
  await hosp.list(program, person);
  const stay = { record: 'R-1', visit: 'V-1', facility: code, admitted: '202611100900' };
  const texts = (of = person) => [
    adt('A01', { ...stay, at: '202611100900', person: of }),
    `${adt('A03', { ...stay, at: '202611151500', discharged: '202611151500', disposition: '01', person: of })}DRG|291^Invented\r`,
  ];
  return { facility: facility.id, program, client, texts };
}

const sent = async () =>
  (
    await db.query(sql`select 'ping' as kind, id from pings union all select 'change', id from change_log where kind = 'ping'
      union all select 'notification', id from notifications union all select 'letter', id from outbox order by 1, 2`)
  ).rows;

test('a preview says from when DRGs are known, as of the rebuild, and nothing is sent', async () => {
  const { facility, client, texts } = await scene();
  for (const text of texts()) await hosp.send(text);
  await db.query(sql`update facts f set adt = f.adt #- '{visit,drg}' from source_patients s
    where s.id = f.source_patient_id and s.group_id = ${facility}`);
  await db.query(sql`update encounters set state = state - 'drg' where group_id = ${facility}`);
  const body: ProgramFields = {
    hl7BasedProgramName: 'Heart failure bundle',
    admittingFacilityId: facility,
    admittingFacilityType: null,
    diagnosesDefinition: null,
    drgCodes: ['291'],
    payer: null,
    dischargeSetting: 'INPATIENT',
    dischargedTo: null,
    validityPeriod: 90,
  };
  const preview = () => client.call('POST /api/hl7-programs/preview', { body });
  expect(await preview()).toMatchObject({ discharges: 0, firstDrgAt: null, withDrg: 0, inpatientDischarges: 1 });
  const before = await sent();
  expect(await run()).toMatchObject({ changed: 1, failed: [] });
  expect(await preview()).toMatchObject({ discharges: 1, firstDrgAt: '2026-11-15T20:00:00.000Z', withDrg: 1 });
  expect(await sent()).toEqual(before);
});

test('a stay that is over and turns out to be a listed person’s is in the record, and is not sent', async () => {
  const { program, texts } = await scene();
  const asRead = texts(newPerson());
  const asWritten = texts();
  for (const [index, text] of asRead.entries()) {
    const id = await hosp.send(text);
    await db.query(sql`update messages set raw = convert_to(${asWritten[index]}::text, 'UTF8') where id = ${id}`);
  }
  const before = await sent();
  expect(await hosp.pings(program)).toEqual([]);
  expect(await run()).toMatchObject({ changed: 2, failed: [] });
  const { rows } = await db.query(sql`select from encounters e join roster_patients r on r.person_id = e.person_id
    where r.group_id = ${program}`);
  expect(rows).toHaveLength(1);
  expect(await sent()).toEqual(before);
});

test('a stay that is open and turns out to be a listed person’s is sent', async () => {
  const { program, texts } = await scene();
  const id = await hosp.send(texts(newPerson())[0] as string);
  await db.query(sql`update messages set raw = convert_to(${texts()[0]}::text, 'UTF8') where id = ${id}`);
  expect(await run()).toMatchObject({ changed: 1 });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current late']);
});

test('a second rebuild refuses while one runs, also after a fault ended one between two batches', async () => {
  const { texts } = await scene();
  for (const text of texts()) await hosp.send(text);
  const refusal = 'Another rebuild is running. Wait for it to end, or stop it first';
  let second: Promise<unknown> | undefined;
  const fault = run({
    onProgress: () => {
      second = run().catch((error: Error) => error.message);
      throw new Error('Power cut');
    },
  });
  await expect(fault).rejects.toThrow('Power cut');
  await second;
  let refused: Promise<unknown> | undefined;
  const whole = run({
    onProgress: () => {
      refused ??= run().catch((error: Error) => error.message);
    },
  });
  expect(await whole).toMatchObject({ isFinished: true, failed: [] });
  expect(await refused).toBe(refusal);
});

test('without a database it ends, and says why', async () => {
  const gone = openDatabase('postgres://tidings_pipeline@127.0.0.1:1/none');
  await expect(rebuild({ database: gone, clock: clock.now })).rejects.toThrow(/ECONNREFUSED|not available/);
  await gone.close();
});

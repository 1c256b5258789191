/** Consents to what a 42 CFR Part 2 facility discloses: who records them, what they send, and what their end closes. */
import { expect, test, vi } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { relink } from '#server/record/matching/relink.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { listen } from '#server/testing/live.ts';
import { CANARY, consentTo, endConsentOf, startPart2App } from '#server/testing/part2.ts';

const { app, make, clock, db, office, scene } = await startPart2App();

const RECORD = 'POST /api/patients/:id/consents';
const inbox = async (client: Client) => (await client.call('POST /api/pings', { body: {} })).patients;
const codesIn = async (client: Client) =>
  (await inbox(client)).flatMap(({ currentPingEncounter }) => currentPingEncounter?.pings.map(({ status }) => status));
const listed = (client: Client, id: string) => client.call('GET /api/patients/:id/consents', { params: { id } });

test('a consent sends the recipient what was held back, and its end hides it at once', async () => {
  const { facility, program, send } = await scene();
  expect(await inbox(program.client)).toEqual([]);
  const { id } = await consentTo(facility.client, facility.patientId, program.groupId);
  await vi.waitFor(async () => expect(await codesIn(program.client)).toEqual(['ADMIT']), 5000);
  const params = { id: program.visitId };
  const seen = await program.client.call('GET /api/patients/:id', { params });
  expect(seen.currentPingEncounter?.allEncounterDiagnoses.map(({ fullCode }) => fullCode)).toEqual([CANARY.code]);

  await endConsentOf(facility.client, facility.patientId, id);
  expect((await errorOf(program.client, 'GET /api/patients/:id', { params })).errorKey).toBe('NOT_FOUND');
  await vi.waitFor(async () => expect(await inbox(program.client)).toEqual([]), 5000);
  await send('A03', '202611200930', { discharged: '202611200930' });
  expect(await inbox(program.client)).toEqual([]);

  await consentTo(facility.client, facility.patientId, program.groupId);
  await vi.waitFor(async () => expect(await codesIn(program.client)).toEqual(['DISCHARGE', 'ADMIT']), 5000);
});

test('the facility keeps who recorded and who ended each consent, and so does the audit', async () => {
  const { facility, program } = await scene();
  const { client, patientId } = facility;
  const recipient = { groupId: program.groupId, groupName: program.name };
  const consent = await consentTo(client, patientId, program.groupId);
  expect(consent).toMatchObject({ recipient, facility: { id: facility.groupId }, endedDate: null, endedBy: null });
  expect((await consentTo(client, patientId, program.groupId)).id).toBe(consent.id);
  await endConsentOf(client, patientId, consent.id);
  await endConsentOf(client, patientId, consent.id);
  const { consents, facilities } = await listed(client, patientId);
  expect(facilities).toEqual([{ id: facility.groupId, name: facility.name }]);
  expect(consents).toMatchObject([{ id: consent.id, recipient, endedDate: clock.now().toISOString() }]);
  expect(consents[0]?.endedBy).toBe(consents[0]?.recordedBy);
  const { rows } = await db.query(sql`
    select action, detail ->> 'pings' as pings from audit_entries
    where subject_id = ${facility.listingId} and action like 'consent.%' order by id`);
  expect(rows.map(({ action }) => action)).toEqual([
    'consent.record',
    'consent.record',
    'consent.end',
    'consent.end',
    'consent.view',
  ]);
  expect(rows[0]).toMatchObject({ pings: '1' });
});

test('only staff of the Part 2 facility who may edit patients record, see or end its consents', async () => {
  const { facility, program } = await scene();
  const consent = await consentTo(facility.client, facility.patientId, program.groupId);
  const nurse = await make.user({ team: facility.team, role: 'viewer' });
  const viewer = await signIn(app, nurse.username);
  const body = { recipientGroupId: program.groupId };
  expect((await errorOf(viewer, RECORD, { params: { id: facility.patientId }, body })).errorKey).toBe('NOT_PERMITTED');
  const own = { params: { id: program.patientId }, body: { ...body, facilityGroupId: facility.groupId } };
  expect((await errorOf(program.client, RECORD, own)).errorKey).toBe('NOT_FOUND');
  expect(await listed(program.client, program.patientId)).toEqual({ facilities: [], consents: [] });
  expect(
    (await errorOf(program.client, 'GET /api/patients/:id/consents', { params: { id: facility.patientId } })).errorKey,
  ).toBe('NOT_FOUND');
  for (const id of [program.patientId, facility.patientId]) {
    const call = { params: { id, consentId: consent.id } };
    const refusal = await errorOf(program.client, 'DELETE /api/patients/:id/consents/:consentId', call);
    expect(refusal.errorKey).toBe('NOT_FOUND');
  }
  const ordinary = await scene({ isPart2: false });
  const elsewhere = { params: { id: ordinary.facility.patientId }, body };
  expect((await errorOf(ordinary.facility.client, RECORD, elsewhere)).errorKey).toBe('NOT_FOUND');
  expect((await listed(facility.client, facility.patientId)).consents).toMatchObject([
    { id: consent.id, endedDate: null },
  ]);
});

test('a consent needs a recipient that exists, is open and is not the facility', async () => {
  const { facility, program } = await scene();
  const closed = await office('PROGRAM');
  await db.query(sql`update groups set ended_at = ${clock.now()} where id = ${closed.groupId}`);
  for (const recipientGroupId of [facility.groupId, closed.groupId, '999999999']) {
    const call = { params: { id: facility.patientId }, body: { recipientGroupId } };
    const refusal = await errorOf(facility.client, RECORD, call);
    expect([refusal.errorKey, Object.keys(refusal.fields ?? {})]).toEqual(['BAD_REQUEST', ['recipientGroupId']]);
  }
  const find = async (query: string) =>
    (await facility.client.call('GET /api/consent-recipients', { query: { query } })).map(({ groupId }) => groupId);
  expect(await find(program.name.toUpperCase())).toContain(program.groupId);
  expect(await find(closed.name)).not.toContain(closed.groupId);
  expect(await find('no such group')).toEqual([]);
});

test('a consent goes to its recipient alone, and stays with the patient when the facility’s listing is linked to someone else', async () => {
  const { facility, program, personId, encounterId } = await scene();
  const other = await office('PROGRAM');
  await make.rosterPatient({ groupId: other.groupId, personId });
  await consentTo(facility.client, facility.patientId, program.groupId);
  await vi.waitFor(async () => expect(await inbox(program.client)).toHaveLength(1), 5000);
  expect(await inbox(other.client)).toEqual([]);
  const { id: someone } = await make.person();
  const options = { decidedBy: null, now: clock.now(), outcome: 'decided', ruleId: null, evidence: {} } as const;
  await db.query(sql`update encounters set person_id = ${someone} where id = ${encounterId}`);
  await relink(db, { kind: 'ROSTER_PATIENT', id: facility.listingId }, someone, options);
  const { rows } = await db.query(
    sql`select person_id as "personId" from consents where facility_group_id = ${facility.groupId}`,
  );
  expect(rows).toEqual([{ personId: someone }]);
});

test('an open inbox of the recipient learns of the ping, and that it is hidden', async () => {
  const { facility, program } = await scene();
  const stream = await listen(program.client);
  await stream.next('counts');
  const { id } = await consentTo(facility.client, facility.patientId, program.groupId);
  expect(await stream.next('ping')).toMatchObject({ change: 'arrived', patientId: program.visitId });
  await endConsentOf(facility.client, facility.patientId, id);
  expect(await stream.next('ping')).toMatchObject({ change: 'hidden', patientId: program.visitId });
});

import { expect, test } from 'vitest';
import { CONFIRMABLE } from '#contract/waiver-conditions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';

const app = await startApp();
const { make, clock } = app;
const { pipeline } = app.database;

const DAY = 86_400_000;
const on = (daysAgo: number) => ({
  instant: new Date(clock.now().getTime() - daysAgo * DAY).toISOString(),
  localDate: new Date(clock.now().getTime() - daysAgo * DAY).toISOString().slice(0, 10),
  precision: 'minute' as const,
});

/** A group with a team and a care coordinator. */
async function office(group: Parameters<typeof make.group>[0] = {}) {
  const { id: organizationId } = await make.organization();
  const { id: groupId, name } = await make.group({ organizationId, ...group });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const member = async (role: 'care coordinator' | 'viewer' = 'care coordinator') =>
    signIn(app, (await make.user({ team, role })).username);
  return { groupId, name, member, client: await member() };
}

/** A person in a nursing facility since yesterday, after two nights in a hospital, whom a program lists. */
async function scene(facility: Parameters<typeof make.group>[0] = {}) {
  const program = await office();
  const snf = await office({ type: 'SNF', facilityType: 'SNF', ...facility });
  const hospital = await make.group({ type: 'HOS' });
  const { id: personId } = await make.person();
  const listing = await make.rosterPatient({ groupId: program.groupId, personId });
  const there = await make.rosterPatient({ groupId: snf.groupId, personId });
  const before = { setting: 'INPATIENT', status: 'FINISHED', admittedAt: on(3), dischargedAt: on(1) } as const;
  const hospitalStay = await make.encounter({ groupId: hospital.id, personId, visit: before });
  const stay = await make.encounter({ groupId: snf.groupId, personId, visit: { setting: 'SNF', admittedAt: on(1) } });
  const ids = { id: `${listing.id}_${stay.id}`, encounterId: stay.id };
  return { program, snf, ids, atSnf: { ...ids, id: `${there.id}_${stay.id}` }, listing, hospitalStay, personId };
}

const KEY = '/api/patients/:id/encounters/:encounterId/three-day-waiver';
const read = (client: Client, params: { id: string; encounterId: string }, rule?: 'TEAM') =>
  client.call(`GET ${KEY}`, { params, query: rule ? { rule } : {} });
const set = (client: Client, params: { id: string; encounterId: string }, body: object) =>
  client.call(`PUT ${KEY}`, { params, body: { status: 'PENDING', ...body } });

test('a status is kept with who set it when, and both the program and the facility see it', async () => {
  const { program, snf, ids, atSnf } = await scene();
  expect(await read(program.client, ids)).toMatchObject({ status: 'NA', rule: 'MSSP', confirmed: [], history: [] });
  await set(program.client, ids, {});
  const approved = await set(program.client, ids, { status: 'APPROVED', confirmed: ['STABLE', 'STABLE'], expected: 1 });
  const date = clock.now().toISOString();
  expect(approved.history.map((entry) => [entry.status, entry.date])).toEqual([
    ['APPROVED', date],
    ['PENDING', date],
  ]);
  expect([approved.status, approved.confirmed]).toEqual(['APPROVED', ['STABLE']]);
  const there = await read(snf.client, atSnf);
  expect(there.history.map(({ username }) => username)).toEqual([program.name, program.name]);
  expect(approved.history[0]?.username).not.toBe(program.name);
  const { currentPingEncounter } = await snf.client.call('GET /api/patients/:id', { params: { id: atSnf.id } });
  expect(currentPingEncounter).toMatchObject({ threeDayWaiverStatus: 'APPROVED', is3dWaiverEncounter: true });
  const { rows } = await pipeline.query(sql`
    select detail ->> 'status' as status, detail ->> 'before' as before from audit_entries where action = 'waiver.change'
      and detail ->> 'encounterId' = ${ids.encounterId} order by id`);
  expect(rows).toEqual([
    { status: 'PENDING', before: 'NA' },
    { status: 'APPROVED', before: 'PENDING' },
  ]);
});

test('the check is unknown, then eligible once everything is confirmed, and the patient says the same', async () => {
  const { program, ids } = await scene();
  const patient = () => program.client.call('GET /api/patients/:id', { params: { id: ids.id } });
  expect((await read(program.client, ids)).eligibility.answer).toBe('unknown');
  expect((await patient()).is3dWaiverEligible).toBeNull();
  const { eligibility } = await set(program.client, ids, { confirmed: [...CONFIRMABLE] });
  expect(eligibility.answer).toBe('eligible');
  expect((await patient()).is3dWaiverEligible).toBe(true);
  expect((await read(program.client, ids, 'TEAM')).eligibility).toMatchObject({ rule: 'TEAM', answer: 'eligible' });
  await set(program.client, ids, { rule: 'TEAM', confirmed: [] });
  expect(await read(program.client, ids)).toMatchObject({ rule: 'TEAM', eligibility: { answer: 'unknown' } });
});

test('two users who set it at the same time: the second is shown who was first', async () => {
  const { program, ids } = await scene();
  const other = await program.member();
  await set(program.client, ids, { expected: 0 });
  const late = await errorOf(other, `PUT ${KEY}`, { params: ids, body: { status: 'APPROVED', expected: 0 } });
  expect([late.errorKey, late.standing?.version]).toEqual(['CHANGED_BY_OTHER', '1']);
  expect(late.standing?.last?.name).toBeTruthy();
  expect((await read(other, ids)).status).toBe('PENDING');
});

test('no one sets it without canUpdateThreeDayWaiver, for a hospital stay, or for a patient of others', async () => {
  const { program, ids, listing, hospitalStay } = await scene();
  const body = { status: 'APPROVED' } as const;
  const viewer = await program.member('viewer');
  expect((await errorOf(viewer, `PUT ${KEY}`, { params: ids, body })).errorKey).toBe('NOT_PERMITTED');
  expect((await read(viewer, ids)).status).toBe('NA');
  const inHospital = { id: `${listing.id}_${hospitalStay.id}`, encounterId: hospitalStay.id };
  expect((await errorOf(program.client, `PUT ${KEY}`, { params: inHospital, body })).errorKey).toBe('BAD_REQUEST');
  const another = await scene();
  const foreign = [another.ids, { id: ids.id, encounterId: another.ids.encounterId }];
  for (const params of foreign) {
    expect((await errorOf(program.client, `PUT ${KEY}`, { params, body })).errorKey).toBe('NOT_FOUND');
    expect((await errorOf(program.client, `GET ${KEY}`, { params, query: {} })).errorKey).toBe('NOT_FOUND');
  }
  expect(
    (await errorOf(program.client, `PUT ${KEY}`, { params: ids, body: { status: 'MAYBE' as 'NA' } })).errorKey,
  ).toBe('BAD_REQUEST');
});

test('the waiver of a stay under 42 CFR Part 2 is hidden like the stay', async () => {
  const { program, snf, ids, atSnf } = await scene({ isPart2Facility: true });
  await set(snf.client, atSnf, { status: 'APPROVED' });
  const params = { ...ids, id: `${ids.id.split('_')[0]}_0` };
  expect((await errorOf(program.client, `GET ${KEY}`, { params, query: {} })).errorKey).toBe('NOT_FOUND');
  expect((await errorOf(program.client, `PUT ${KEY}`, { params, body: { status: 'NA' } })).errorKey).toBe('NOT_FOUND');
});

import { expect, test } from 'vitest';
import type { StatusChange } from '#contract/pings.ts';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { endListings } from '#server/record/listings/end-listings.ts';
import { CallError, type Client, signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make } = app;

/** Creates a team with a ping, and signs in this many of its coordinators. */
async function teamWithPing(users = 1) {
  const team = await make.team();
  const ping = await make.ping({ groupId: team.groupIds[0] });
  const clients: Client[] = [];
  for (let n = 0; n < users; n += 1) clients.push(await signIn(app, (await make.user({ team })).username));
  return { team, ping, clients: clients as [Client, ...Client[]] };
}

type PingRef = { patientId: string; eventId: string };

const change = (client: Client, ping: PingRef, body: Omit<StatusChange, 'eventIdentifier'>) =>
  client.call('POST /api/patients/:id/events/management-status', {
    params: { id: ping.patientId },
    body: { eventIdentifier: ping.eventId, ...body },
  });

const history = (client: Client, ping: PingRef) =>
  client.call('POST /api/patients/:id/events/management-status-history', {
    params: { id: ping.patientId },
    body: { eventIdentifier: ping.eventId },
  });

const refusal = async (promise: Promise<unknown>): Promise<CallError> => {
  const error = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof CallError)) throw new Error('The call was not refused');
  return error;
};

test('a change is returned, recorded with user and time, and moves the ping between the lists', async () => {
  const { ping, clients } = await teamWithPing();
  const [client] = clients;
  const record = await change(client, ping, {
    status: 'RESOLVED',
    resolutions: ['CONTACTED_PATIENT', 'OTHER'],
    otherText: ' Called the daughter. ',
  });
  expect(record).toMatchObject({
    status: 'RESOLVED',
    resolutions: ['CONTACTED_PATIENT', 'OTHER'],
    otherText: 'Called the daughter.',
  });
  await change(client, ping, { status: 'NEW', expectedStatusId: record.id });
  expect((await history(client, ping)).map(({ status, resolutions }) => [status, resolutions])).toEqual([
    ['NEW', []],
    ['RESOLVED', ['CONTACTED_PATIENT', 'OTHER']],
  ]);
  expect(await client.call('GET /api/pings/count/:kind', { params: { kind: 'open' } })).toEqual({ count: 1 });
  expect(await client.call('GET /api/pings/count/:kind', { params: { kind: 'resolved' } })).toEqual({ count: 0 });
});

test('resolving requires a resolution, OTHER requires a text, and only the system resolves automatically', async () => {
  const { ping, clients } = await teamWithPing();
  expect((await refusal(change(clients[0], ping, { status: 'RESOLVED' }))).body.errorKey).toBe('RESOLUTION_REQUIRED');
  const blank = change(clients[0], ping, { status: 'RESOLVED', resolutions: ['OTHER'], otherText: '  ' });
  expect((await refusal(blank)).body.errorKey).toBe('OTHER_TEXT_REQUIRED');
  const system = change(clients[0], ping, { status: 'RESOLVED', resolutions: ['SYSTEM_RESOLVED'] });
  expect((await refusal(system)).body).toMatchObject({
    errorKey: 'BAD_REQUEST',
    fields: { resolutions: expect.any(String) },
  });
  const long = change(clients[0], ping, { status: 'RESOLVED', resolutions: ['OTHER'], otherText: 'x'.repeat(2001) });
  expect((await refusal(long)).status).toBe(400);
  expect(await history(clients[0], ping)).toEqual([]);
});

test('if two people act at the same moment, one wins and the other learns who it was', async () => {
  for (const expectedStatusId of [undefined, '0']) {
    const { ping, clients } = await teamWithPing(2);
    const answers = await Promise.allSettled(
      clients.map((client) =>
        change(client, ping, { status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'], expectedStatusId }),
      ),
    );
    const won = answers.filter((answer) => answer.status === 'fulfilled');
    const lost = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as CallError);
    expect(won).toHaveLength(1);
    expect(lost.map(({ status, body }) => [status, body.errorKey])).toEqual([[409, 'PING_CHANGED_BY_OTHER']]);
    expect(lost[0]?.body.current).toMatchObject({ status: 'RESOLVED', username: won[0]?.value.username });
    expect(await history(clients[0], ping)).toHaveLength(1);
  }
});

test('a change is refused if another user changed the ping since, unless the caller has seen that change', async () => {
  const { ping, clients } = await teamWithPing(2);
  const [first, second] = clients as [Client, Client];
  const { id } = await change(first, ping, { status: 'IN_PROGRESS', expectedStatusId: '0' });
  const blind = change(second, ping, { status: 'DISMISSED', expectedStatusId: '0' });
  expect((await refusal(blind)).body.errorKey).toBe('PING_CHANGED_BY_OTHER');
  await expect(change(second, ping, { status: 'DISMISSED', expectedStatusId: id })).resolves.toMatchObject({
    status: 'DISMISSED',
  });
});

test('a change that Tidings itself preceded is refused with its reason, and calls no one someone else', async () => {
  const { ping, clients } = await teamWithPing();
  const { pipeline } = app.database;
  await pipeline.query('update roster_patients set leaves_at = $2 where person_id = $1', [
    ping.personId,
    app.clock.now(),
  ]);
  await pipeline.transaction((tx) => endListings(tx, app.clock.now()));
  const late = change(clients[0], ping, { status: 'DISMISSED', expectedStatusId: '0' });
  expect((await refusal(late)).body).toMatchObject({
    errorKey: 'PING_CHANGED_BY_OTHER',
    message: 'This ping just changed automatically. No longer on the list.',
    current: { status: 'RESOLVED', username: 'System', displayName: null, otherText: 'No longer on the list.' },
  });
});

test('a change covers the pings of the event in all groups of the team, including for a team that shares a group', async () => {
  const organization = await make.organization();
  const [shared, other] = [
    await make.group({ organizationId: organization.id }),
    await make.group({ organizationId: organization.id }),
  ];
  const team = await make.team({ organizationId: organization.id, groupIds: [shared.id, other.id] });
  const neighbours = await make.team({ organizationId: organization.id, groupIds: [shared.id] });
  const first = await make.ping({ groupId: shared.id });
  const listing = await make.rosterPatient({ groupId: other.id, personId: first.personId });
  const encounter = { id: first.encounterId, personId: first.personId };
  await make.ping({ groupId: other.id, encounter, eventId: first.eventId, rosterPatientId: listing.id });
  const client = await signIn(app, (await make.user({ team })).username);
  const neighbour = await signIn(app, (await make.user({ team: neighbours })).username);

  expect(await client.call('POST /api/pings', { body: {} })).toMatchObject({ total: 1 });
  await change(client, first, { status: 'RESOLVED', resolutions: ['NO_ACTION_NEEDED'] });
  for (const each of [client, neighbour]) {
    expect(await each.call('POST /api/pings', { body: {} })).toMatchObject({ total: 0 });
    expect(await history(each, first)).toHaveLength(1);
  }
});

test('only users with the permission for a group with a ping may resolve as back on census', async () => {
  const { id: organizationId } = await make.organization();
  const groupIds = [(await make.group({ organizationId })).id, (await make.group({ organizationId })).id] as const;
  const team = await make.team({ organizationId, groupIds });
  const user = await make.user({ team, role: 'clinician' });
  const more = { role: 'clinician', added: ['canResolveBackToCensus'] } as const;
  await grantRole(app.database.pipeline, { userId: user.id, teamId: team.id, groupId: groupIds[0], ...more });
  const client = await signIn(app, user.username);
  const bringBack = (ping: PingRef) => change(client, ping, { status: 'RESOLVED', resolutions: ['BACK_ON_CENSUS'] });
  const [own, other] = [await make.ping({ groupId: groupIds[0] }), await make.ping({ groupId: groupIds[1] })];
  expect((await refusal(bringBack(other))).body.errorKey).toBe('NOT_PERMITTED');
  expect(await bringBack(own)).toMatchObject({ status: 'RESOLVED' });
});

test("another team's ping is not found, and a viewer may not change a ping", async () => {
  const { team, ping } = await teamWithPing();
  const otherTeam = await teamWithPing();
  expect((await refusal(change(otherTeam.clients[0], ping, { status: 'IN_PROGRESS' }))).body.errorKey).toBe(
    'NOT_FOUND',
  );
  expect((await refusal(history(otherTeam.clients[0], ping))).body.errorKey).toBe('NOT_FOUND');
  const wrongPatient = { ...ping, patientId: otherTeam.ping.patientId };
  expect((await refusal(change(otherTeam.clients[0], wrongPatient, { status: 'IN_PROGRESS' }))).body.errorKey).toBe(
    'NOT_FOUND',
  );
  const viewer = await signIn(app, (await make.user({ team, role: 'viewer' })).username);
  expect((await refusal(change(viewer, ping, { status: 'IN_PROGRESS' }))).body.errorKey).toBe('NOT_PERMITTED');
});

test('a ping retracted because the visit is someone else’s can be opened and dismissed, and shows nothing about that person', async () => {
  const { ping, clients } = await teamWithPing();
  const [client] = clients;
  const { pipeline } = app.database;
  const { id: another } = await make.person();
  await pipeline.query('update encounters set person_id = $2 where id = $1', [ping.encounterId, another]);
  await pipeline.query(`update pings set state = 'CANCELLED' where id = $1`, [ping.id]);
  await pipeline.query(
    `update events set detail = detail || '{"payer": "Lantern Mutual", "dischargedTo": "Elm House"}' where id = $1`,
    [ping.eventId],
  );
  const { patients } = await client.call('POST /api/pings', { body: {} });
  expect(patients.map(({ id }) => id)).toEqual([ping.patientId]);
  const patient = await client.call('GET /api/patients/:id', { params: { id: ping.patientId } });
  expect(patient.currentPing).toMatchObject({
    state: 'CANCELLED',
    payor: null,
    dischargedTo: null,
    treatingProvider: null,
  });
  expect(patient.currentPingEncounter).toBeNull();
  await change(client, ping, { status: 'DISMISSED' });
  expect(await client.call('GET /api/pings/count/:kind', { params: { kind: 'open' } })).toEqual({ count: 0 });
});

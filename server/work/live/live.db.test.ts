import { expect, onTestFinished, test, vi } from 'vitest';
import type { AdminUser } from '#contract/admin.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { settleReviews } from '#server/record/matching/open-reviews.ts';
import type { RankedCandidate } from '#server/record/scoring/decide.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { listen } from '#server/testing/live.ts';

const app = await startApp();
const { make } = app;

async function coordinator() {
  const team = await make.team();
  const user = await make.user({ team, role: 'care coordinator' });
  return { team, client: await signIn(app, user.username) };
}

/** Returns the groups that a transaction sees. */
const groupsOf = ([, options]: Parameters<Database['transaction']>): string[] =>
  (options?.settings?.['tidings.group_ids'] ?? '').replaceAll(/[{}]/g, '').split(',');

test('a status change is sent only to those who see the ping', async () => {
  const here = await coordinator();
  const elsewhere = await coordinator();
  const ping = await make.ping({ groupId: here.team.groupIds[0] });
  const [mine, theirs] = [await listen(here.client), await listen(elsewhere.client)];
  expect(await mine.next('counts')).toEqual({ open: 1, resolved: 0, new: 1, needsAction: 1 });
  expect(await theirs.next('counts')).toEqual({ open: 0, resolved: 0, new: 0, needsAction: 0 });

  const patientId = `${ping.rosterPatientId}_${ping.encounterId}`;
  await here.client.call('POST /api/patients/:id/events/management-status', {
    params: { id: patientId },
    body: { eventIdentifier: ping.eventId, status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'] },
  });

  expect(await mine.next('ping')).toMatchObject({
    change: 'status',
    patientId,
    eventIdentifier: ping.eventId,
    status: 'RESOLVED',
  });
  expect(await mine.next('counts')).toEqual({ open: 0, resolved: 1, new: 0, needsAction: 0 });
  const other = await make.ping({ groupId: elsewhere.team.groupIds[0] });
  await elsewhere.client.call('POST /api/patients/:id/events/management-status', {
    params: { id: `${other.rosterPatientId}_${other.encounterId}` },
    body: { eventIdentifier: other.eventId, status: 'IN_PROGRESS' },
  });
  expect(await theirs.next('ping')).toMatchObject({ eventIdentifier: other.eventId });
});

test('whoever of a team has a patient open learns at once who opens and closes it too; no other team does', async () => {
  const here = await coordinator();
  const colleague = await signIn(app, (await make.user({ team: here.team, role: 'care coordinator' })).username);
  const elsewhere = await coordinator();
  const ping = await make.ping({ groupId: here.team.groupIds[0] });
  const params = { id: `${ping.rosterPatientId}_${ping.encounterId}` };
  const [mine, theirs] = [await listen(here.client), await listen(elsewhere.client)];
  await Promise.all([mine.next('counts'), theirs.next('counts')]);
  const viewing = 'POST /api/patients/:id/viewing';

  await here.client.call(viewing, { params });
  expect(await mine.next('viewers')).toEqual({ rosterPatientId: ping.rosterPatientId });
  await colleague.call(viewing, { params });
  expect(await mine.next('viewers')).toEqual({ rosterPatientId: ping.rosterPatientId });
  expect(await here.client.call(viewing, { params })).toHaveLength(1);
  await colleague.call('DELETE /api/patients/:id/viewing', { params });
  expect(await mine.next('viewers')).toEqual({ rosterPatientId: ping.rosterPatientId });
  expect(await here.client.call(viewing, { params })).toEqual([]);

  await make.ping({ groupId: elsewhere.team.groupIds[0] });
  await app.database.pipeline.query(`select pg_notify('tidings_changes', '')`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  // Saying again that it is open is no change.
  expect(mine.heard().filter((kind) => kind === 'viewers')).toHaveLength(3);
  expect(theirs.heard()).not.toContain('viewers');
});

test('a team, and no other, learns of changed rows even without a ping', async () => {
  const hospital = await make.group({ type: 'HOS' });
  const team = await make.team({ organizationId: hospital.organizationId, groupIds: [hospital.id] });
  const client = await signIn(app, (await make.user({ team, role: 'care coordinator' })).username);
  const elsewhere = await coordinator();
  const listing = await make.rosterPatient({ groupId: hospital.id });
  const encounter = await make.encounter({ groupId: hospital.id, personId: listing.personId });
  const [mine, theirs] = [await listen(client), await listen(elsewhere.client)];
  await Promise.all([mine.next('counts'), theirs.next('counts')]);
  await app.database.pipeline.query(`update encounters set status = 'CANCELLED' where id = $1`, [encounter.id]);
  expect(await mine.next('rows')).toEqual({ at: expect.any(String) });
  await make.rosterPatient({ groupId: elsewhere.team.groupIds[0] as string });
  await theirs.next('rows');
  expect(theirs.heard().filter((kind) => kind === 'rows')).toHaveLength(1);
});

test('changed rows are not looked up for users who may see no patients', async () => {
  const team = await make.team();
  const { username } = await make.user({ team, role: 'viewer', removed: ['canViewPatients'] });
  const blind = await listen(await signIn(app, username));
  const elsewhere = await coordinator();
  const sees = await listen(elsewhere.client);
  await Promise.all([blind.next('counts'), sees.next('counts')]);
  const transaction = vi.spyOn(app.database.app, 'transaction');
  onTestFinished(() => transaction.mockRestore());
  await make.rosterPatient({ groupId: elsewhere.team.groupIds[0] as string });
  await sees.next('rows');
  const groups = transaction.mock.calls.flatMap(groupsOf);
  expect(groups).toContain(elsewhere.team.groupIds[0]);
  expect(groups).not.toContain(team.groupIds[0]);
  expect(blind.heard()).not.toContain('rows');
});

test('changed rows are looked up once for all channels, and each learns of its own groups only', async () => {
  const [here, there] = [await coordinator(), await coordinator()];
  const [mine, theirs] = [await listen(here.client), await listen(there.client)];
  await Promise.all([mine.next('counts'), theirs.next('counts')]);
  const transaction = vi.spyOn(app.database.app, 'transaction');
  onTestFinished(() => transaction.mockRestore());
  await make.rosterPatient({ groupId: here.team.groupIds[0] as string });
  await mine.next('rows');
  const lookUps = transaction.mock.calls.map(groupsOf);
  const ofBoth = lookUps.filter((groups) => [here, there].every(({ team }) => groups.includes(team.groupIds[0] ?? '')));
  expect(ofBoth).toHaveLength(1);
  expect(theirs.heard()).not.toContain('rows');
});

test('changed rows that cannot be looked up are looked up again, and no stream ends', async () => {
  const { team, client } = await coordinator();
  const stream = await listen(client);
  await stream.next('counts');
  const { transaction } = app.database.app;
  let failures = 0;
  const failOnce: Database['transaction'] = async (fn, options) => {
    const isLookUp = options?.readOnly && groupsOf([fn, options]).includes(team.groupIds[0] as string);
    if (!isLookUp || failures > 0) return transaction(fn, options);
    failures += 1;
    throw new Error('The database is busy');
  };
  const spy = vi.spyOn(app.database.app, 'transaction').mockImplementation(failOnce);
  onTestFinished(() => spy.mockRestore());
  await make.rosterPatient({ groupId: team.groupIds[0] as string });
  await stream.next('rows');
  expect(failures).toBe(1);
});

test('a stream ends as soon as its session ends', async () => {
  const { client } = await coordinator();
  const stream = await listen(client);
  await stream.next('counts');
  await client.call('POST /api/logout', {});
  expect(await stream.next('ended')).toHaveProperty('reason');
  await stream.isOver;
});

test('who sees no pings has a stream too, without them, and it ends at once when the account is disabled', async () => {
  const team = await make.team();
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const { id, username } = await make.user({ team, role: 'analyst' });
  const client = await signIn(app, username);
  const stream = await listen(client);
  await stream.next('alive');
  const ping = await make.ping({ groupId: team.groupIds[0] });
  await admin.call('POST /api/patients/:id/events/management-status', {
    params: { id: `${ping.rosterPatientId}_${ping.encounterId}` },
    body: { eventIdentifier: ping.eventId, status: 'IN_PROGRESS' },
  });
  await admin.call('POST /api/admin/users/:id/disable', { params: { id } });
  expect(await stream.next('ended')).toHaveProperty('reason');
  await stream.isOver;
  expect(stream.heard().filter((kind) => kind === 'ping' || kind === 'counts')).toEqual([]);
});

test('one user has ten streams at most: another one ends the oldest, for a while', async () => {
  const { client } = await coordinator();
  const streams = [];
  for (let count = 0; count < 10; count += 1) streams.push(await listen(client));
  const response = await client.fetch(`/api/live?teamId=${client.teamId}`);
  await streams[0]?.isOver;
  const eleventh = await listen(client);
  await streams[1]?.isOver;
  await eleventh.next('counts');
  expect(response.status).toBe(200);
  await response.body?.cancel();
  await streams[2]?.next('alive');
});

/** A viewer with a stream, and an administrator who changes the viewer's role. */
async function viewerAndAdministrator() {
  const team = await make.team();
  const { id, username } = await make.user({ team, role: 'viewer' });
  const client = await signIn(app, username);
  const stream = await listen(client);
  await stream.next('counts');
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const roles = await admin.call('GET /api/admin/roles', {});
  const change = async (role: string, teamId = team.id, groupIds: readonly string[] = team.groupIds) => {
    const roleId = roles.find(({ name }) => name === role)?.id ?? '';
    const grants = groupIds.map((groupId) => ({ teamId, groupId, roleId, added: [], removed: [] }));
    const body = { firstName: 'A', lastName: 'B', applicationExperience: 'JANUS' as const, grants };
    await admin.call('PUT /api/admin/users/:id', { params: { id }, body });
  };
  return { team, client, stream, admin, change };
}

test('who loses the permission to see pings stays signed in and gets no more of them, until it is given back', async () => {
  const { team, client, stream, admin, change } = await viewerAndAdministrator();
  const resolve = async () => {
    const ping = await make.ping({ groupId: team.groupIds[0] });
    await admin.call('POST /api/patients/:id/events/management-status', {
      params: { id: `${ping.rosterPatientId}_${ping.encounterId}` },
      body: { eventIdentifier: ping.eventId, status: 'IN_PROGRESS' },
    });
    return ping.eventId;
  };
  await change('analyst');
  await stream.next('rights');
  await resolve();
  await change('viewer');
  await stream.next('rights');
  await stream.next('counts');
  const eventIdentifier = await resolve();
  expect(await stream.next('ping')).toMatchObject({ eventIdentifier });
  expect(stream.heard().filter((kind) => kind === 'ping')).toHaveLength(1);
  expect(stream.heard()).not.toContain('ended');
  await client.call('GET /api/me', {});
});

test('who is added to another team is notified on this one', async () => {
  const { team, stream, admin } = await viewerAndAdministrator();
  const other = await make.team({ organizationId: team.organizationId, groupIds: team.groupIds });
  const { users } = await admin.call('GET /api/admin/users', { query: {} });
  const viewer = users.find(({ isSelf }) => !isSelf) as AdminUser;
  const grants = [...viewer.grants, ...viewer.grants.map((grant) => ({ ...grant, teamId: other.id }))];
  const { firstName, lastName, applicationExperience } = viewer;
  const body = { firstName, lastName, applicationExperience, grants };
  await admin.call('PUT /api/admin/users/:id', { params: { id: viewer.id }, body });
  await stream.next('rights');
});

test('who leaves the team stays signed in, and the team’s stream is over', async () => {
  const { team, client, stream, change } = await viewerAndAdministrator();
  const other = await make.team({ organizationId: team.organizationId, groupIds: team.groupIds });
  await change('viewer', other.id);
  await stream.next('rights');
  await stream.isOver;
  expect(stream.heard()).not.toContain('ended');
  expect((await client.call('GET /api/me', {})).defaultTeam).toBe(other.id);
});

test('the count of matches to review is sent to the administrators of their group, and to operators', async () => {
  const here = await make.team();
  const elsewhere = await make.team();
  const admin = async (team: typeof here, isOperator = false) => {
    const { username } = await make.user({ team, role: 'administrator', isOperator });
    return listen(await signIn(app, username));
  };
  const [mine, theirs, all] = [await admin(here), await admin(elsewhere), await admin(elsewhere, true)];
  const clinician = await listen(await signIn(app, (await make.user({ team: here, role: 'viewer' })).username));
  for (const stream of [mine, theirs, all]) expect(await stream.next('reviews')).toMatchObject({ open: 0 });
  const groupId = here.groupIds[0] ?? '';
  const { id: personId } = await make.person();
  await make.rosterPatient({ groupId, person_id: personId });
  const { id } = await make.rosterPatient({ groupId });
  const settle = (candidates: RankedCandidate[] | null) =>
    app.database.pipeline.transaction((tx) =>
      settleReviews(tx, [{ subject: { kind: 'ROSTER_PATIENT', id }, groupId, personId, candidates }], app.clock.now()),
    );
  await settle([{ personId, evidence: { bits: 20, vetoes: [] } as unknown as RankedCandidate['evidence'] }]);
  expect(await mine.next('reviews')).toMatchObject({ open: 1 });
  expect(await all.next('reviews')).toMatchObject({ open: 1 });
  await settle(null);
  expect(await mine.next('reviews')).toMatchObject({ open: 0 });
  expect(await all.next('reviews')).toMatchObject({ open: 0 });
  expect([...theirs.heard(), ...clinician.heard()].filter((kind) => kind === 'reviews')).toEqual(['reviews']);
});

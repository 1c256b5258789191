import { expect, test, vi } from 'vitest';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { listen } from '#server/testing/live.ts';
import { assign, listed, snooze, startStays, workOf } from '#server/testing/stays.ts';

const { app, make, stay, addEvent, teamOf } = await startStays();
const DAY = 86_400_000;
const NEW = { managementStatus: 'NEW' };
const OWN = (id: string) => ({ ...NEW, owner: id });

const counts = (client: Parameters<typeof listed>[0]) =>
  client.call('GET /api/pings/count/:kind', { params: { kind: 'open' } });
const closing = (eventIds: string[], patientId: string) => ({
  params: { id: patientId },
  body: { eventIdentifiers: eventIds, status: 'RESOLVED' as const, resolutions: ['NO_ACTION_NEEDED' as const] },
});
const close = (client: Parameters<typeof listed>[0], of: Awaited<ReturnType<typeof stay>>) =>
  client.call('POST /api/patients/:id/events/management-status/bulk', closing([...of.eventIds], of.patientId));

test('a stay that is given to a colleague is theirs for the whole team, in lists, counts and the history', async () => {
  const { groupId, members, first } = await teamOf(2);
  const second = members[1] as typeof first;
  const [taken, free] = [await stay(groupId), await stay(groupId)];
  expect(await listed(first.client, { ...NEW, owner: 'NONE' })).toHaveLength(2);
  const { work, refused } = await assign(first.client, taken, second.id);
  expect(refused).toBeNull();
  expect(work?.owner).toMatchObject({ id: second.id, at: app.clock.now().toISOString() });
  expect(await listed(second.client, OWN(second.id))).toEqual([taken.patientId]);
  expect(await listed(first.client, { ...NEW, owner: 'NONE' })).toEqual([free.patientId]);
  const { facets } = await first.client.call('POST /api/pings', { body: {} });
  expect(facets.owner?.options.map(({ value, count }) => [value, count]).toSorted()).toEqual(
    [
      ['NONE', 1],
      [second.id, 1],
    ].toSorted((a, b) => String(a).localeCompare(String(b))),
  );
  await assign(second.client, taken, null);
  expect(await listed(second.client, OWN(second.id))).toEqual([]);
  const history = await first.client.call('GET /api/patients/:id/work-history', { params: { id: taken.patientId } });
  expect(history.map(({ kind, before, after, by }) => [kind, before.owner, after.owner, by])).toEqual([
    ['ASSIGN', work?.owner?.name, null, 'Ama Osei'],
    ['ASSIGN', null, work?.owner?.name, work?.owner?.by],
  ]);
});

test('of two people who change a stay at once the first wins, and the other learns who and when', async () => {
  const { groupId, members, first } = await teamOf(2);
  const second = members[1] as typeof first;
  const of = await stay(groupId);
  const { work } = await assign(first.client, of, first.id, '0');
  const late = await assign(second.client, of, second.id, '0');
  expect(late).toMatchObject({
    work: null,
    refused: { errorKey: 'CHANGED_BY_OTHER', first: { name: work?.owner?.by, date: app.clock.now().toISOString() } },
  });
  expect((await snooze(second.client, of, 'EVENT', { version: '0' })).refused?.errorKey).toBe('CHANGED_BY_OTHER');
  expect((await workOf(first.client, of)).owner?.id).toBe(first.id);
  expect((await assign(second.client, of, second.id, work?.version)).refused).toBeNull();
});

test('any new event ends a wait, also one that the snoozer has not seen', async () => {
  const { groupId, first } = await teamOf();
  const [of, dated] = [await stay(groupId), await stay(groupId)];
  expect((await snooze(first.client, of, 'EVENT')).work?.waiting).toMatchObject({ until: null });
  expect((await snooze(first.client, dated, '2026-12-01')).work?.waiting).not.toBeNull();
  expect(await listed(first.client, { ...NEW, waiting: 'WAITING' })).toHaveLength(2);
  expect(await listed(first.client, { needsAction: 'YES' })).toEqual([]);
  for (const each of [of, dated]) {
    const seen = [...each.eventIds];
    await addEvent(groupId, each, 'TRANSFER');
    expect((await workOf(first.client, each)).waiting).toBeNull();
    const refused = await snooze(first.client, each, 'EVENT', { seen });
    expect(refused.refused).toMatchObject({ errorKey: 'CHANGED_BY_OTHER', first: null });
  }
  expect(await listed(first.client, { ...NEW, waiting: 'WAITING' })).toEqual([]);
  expect(await listed(first.client, { needsAction: 'YES' })).toHaveLength(2);
  await snooze(first.client, of, 'EVENT');
  expect((await snooze(first.client, of, null)).work?.waiting).toBeNull();
});

test('a stay that a colleague has closed does not wait; it keeps its owner, and comes back to them', async () => {
  const { groupId, members, first } = await teamOf(2);
  const second = members[1] as typeof first;
  const of = await stay(groupId);
  await assign(first.client, of, first.id);
  await close(second.client, of);
  const { refused } = await snooze(first.client, of, 'EVENT');
  expect(refused?.errorKey).toBe('PING_CHANGED_BY_OTHER');
  expect(refused?.first?.name).toBeTruthy();
  expect(await listed(first.client, { managementStatus: 'RESOLVED', owner: first.id })).toEqual([of.patientId]);
  await addEvent(groupId, of, 'DISCHARGE');
  expect(await listed(first.client, OWN(first.id))).toEqual([of.patientId]);
});

test('a day that is past, too far ahead or none is refused, and nothing changes', async () => {
  const { groupId, first } = await teamOf();
  const of = await stay(groupId);
  for (const until of ['2026-11-20', '2026-12-21', '2026-02-30', '2026-11-31'])
    await expect(snooze(first.client, of, until, { version: '0' })).rejects.toMatchObject({
      body: { errorKey: 'BAD_REQUEST', fields: { until: expect.any(String) } },
    });
  expect((await snooze(first.client, of, '2026-12-20')).refused).toBeNull();
  expect(await workOf(first.client, await stay(groupId))).toEqual({ version: '0', owner: null, waiting: null });
});

test('only active users who may see the team’s pings can be chosen, and are found by either name', async () => {
  const { organizationId, groupId, member, team, first } = await teamOf();
  const of = await stay(groupId);
  const nina = await make.user({ team, firstName: 'Nina', lastName: 'Okafor' });
  const gone = await make.user({ team });
  const blind = await make.user({ team, removed: ['canViewPings'] });
  const invited = await make.user({ team });
  await app.database.pipeline.query(sql`update users set disabled_at = ${app.clock.now()} where id = ${gone.id}`);
  await app.database.pipeline.query(sql`update users set activated_at = null where id = ${invited.id}`);
  const elsewhere = await member('care coordinator', await make.team({ organizationId, groupIds: [groupId] }));
  const search = async (query: string) =>
    (await first.client.call('POST /api/colleagues', { body: { query } })).map(({ name }) => name);
  expect(await search('nin')).toEqual(['Nina Okafor']);
  expect(await search('OKAF')).toEqual(['Nina Okafor']);
  expect(await search('kafor')).toEqual([]);
  expect(await first.client.call('POST /api/colleagues', { body: {} })).toHaveLength(2);
  expect((await assign(first.client, of, nina.id)).refused).toBeNull();
  for (const { id } of [gone, blind, invited, elsewhere])
    await expect(assign(first.client, of, id)).rejects.toMatchObject({ body: { errorKey: 'BAD_REQUEST' } });
});

test('colleagues of the same name are told apart by their user names', async () => {
  const { groupId, team, first } = await teamOf();
  const [one, two] = [
    await make.user({ team, firstName: 'Nina', lastName: 'Okafor' }),
    await make.user({ team, firstName: 'Nina', lastName: 'Okafor' }),
  ];
  const found = await first.client.call('POST /api/colleagues', { body: { query: 'nina' } });
  expect(found).toEqual([one, two].map(({ id, username }) => ({ id, name: `Nina Okafor (${username})` })));
  const { work } = await assign(first.client, await stay(groupId), two.id);
  expect(work?.owner?.name).toBe(`Nina Okafor (${two.username})`);
});

test('another team of the same group neither sees nor changes it', async () => {
  const { organizationId, groupId, member, first } = await teamOf();
  const other = await member('care coordinator', await make.team({ organizationId, groupIds: [groupId] }));
  const of = await stay(groupId);
  const [mine, theirs] = [await listen(first.client), await listen(other.client)];
  await Promise.all([mine.next('counts'), theirs.next('counts')]);
  const given = await assign(first.client, of, first.id);
  expect(await mine.next('stay')).toEqual({ patientId: of.patientId, version: given.work?.version });
  expect(await workOf(other.client, of)).toEqual({ version: '0', owner: null, waiting: null });
  expect(await listed(other.client, { ...NEW, owner: 'NONE' })).toEqual([of.patientId]);
  expect(await other.client.call('GET /api/patients/:id/work-history', { params: { id: of.patientId } })).toEqual([]);
  const taken = await assign(other.client, of, other.id);
  expect(await theirs.next('stay')).toEqual({ patientId: of.patientId, version: taken.work?.version });
  expect(theirs.heard().filter((kind) => kind === 'stay')).toHaveLength(1);
  expect((await workOf(first.client, of)).owner?.id).toBe(first.id);
});

test('row-level security shows a team’s rows to that team only', async () => {
  const { groupId, team, first } = await teamOf();
  const other = await teamOf();
  const of = await stay(groupId);
  await assign(first.client, of, first.id);
  const seenBy = async (teamId: string, groups: string[]) => {
    const settings = { 'tidings.team_id': teamId, 'tidings.group_ids': `{${groups.join(',')}}` };
    return app.database.app.transaction(
      async (tx) => {
        const { rowCount } = await tx.query(sql`select from stay_work where encounter_id = ${of.encounter.id}`);
        const { rowCount: changes } = await tx.query(sql`select from stay_work_changes`);
        return [rowCount, changes > 0];
      },
      { settings },
    );
  };
  expect(await seenBy(team.id, [groupId])).toEqual([1, true]);
  expect(await seenBy(other.team.id, [groupId])).toEqual([0, false]);
  expect(await seenBy(team.id, [])).toEqual([0, false]);
});

test('changing takes canManagePings in a group that has a ping of the stay; a stranger gets the same answer as for no one', async () => {
  const { organizationId, groupId, member, first } = await teamOf();
  const of = await stay(groupId);
  const { client: viewer } = await member('viewer');
  const body = { stays: [{ patientId: of.patientId, expectedVersion: '0' }], userId: first.id };
  expect((await errorOf(viewer, 'POST /api/stays/assign', { body })).errorKey).toBe('NOT_PERMITTED');
  expect((await workOf(viewer, of)).owner).toBeNull();
  const { id: elsewhere } = await make.group({ organizationId });
  const mixed = await make.team({ organizationId, groupIds: [groupId, elsewhere] });
  const user = await make.user({ team: mixed, role: 'viewer' });
  await grantRole(app.database.pipeline, {
    userId: user.id,
    teamId: mixed.id,
    groupId: elsewhere,
    role: 'care coordinator',
  });
  const partly = await signIn(app, user.username);
  const [outcome] = await partly.call('POST /api/stays/assign', { body: { ...body, userId: user.id } });
  expect(outcome?.refused?.errorKey).toBe('NOT_FOUND');
  const stranger = (await teamOf()).first;
  const refused = await assign(stranger.client, of, stranger.id, '0');
  expect(refused.refused?.errorKey).toBe('NOT_FOUND');
  const unpinged = await make.rosterPatient({ groupId });
  const without = { ...of, patientId: `${unpinged.id}_0` };
  expect((await assign(first.client, without, first.id, '0')).refused?.errorKey).toBe('NOT_FOUND');
});

test('each change is one entry of the audit log, of that patient, with ids only', async () => {
  const { groupId, first } = await teamOf();
  const [one, two] = [await stay(groupId), await stay(groupId)];
  const stays = [one, two].map(({ patientId }) => ({ patientId, expectedVersion: '0' }));
  await first.client.call('POST /api/stays/assign', { body: { stays, userId: first.id } });
  await snooze(first.client, one, 'EVENT');
  const { rows } = await app.database.pipeline.query<{ action: string; patient_ids: string[]; detail: object }>(sql`
    select action, patient_ids, detail from audit_entries
    where patient_ids && ${[one.rosterPatientId, two.rosterPatientId]}::bigint[] and action in ('stay.assign', 'stay.snooze') order by id`);
  const detail = { from: null, to: first.id, waits: null };
  expect(rows).toEqual([
    { action: 'stay.assign', patient_ids: [one.rosterPatientId], detail: { ...detail, encounterId: one.encounter.id } },
    { action: 'stay.assign', patient_ids: [two.rosterPatientId], detail: { ...detail, encounterId: two.encounter.id } },
    {
      action: 'stay.snooze',
      patient_ids: [one.rosterPatientId],
      detail: { from: first.id, to: first.id, waits: 'EVENT', encounterId: one.encounter.id },
    },
  ]);
});

test('a wait ends on its day, and stays among the open ones until then', async () => {
  const { groupId, member, first } = await teamOf();
  const [of, other] = [await stay(groupId), await stay(groupId)];
  const { work } = await snooze(first.client, of, '2026-11-23');
  expect(work?.waiting).toMatchObject({ until: '2026-11-23' });
  expect(await listed(first.client, NEW)).toHaveLength(2);
  expect((await counts(first.client)).count).toBe(2);
  expect(await listed(first.client, { ...NEW, waiting: '!WAITING' })).toEqual([other.patientId]);
  expect(await listed(first.client, { ...NEW, waiting: 'WAITING' })).toEqual([of.patientId]);
  app.clock.advance(3 * DAY);
  const { client } = await member();
  expect((await workOf(client, of)).waiting).toBeNull();
  await vi.waitFor(async () => expect(await listed(client, { ...NEW, waiting: 'WAITING' })).toEqual([]), 10_000);
});

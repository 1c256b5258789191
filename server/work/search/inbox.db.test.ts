import { expect, test } from 'vitest';
import { PERMISSION_FLAGS } from '#contract/permissions.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { makeActor } from '#server/people/access/actor.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { countInbox } from './search.ts';

const app = await startApp();
const { make } = app;

async function coordinator(groups = 1) {
  const { id: organizationId } = await make.organization();
  const groupIds: string[] = [];
  for (let n = 0; n < groups; n += 1) groupIds.push((await make.group({ organizationId })).id);
  const team = await make.team({ organizationId, groupIds });
  return {
    groupIds: groupIds as [string, ...string[]],
    client: await signIn(app, (await make.user({ team })).username),
  };
}

const list = (client: Client, body: SearchParametersInput = {}) => client.call('POST /api/pings', { body });
const withStatus = (...values: string[]): SearchParametersInput => ({
  userDefinedFacetPreferences: {
    preferenceMap: { managementStatus: values.map((value) => ({ field: 'managementStatus', value })) },
  },
});
const at = (hour: number) => new Date(`2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`);

test('a person and an encounter are one row, with the newest ping, and all pings in the encounter', async () => {
  const { groupIds, client } = await coordinator();
  const [groupId] = groupIds;
  const encounter = await make.encounter();
  const admit = await make.event({ encounterId: encounter.id, code: 'ADMIT', at: at(8) });
  const transfer = await make.event({ encounterId: encounter.id, code: 'TRANSFER', at: at(9) });
  const first = await make.ping({ groupId, encounter, eventId: admit.id, event_at: at(8), is_current: false });
  await make.ping({
    groupId,
    encounter,
    eventId: transfer.id,
    rosterPatientId: first.rosterPatientId,
    event_at: at(9),
  });
  const { patients, total } = await list(client);
  expect(total).toBe(1);
  expect(patients[0]?.id).toBe(first.patientId);
  expect(patients[0]?.currentPing?.status).toBe('TRANSFER');
  expect(patients[0]?.currentPingEncounter?.pings.map((ping) => ping.status)).toEqual(['TRANSFER', 'ADMIT']);
});

test('a person listed by two groups of the team is one row under the oldest listing, also when limited to one group', async () => {
  const { groupIds, client } = await coordinator(2);
  const [a, b] = groupIds as [string, string];
  const encounter = await make.encounter();
  const event = await make.event({ encounterId: encounter.id });
  const older = await make.ping({ groupId: b, encounter, eventId: event.id });
  await make.ping({ groupId: a, encounter, eventId: event.id });
  const { patients } = await list(client);
  expect(patients.map(({ id }) => id)).toEqual([older.patientId]);
  expect(patients[0]?.listings.map(({ groupId }) => groupId)).toEqual([b, a]);
  expect((await list(client, { visibleTo: [a] })).total).toBe(1);
});

test('the list defaults to NEW; other statuses can be requested or excluded', async () => {
  const { groupIds, client } = await coordinator();
  for (const status of ['NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED'] as const)
    await make.ping({ groupId: groupIds[0], status });
  const statuses = async (body: SearchParametersInput) =>
    (await list(client, body)).patients
      .map(({ currentPing }) => currentPing?.currentManagementStatus.status ?? '')
      .toSorted((a, b) => a.localeCompare(b));
  expect(await statuses({})).toEqual(['NEW']);
  expect(await statuses(withStatus('RESOLVED', 'DISMISSED'))).toEqual(['DISMISSED', 'RESOLVED']);
  const negated = { managementStatus: [{ field: 'managementStatus', value: 'NEW', negated: true }] };
  expect(await statuses({ userDefinedFacetPreferences: { preferenceMap: negated } })).toEqual([
    'DISMISSED',
    'IN_PROGRESS',
    'RESOLVED',
  ]);
  await expect(list(client, withStatus('NOPE'))).rejects.toMatchObject({ status: 400 });
});

test('pages are stable and sorted; a page past the end is empty but has the total', async () => {
  const { groupIds, client } = await coordinator();
  const [groupId] = groupIds;
  for (const [index, name] of ['Brandt', 'Adeyemi', 'Castell', 'Dahl', 'Ekwueme'].entries()) {
    const encounter = await make.encounter();
    const listing = await make.rosterPatient({
      groupId,
      personId: encounter.personId,
      last_name: name,
      sort_last: name.toLowerCase(),
    });
    const event = await make.event({ encounterId: encounter.id, at: at(index + 1) });
    await make.ping({ groupId, encounter, eventId: event.id, rosterPatientId: listing.id, event_at: at(index + 1) });
  }
  const names = async (body: SearchParametersInput) =>
    (await list(client, body)).patients.map(({ lastName }) => lastName);
  expect(await names({})).toEqual(['Ekwueme', 'Dahl', 'Castell', 'Adeyemi', 'Brandt']);
  expect(await names({ pageSize: 2, pageNumber: 2 })).toEqual(['Castell', 'Adeyemi']);
  expect(await names({ sortBy: ['LAST_NAME'], sortOrder: 'ASC' })).toEqual([
    'Adeyemi',
    'Brandt',
    'Castell',
    'Dahl',
    'Ekwueme',
  ]);
  expect(await list(client, { pageSize: 2, pageNumber: 9 })).toMatchObject({ patients: [], total: 5, numPages: 3 });
});

test('only the hash of a changed row changes', async () => {
  const { groupIds, client } = await coordinator();
  const [groupId] = groupIds;
  const pings = [await make.ping({ groupId }), await make.ping({ groupId })];
  const before = await client.call('POST /api/pings-result-hashes', { body: withStatus('NEW', 'IN_PROGRESS') });
  const shown = await list(client, withStatus('NEW', 'IN_PROGRESS'));
  expect(shown.hash).toBe(before.hash);
  const order = shown.patients.map(({ id }) => id);
  const changed = pings[0] as (typeof pings)[number];
  await client.call('POST /api/patients/:id/events/management-status', {
    params: { id: changed.patientId },
    body: { eventIdentifier: changed.eventId, status: 'IN_PROGRESS' },
  });
  const after = await client.call('POST /api/pings-result-hashes', { body: withStatus('NEW', 'IN_PROGRESS') });
  expect(after.hash).not.toBe(before.hash);
  expect(after.hashes.map((hash, index) => hash === before.hashes[index])).toEqual(
    order.map((id) => id !== changed.patientId),
  );
});

test('without canViewAllPatientDetails, address, phones, insurance and member ids are hidden', async () => {
  const team = await make.team();
  const ping = await make.ping({ groupId: team.groupIds[0] });
  const viewer = await signIn(app, (await make.user({ team, role: 'viewer' })).username);
  const patient = await viewer.call('GET /api/patients/:id', { params: { id: ping.patientId } });
  expect(patient).toMatchObject({ address: null, detailsVisible: false, insurancePlans: [] });
  expect(patient.listings.map(({ memberId }) => memberId)).toEqual([null]);
});

test("another team's patient is a 404, the same as one that does not exist", async () => {
  const { client } = await coordinator();
  const ping = await make.ping();
  const bodies = await Promise.all(
    [ping.patientId, '999999999_0', `${ping.rosterPatientId}_0`].map(async (id) => {
      const response = await client.fetch(`/api/patients/${id}`);
      expect(response.status).toBe(404);
      return { ...((await response.json()) as Record<string, unknown>), requestId: '' };
    }),
  );
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
});

test('the counts of the tabs equal the lists, for one group and for several', async () => {
  for (const groups of [1, 3]) {
    const { groupIds, client } = await coordinator(groups);
    const statuses = ['NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED'] as const;
    for (let n = 0; n < 24; n += 1) {
      const encounter = await make.encounter();
      const older = await make.event({ encounterId: encounter.id, code: 'ADMIT', at: at(8) });
      const newer = await make.event({ encounterId: encounter.id, code: 'TRANSFER', at: at(9) });
      for (const [index, groupId] of groupIds.entries()) {
        const event = (n + index) % 3 === 0 ? older : newer;
        await make.ping({
          groupId,
          encounter,
          eventId: event.id,
          event_at: event === older ? at(8) : at(9),
          status: statuses[(n + index * 3) % 4] ?? 'NEW',
          state: n % 5 === index ? 'CANCELLED' : 'ACTIVE',
        });
      }
    }
    const permissions = new Map(groupIds.map((id) => [id, new Set(PERMISSION_FLAGS)]));
    const actor = makeActor({
      userId: '1',
      username: 'rosa@tidings.test',
      displayName: 'Rosa Diaz',
      timeZone: 'America/New_York',
      organizationId: '1',
      isOperator: false,
      teamId: '1',
      permissions,
    });
    const counted = await countInbox({ pool: app.search }, { actor, now: app.clock.now(), after: 'now' });
    const counts = counted.byStatus;
    for (const status of statuses) {
      const listed = await list(client, { ...withStatus(status), pageSize: 100 });
      expect([status, listed.total, listed.patients.length]).toEqual([status, counts[status], counts[status]]);
    }
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(24);
    const needsAction = [{ field: 'needsAction', value: 'YES' }];
    const needed = await list(client, { userDefinedFacetPreferences: { preferenceMap: { needsAction } } });
    expect(counted.needsAction).toBe(needed.total);
    expect(needed.total).toBeGreaterThan(0);
  }
});

test('viewing a page is audited with the patients on it', async () => {
  const { groupIds, client } = await coordinator();
  const ping = await make.ping({ groupId: groupIds[0] });
  await list(client);
  const { rows } = await app.database.pipeline.query(
    `select patient_ids as shown, detail -> 'answered' as answered, user_id is not null as "isKnown" from audit_entries where action = 'inbox.view' and team_id = $1`,
    [client.teamId],
  );
  const answered = { total: 1, visits: [Number(ping.encounterId)], facetValues: expect.any(Number) as number };
  expect(rows).toEqual([{ shown: [ping.rosterPatientId], answered, isKnown: true }]);
});

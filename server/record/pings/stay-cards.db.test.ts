import { expect, test } from 'vitest';
import type { EventCode } from '#contract/event-codes.ts';
import { CallError, type Client, signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make } = app;
const at = (hour: number) => new Date(`2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`);

/** Creates a stay with these events, an hour apart, and a ping of each. */
async function stay(groupId: string, codes: readonly EventCode[]) {
  const encounter = await make.encounter();
  const { id: rosterPatientId } = await make.rosterPatient({ groupId, personId: encounter.personId });
  const eventIds: string[] = [];
  for (const [n, code] of codes.entries()) {
    const { id: eventId } = await make.event({ encounterId: encounter.id, code, at: at(8 + n) });
    eventIds.push(eventId);
    const times = { event_at: at(8 + n), created_at: at(8 + n), is_current: n === codes.length - 1 };
    await make.ping({ groupId, encounter, eventId, rosterPatientId, ...times });
  }
  return { patientId: `${rosterPatientId}_${encounter.id}`, eventIds };
}

async function coordinators(users = 1) {
  const team = await make.team();
  const clients: Client[] = [];
  for (let n = 0; n < users; n += 1) clients.push(await signIn(app, (await make.user({ team })).username));
  return { team, groupId: team.groupIds[0] as string, clients: clients as [Client, ...Client[]] };
}

type Stay = Awaited<ReturnType<typeof stay>>;

const changeAll = (client: Client, { patientId, eventIds }: Stay, body: { expectedStatusIds?: string[] } = {}) =>
  client.call('POST /api/patients/:id/events/management-status/bulk', {
    params: { id: patientId },
    body: { eventIdentifiers: eventIds, status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'], ...body },
  });
const change = (client: Client, { patientId, eventIds }: Stay, n: number, status: 'RESOLVED' | 'IN_PROGRESS') =>
  client.call('POST /api/patients/:id/events/management-status', {
    params: { id: patientId },
    body: {
      eventIdentifier: eventIds[n] ?? '',
      status,
      resolutions: status === 'RESOLVED' ? ['NO_ACTION_NEEDED'] : [],
    },
  });
const listed = async (client: Client, status: string) => {
  const preferenceMap = { managementStatus: [{ field: 'managementStatus', value: status }] };
  const { patients } = await client.call('POST /api/pings', {
    body: { userDefinedFacetPreferences: { preferenceMap } },
  });
  return patients.map(({ id, card }) => [id, card?.status]);
};
const counts = async (client: Client) => {
  const kinds = ['open', 'resolved'] as const;
  const [open, resolved] = await Promise.all(
    kinds.map((kind) => client.call('GET /api/pings/count/:kind', { params: { kind } })),
  );
  return [open?.count, resolved?.count];
};

test('only reasons that fit the team and the patient are offered', async () => {
  const { groupId, clients } = await coordinators();
  const offered = async (patientId: string) =>
    (await clients[0].call('GET /api/patients/:id', { params: { id: patientId } })).card?.abilities.resolutions;
  const visit = await stay(groupId, ['ADMIT']);
  expect(await offered(visit.patientId)).toEqual([
    'BACK_ON_CENSUS',
    'CONTACTED_PATIENT',
    'CONTACTED_FACILITY',
    'SCHEDULED_FOLLOWUP',
    'NO_ACTION_NEEDED',
    'OTHER',
  ]);
  const [, encounterId] = visit.patientId.split('_');
  await app.database.pipeline.query('update encounters set group_id = $1 where id = $2', [groupId, encounterId]);
  expect(await offered(visit.patientId)).not.toContain('CONTACTED_FACILITY');
  await app.database.pipeline.query(
    'update source_patients set deceased = true where id = (select source_patient_id from encounters where id = $1)',
    [encounterId],
  );
  expect(await offered(visit.patientId)).toEqual(['NO_ACTION_NEEDED', 'OTHER']);
});

test('a stay leaves the open lists only when none of its pings is open', async () => {
  const { groupId, clients } = await coordinators();
  const [client] = clients;
  const visit = await stay(groupId, ['ADMIT', 'TRANSFER', 'DISCHARGE']);
  await change(client, visit, 2, 'RESOLVED');
  expect(await listed(client, 'NEW')).toEqual([[visit.patientId, 'NEW']]);
  await change(client, visit, 0, 'IN_PROGRESS');
  expect(await listed(client, 'NEW')).toEqual([[visit.patientId, 'NEW']]);
  await change(client, visit, 1, 'RESOLVED');
  expect(await listed(client, 'IN_PROGRESS')).toEqual([[visit.patientId, 'IN_PROGRESS']]);
  expect(await counts(client)).toEqual([1, 0]);
  await change(client, visit, 0, 'RESOLVED');
  expect(await listed(client, 'RESOLVED')).toEqual([[visit.patientId, 'RESOLVED']]);
  expect(await counts(client)).toEqual([0, 1]);
});

test('a change of the stay covers its open pings, all or none, and each has its own history', async () => {
  const { groupId, clients } = await coordinators(2);
  const [client, colleague] = clients as [Client, Client];
  const visit = await stay(groupId, ['ADMIT', 'DISCHARGE']);
  await change(colleague, visit, 0, 'IN_PROGRESS');
  const refused = await changeAll(client, visit, { expectedStatusIds: ['0', '0'] }).catch((error: unknown) => error);
  expect((refused as CallError).body.errorKey).toBe('PING_CHANGED_BY_OTHER');
  expect(await listed(client, 'NEW')).toEqual([[visit.patientId, 'NEW']]);
  const { card } = await client.call('GET /api/patients/:id', { params: { id: visit.patientId } });
  const open = card?.open ?? [];
  expect(open.map(({ eventIdentifier }) => eventIdentifier)).toEqual(visit.eventIds.toReversed());
  const eventIds = open.map(({ eventIdentifier }) => eventIdentifier);
  const expectedStatusIds = open.map(({ statusId }) => statusId);
  const changed = await changeAll(client, { ...visit, eventIds }, { expectedStatusIds });
  expect(changed.map(({ eventIdentifier, status }) => [eventIdentifier, status])).toEqual(
    eventIds.map((id) => [id, 'RESOLVED']),
  );
  const historyOf = (eventIdentifier: string) =>
    client.call('POST /api/patients/:id/events/management-status-history', {
      params: { id: visit.patientId },
      body: { eventIdentifier },
    });
  expect((await historyOf(visit.eventIds[0] ?? '')).map(({ status }) => status)).toEqual(['RESOLVED', 'IN_PROGRESS']);
  expect((await historyOf(visit.eventIds[1] ?? '')).map(({ status }) => status)).toEqual(['RESOLVED']);
  const foreign = await stay((await coordinators()).groupId, ['ADMIT']);
  const mixed = await changeAll(client, { ...visit, eventIds: [...visit.eventIds, ...foreign.eventIds] }).catch(
    (error: unknown) => error,
  );
  expect((mixed as CallError).body.errorKey).toBe('NOT_FOUND');
});

test('a closed stay has the status, the reason and the date of the ping that was closed last', async () => {
  const { groupId, clients } = await coordinators();
  const [client] = clients;
  const visit = await stay(groupId, ['ADMIT', 'DISCHARGE']);
  await change(client, visit, 1, 'RESOLVED');
  await client.call('POST /api/patients/:id/events/management-status', {
    params: { id: visit.patientId },
    body: { eventIdentifier: visit.eventIds[0] ?? '', status: 'DISMISSED' },
  });
  expect(await listed(client, 'DISMISSED')).toEqual([[visit.patientId, 'DISMISSED']]);
  expect(await listed(client, 'RESOLVED')).toEqual([]);
});

test('the headline is no payer change and no move, and what is unread is unread for one person', async () => {
  const { groupId, clients } = await coordinators(2);
  const [client, colleague] = clients as [Client, Client];
  const visit = await stay(groupId, ['ADMIT', 'TRANSFER', 'PAYOR_CHANGE']);
  const open = (as: Client) => as.call('GET /api/patients/:id', { params: { id: visit.patientId } });
  const { card, currentPing } = await open(client);
  expect(currentPing?.status).toBe('PAYOR_CHANGE');
  expect(card?.headline.eventIdentifier).toBe(visit.eventIds[0]);
  expect(card?.unread).toEqual(visit.eventIds.toReversed());
  const seen = (until: Date) =>
    client.call('POST /api/patients/:id/events/seen', {
      params: { id: visit.patientId },
      body: { until: until.toISOString() },
    });
  await seen(at(9));
  await seen(at(8));
  expect((await open(client)).card?.unread).toEqual([visit.eventIds[2]]);
  expect((await open(colleague)).card?.unread).toHaveLength(3);
  const { card: inList } = (await client.call('POST /api/pings', { body: {} })).patients[0] ?? {};
  expect(inList?.unread).toEqual([visit.eventIds[2]]);
});

test('an event that reopens a closed stay says who had closed it', async () => {
  const { groupId, clients } = await coordinators();
  const [client] = clients;
  const visit = await stay(groupId, ['ADMIT']);
  const [closed] = await changeAll(client, visit);
  const [, encounterId = ''] = visit.patientId.split('_');
  const { rows } = await app.database.pipeline.query<{ personId: string }>(
    'select person_id as "personId" from encounters where id = $1',
    [encounterId],
  );
  const encounter = { id: encounterId, personId: rows[0]?.personId ?? '' };
  const event = await make.event({ encounterId, code: 'DISCHARGE', at: at(12) });
  const later = new Date(Date.parse(closed?.date ?? '') + 60_000);
  await app.database.pipeline.query('update pings set is_current = false where event_id = $1', [visit.eventIds[0]]);
  await make.ping({
    groupId,
    encounter,
    eventId: event.id,
    rosterPatientId: visit.patientId.split('_')[0] ?? '',
    event_at: at(12),
    created_at: later,
  });
  const { card } = await client.call('GET /api/patients/:id', { params: { id: visit.patientId } });
  expect(card).toMatchObject({
    status: 'NEW',
    reopened: { date: later.toISOString(), closedBy: closed?.displayName },
    open: [{ eventIdentifier: event.id }],
  });
});

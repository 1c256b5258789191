import { expect, test } from 'vitest';
import { MOST_STAYS_OF_CALL } from '#contract/worklist-words.ts';
import { sql } from '#server/platform/database/sql.ts';
import { errorOf } from '#server/testing/calls.ts';
import { assign, listed, type Stay, snooze, startStays, workOf } from '#server/testing/stays.ts';

const { app, stay, teamOf } = await startStays();
const { database } = app;
type Client = Parameters<typeof listed>[0];

const statusOf = (of: Stay, expected = '0') => ({
  patientId: of.patientId,
  eventIdentifiers: [...of.eventIds],
  expectedStatusIds: of.eventIds.map(() => expected),
});
const setStatus = (
  client: Client,
  stays: ReturnType<typeof statusOf>[],
  status: 'DISMISSED' | 'IN_PROGRESS' = 'DISMISSED',
) => client.call('POST /api/stays/management-status', { body: { stays, status } });
const done = async (client: Client) => (await client.call('GET /api/recently-done', { query: {} })).items;
const undo = async (client: Client, n: number) => {
  const item = (await done(client))[n];
  if (!item?.undo) throw new Error('Nothing to undo');
  return { body: item.undo };
};
const KEY = 'POST /api/recently-done/undo';

test('each of many stays is changed for itself: those that someone else changed first say who', async () => {
  const { groupId, members, first } = await teamOf(2);
  const second = members[1] as typeof first;
  const stays = [await stay(groupId, ['ADMIT', 'TRANSFER']), await stay(groupId), await stay(groupId)] as const;
  await setStatus(second.client, [statusOf(stays[1])], 'IN_PROGRESS');
  const foreign = await stay((await teamOf()).groupId);
  const outcomes = await setStatus(
    first.client,
    [...stays, foreign].map((of) => statusOf(of)),
  );
  expect(outcomes.map(({ statusIds, refused }) => [statusIds?.length ?? 0, refused?.errorKey])).toEqual([
    [2, undefined],
    [0, 'PING_CHANGED_BY_OTHER'],
    [1, undefined],
    [0, 'NOT_FOUND'],
  ]);
  expect(outcomes[1]?.refused?.first).toEqual({ name: expect.any(String), date: app.clock.now().toISOString() });
  expect(await listed(first.client, { managementStatus: 'DISMISSED' })).toHaveLength(2);
  const { rows } = await database.pipeline.query<{ entries: number }>(sql`
    select count(*)::int as entries from audit_entries where action = 'ping.status' and subject_id = ${stays[0].eventIds[0]}`);
  expect(rows[0]?.entries).toBe(1);
});

test('what was done names the patient with the member id, for those who may see it', async () => {
  const { groupId, first } = await teamOf();
  const changed = await stay(groupId);
  await setStatus(first.client, [statusOf(changed)]);
  const { rows } = await database.pipeline.query<{ memberId: string }>(sql`
    select member_id as "memberId" from roster_patients where id = ${changed.patientId.split('_')[0] ?? ''}`);
  expect(rows[0]?.memberId).toBeTruthy();
  expect((await done(first.client))[0]?.memberId).toBe(rows[0]?.memberId);
  await database.owner.query(`
    update tidings.grants set removed = removed || 'canViewAllPatientDetails'::text where user_id = ${Number(first.id)}`);
  expect((await done(first.client))[0]?.memberId).toBeNull();
});

test('a stay that fails by no one’s fault is named, and the others are changed', async () => {
  const { groupId, first } = await teamOf();
  const stays = [await stay(groupId), await stay(groupId), await stay(groupId)] as const;
  await database.owner.query(`
    create function break_one() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger break_one before update on tidings.pings for each row
      when (old.encounter_id = ${Number(stays[1].encounter.id)}) execute function break_one()`);
  const outcomes = await setStatus(
    first.client,
    stays.map((of) => statusOf(of)),
  );
  await database.owner.query('drop trigger break_one on tidings.pings; drop function break_one()');
  expect(outcomes.map(({ statusIds, refused }) => [statusIds?.length ?? 0, refused?.errorKey])).toEqual([
    [1, undefined],
    [0, 'INTERNAL'],
    [1, undefined],
  ]);
  expect(await listed(first.client, { managementStatus: 'NEW' })).toEqual([stays[1].patientId]);
});

test('a call changes a limited number of stays, and nothing of a call that is invalid as a whole', async () => {
  const { groupId, first } = await teamOf();
  const of = await stay(groupId);
  const stays = Array.from({ length: MOST_STAYS_OF_CALL + 1 }, () => statusOf(of));
  const tooMany = await errorOf(first.client, 'POST /api/stays/management-status', { body: { stays, status: 'NEW' } });
  expect(tooMany.errorKey).toBe('BAD_REQUEST');
  const noReason = { stays: [statusOf(of)], status: 'RESOLVED' as const };
  expect((await errorOf(first.client, 'POST /api/stays/management-status', { body: noReason })).errorKey).toBe(
    'RESOLUTION_REQUIRED',
  );
  expect(await listed(first.client, { managementStatus: 'NEW' })).toEqual([of.patientId]);
});

test('a shift is handed over as a whole, closed stays too, and only what the user has', async () => {
  const { groupId, members, first, member } = await teamOf(2);
  const second = members[1] as typeof first;
  const [one, two, theirs, free] = [await stay(groupId), await stay(groupId), await stay(groupId), await stay(groupId)];
  for (const of of [one, two]) await assign(first.client, of, first.id);
  await assign(second.client, theirs, second.id);
  await snooze(first.client, one, 'EVENT');
  await setStatus(first.client, [statusOf(two)]);
  expect(await first.client.call('GET /api/hand-over', {})).toEqual({ count: 2, open: 1 });
  const body = { toUserId: second.id, expectedCount: 2 };
  const stale = await errorOf(first.client, 'POST /api/hand-over', { body: { ...body, expectedCount: 3 } });
  expect(stale.errorKey).toBe('CHANGED_BY_OTHER');
  for (const toUserId of [first.id, (await teamOf()).first.id])
    expect((await errorOf(first.client, 'POST /api/hand-over', { body: { toUserId } })).errorKey).toBe('BAD_REQUEST');
  const { client: viewer } = await member('viewer');
  expect((await errorOf(viewer, 'POST /api/hand-over', { body })).errorKey).toBe('NOT_PERMITTED');
  const { date, ...given } = await first.client.call('POST /api/hand-over', { body });
  expect(given).toEqual({ count: 2, open: 1 });
  expect(await listed(second.client, { managementStatus: 'NEW', owner: second.id })).toEqual(
    [one.patientId, theirs.patientId].toSorted((a, b) => a.localeCompare(b)),
  );
  expect(await workOf(second.client, one)).toMatchObject({ owner: { id: second.id }, waiting: { until: null } });
  expect((await workOf(second.client, free)).owner).toBeNull();
  const { rows } = await database.pipeline.query<{ patient_ids: string[] }>(sql`
    select patient_ids from audit_entries where action = 'stay.hand-over' and user_id = ${first.id} and detail ? 'encounterIds' order by id`);
  expect(rows.flatMap(({ patient_ids }) => patient_ids)).toEqual([one.rosterPatientId, two.rosterPatientId]);
  expect(await first.client.call('POST /api/hand-over', { body: { toUserId: second.id } })).toMatchObject({
    count: 0,
    open: 0,
  });
  // Someone else's hand-over, and what has been changed since, stay.
  const undo = { body: { date } };
  expect((await errorOf(second.client, 'POST /api/hand-over/undo', undo)).errorKey).toBe('NOT_FOUND');
  await assign(second.client, one, null);
  expect(await first.client.call('POST /api/hand-over/undo', undo)).toEqual({ count: 1, changed: 1 });
  expect((await workOf(first.client, two)).owner).toMatchObject({ id: first.id });
  expect((await workOf(first.client, one)).owner).toBeNull();
  expect(await first.client.call('POST /api/hand-over/undo', undo)).toEqual({ count: 0, changed: 2 });
});

test('what a user did is listed newest first, and taken back where no one has changed it since', async () => {
  const { groupId, members, first } = await teamOf(2);
  const second = members[1] as typeof first;
  const [one, two] = [await stay(groupId, ['ADMIT', 'TRANSFER']), await stay(groupId)];
  await setStatus(first.client, [statusOf(one)], 'IN_PROGRESS');
  app.clock.advance(1000);
  await assign(first.client, two, second.id);
  app.clock.advance(1000);
  await snooze(first.client, two, '2026-11-25');
  const list = await done(first.client);
  expect(
    list.map(({ patientId, status, work, undo: back }) => [patientId, status?.pings ?? work?.kind, back?.kind]),
  ).toEqual([
    [two.patientId, 'SNOOZE', 'work'],
    [two.patientId, 'ASSIGN', undefined],
    [one.patientId, 2, 'status'],
  ]);
  expect(await done(second.client)).toEqual([]);
  await first.client.call(KEY, await undo(first.client, 0));
  expect(await workOf(first.client, two)).toMatchObject({ owner: { id: second.id }, waiting: null });
  await first.client.call(KEY, await undo(first.client, 3));
  expect(await listed(first.client, { managementStatus: 'NEW' })).toHaveLength(2);
  const statuses = (await done(first.client)).filter(({ status }) => status);
  expect(statuses.map(({ status, undo: back }) => [status?.status, back !== null])).toEqual([
    ['NEW', true],
    ['IN_PROGRESS', false],
  ]);
});

test('what was done is listed a page at a time, what one call changed together, without gaps or repeats', async () => {
  const { groupId, first } = await teamOf();
  const stays = await Promise.all(Array.from({ length: 60 }, () => stay(groupId)));
  const one = stays[0] as Stay;
  let statusIds = stays.map(() => '0');
  const changeAll = async (status: 'DISMISSED' | 'IN_PROGRESS') => {
    const all = stays.map((of, at) => statusOf(of, statusIds[at]));
    statusIds = (await setStatus(first.client, all, status)).map((outcome) => outcome.statusIds?.[0] ?? '');
    app.clock.advance(1000);
  };
  const page = (before?: string) => first.client.call('GET /api/recently-done', { query: { before } });
  await changeAll('DISMISSED');
  expect(await page()).toMatchObject({ items: stays.map(() => ({ work: null })), before: null });
  await assign(first.client, one, first.id);
  app.clock.advance(1000);
  await changeAll('IN_PROGRESS');
  const newest = await page();
  expect(newest.items.map(({ status }) => status?.status)).toEqual(stays.map(() => 'IN_PROGRESS'));
  const older = await page(newest.before ?? '');
  expect(older.before).toBeNull();
  expect(older.items[0]).toMatchObject({ patientId: one.patientId, work: { kind: 'ASSIGN' } });
  expect(older.items.slice(1).map(({ status }) => status?.status)).toEqual(stays.map(() => 'DISMISSED'));
});

test('an undo that someone preceded changes nothing and says who; others’ changes can’t be taken back', async () => {
  const { groupId, members, first } = await teamOf(2);
  const second = members[1] as typeof first;
  const of = await stay(groupId);
  await assign(first.client, of, first.id);
  const late = await undo(first.client, 0);
  expect((await errorOf(second.client, KEY, late)).errorKey).toBe('NOT_FOUND');
  await assign(second.client, of, second.id);
  expect((await errorOf(first.client, KEY, late)).errorKey).toBe('CHANGED_BY_OTHER');
  expect((await workOf(first.client, of)).owner?.id).toBe(second.id);
  await setStatus(first.client, [statusOf(of)], 'IN_PROGRESS');
  const lateStatus = await undo(first.client, 0);
  const statusId = lateStatus.body.kind === 'status' ? lateStatus.body.statusIds[0] : '';
  await setStatus(second.client, [statusOf(of, statusId)]);
  expect((await errorOf(first.client, KEY, lateStatus)).errorKey).toBe('PING_CHANGED_BY_OTHER');
  expect((await errorOf(second.client, KEY, lateStatus)).errorKey).toBe('NOT_FOUND');
});

test('who has a patient open is told to others of the team for 40 seconds, and kept no longer', async () => {
  const { organizationId, groupId, members, first, member } = await teamOf(2);
  const second = members[1] as typeof first;
  const [of, other] = [await stay(groupId), await stay(groupId)];
  const view = (client: Client, { patientId: id } = of) =>
    client.call('POST /api/patients/:id/viewing', { params: { id } });
  const nameOf = async ({ client }: typeof first) => {
    const { firstName, lastName } = (await client.call('GET /api/me', {})).user;
    return `${firstName} ${lastName}`;
  };
  expect(await view(first.client)).toEqual([]);
  expect(await view(second.client, other)).toEqual([]);
  expect(await view(second.client)).toEqual([await nameOf(first)]);
  const { make } = app;
  const elsewhere = await member('care coordinator', await make.team({ organizationId, groupIds: [groupId] }));
  expect(await view(elsewhere.client)).toEqual([]);
  expect(
    (await errorOf((await teamOf()).first.client, 'POST /api/patients/:id/viewing', { params: { id: of.patientId } }))
      .errorKey,
  ).toBe('NOT_FOUND');
  app.clock.advance(39_000);
  expect(await view(second.client)).toEqual([await nameOf(first)]);
  app.clock.advance(1000);
  expect(await view(second.client)).toEqual([]);
  expect(await view(first.client)).toEqual([await nameOf(second)]);
  await second.client.call('DELETE /api/patients/:id/viewing', { params: { id: of.patientId } });
  expect(await view(first.client)).toEqual([]);
  const { rows } = await database.pipeline.query<{ entries: number }>(sql`
    select count(*)::int as entries from audit_entries where action = 'patient.viewing' and user_id = ${second.id}`);
  expect(rows[0]?.entries).toBe(3);
  const { rowCount } = await database.pipeline.query(sql`select from patient_viewers where user_id = ${second.id}`);
  expect(rowCount).toBe(0);
});

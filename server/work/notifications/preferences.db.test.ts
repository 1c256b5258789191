import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { setNotification, startNotificationApp } from '#server/testing/notifications.ts';

const PATH = '/api/notification-filter-preferences';
const {
  app,
  make,
  database,
  clock,
  office,
  saveFilter,
  confirmNumber,
  notified,
  facility,
  listed,
  deliver,
  lettersOf,
} = await startNotificationApp();
const NOT_FOUND = { status: 404, errorKey: 'NOT_FOUND' };
const body = { email: true, text: false, timing: 'AT_ONCE', hour: 8, muted: false } as const;

describe('the preferences of a user', () => {
  test('are listed by filter, and a filter without one does not notify', async () => {
    const { client } = await office();
    const [first, second] = [await saveFilter(client), await saveFilter(client)];
    expect(await client.call(`GET ${PATH}`, {})).toEqual([]);
    const daily = { ...body, timing: 'DAILY', hour: 6 } as const;
    expect(await client.call(`PUT ${PATH}/:id`, { params: { id: second }, body: daily })).toEqual({
      filterId: second,
      ...daily,
    });
    await setNotification(client, first, { muted: true });
    expect(await client.call(`GET ${PATH}`, {})).toEqual([
      { filterId: first, ...body, muted: true },
      { filterId: second, ...daily },
    ]);
  });

  test('are muted and unmuted all together, and go with their filter', async () => {
    const { client } = await office();
    const ids = [await saveFilter(client), await saveFilter(client)];
    for (const id of ids) await setNotification(client, id);
    const muted = async (to: boolean) =>
      (await client.call(`PUT ${PATH}`, { body: { muted: to } })).map((each) => each.muted);
    expect(await muted(true)).toEqual([true, true]);
    expect(await muted(false)).toEqual([false, false]);
    await client.call('DELETE /api/patient-search-params/:id', { params: { id: ids[0] as string } });
    expect((await client.call(`GET ${PATH}`, {})).map(({ filterId }) => filterId)).toEqual([ids[1]]);
  });

  test('exist for no other user and team', async () => {
    const { client, team } = await notified();
    const { filterId } = await notified();
    const colleague = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
    for (const stranger of [client, colleague]) {
      expect(await errorOf(stranger, `PUT ${PATH}/:id`, { params: { id: filterId }, body })).toMatchObject(NOT_FOUND);
    }
    expect(await colleague.call(`GET ${PATH}`, {})).toEqual([]);
    await colleague.call(`PUT ${PATH}`, { body: { muted: true } });
    expect((await client.call(`GET ${PATH}`, {})).map(({ muted }) => muted)).toEqual([false]);
  });

  test('need canViewPings, and a text needs a confirmed number', async () => {
    const viewer = await office({ removed: ['canViewPings'] });
    const own = await saveFilter(viewer.client, { searchContext: 'ALL' });
    expect(await errorOf(viewer.client, `PUT ${PATH}/:id`, { params: { id: own }, body })).toMatchObject({
      errorKey: 'NOT_PERMITTED',
    });
    const user = await office();
    const id = await saveFilter(user.client);
    const text = { params: { id }, body: { ...body, text: true } };
    expect(await errorOf(user.client, `PUT ${PATH}/:id`, text)).toMatchObject({
      errorKey: 'BAD_REQUEST',
      fields: { text: 'Confirm a mobile number first.' },
    });
    await confirmNumber(user.id);
    expect(await user.client.call(`PUT ${PATH}/:id`, text)).toMatchObject({ text: true });
    expect(
      await errorOf(user.client, `PUT ${PATH}/:id`, { params: { id }, body: { ...body, hour: 24 } }),
    ).toMatchObject({
      errorKey: 'BAD_REQUEST',
    });
  });

  test('are audited by ids, without the name or the values of the filter', async () => {
    const { client, id: userId } = await office();
    const filterId = await saveFilter(client, { name: 'CANARY Quillfeather' });
    await setNotification(client, filterId);
    const { rows } = await database.owner.query<{ entry: string }>(
      sql`select row(a.*)::text as entry from audit_entries a where user_id = ${userId} and action = 'notification.change'`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.entry).not.toContain('CANARY');
  });
});

test('channels that this installation does not have cannot be turned on', async () => {
  const silent = await startNotificationApp({ config: { smtp: null, twilio: null } });
  const { client, id } = await silent.office();
  await silent.confirmNumber(id);
  const filterId = await silent.saveFilter(client);
  const error = await errorOf(client, `PUT ${PATH}/:id`, { params: { id: filterId }, body: { ...body, text: true } });
  expect(Object.keys(error.fields ?? {})).toEqual(['email', 'text']);
  expect(await client.call('GET /api/notification-settings', {})).toMatchObject({ canEmail: false, canText: false });
});

test('quiet hours are set and removed, and must not be the whole day', async () => {
  const { client, username } = await office();
  const set = (quietHours: { from: number; until: number } | null) =>
    client.call('PUT /api/notification-settings', { body: { quietHours } });
  expect(await set({ from: 21, until: 7 })).toEqual({
    quietHours: { from: 21, until: 7 },
    timeZone: 'America/New_York',
    email: username,
    phone: null,
    hasOptedOut: false,
    canEmail: true,
    canText: true,
  });
  expect((await set(null)).quietHours).toBeNull();
  const all = { body: { quietHours: { from: 7, until: 7 } } };
  expect(await errorOf(client, 'PUT /api/notification-settings', all)).toMatchObject({ errorKey: 'BAD_REQUEST' });
});

test('the log shows a user their own deliveries and what became of them, and a link’s list is its user’s alone', async () => {
  const mercy = await facility();
  const user = await notified({}, { text: true });
  const stranger = await office();
  await mercy.send('A01', await listed([user.groupId]));
  await deliver();
  const [email, text] = await lettersOf(user.id);
  await database.pipeline.query(
    sql`update outbox set state = 'sent', sent_at = ${clock.now()} where id = ${email?.id}`,
  );
  await database.pipeline.query(sql`update outbox set state = 'failed', failure = '21211' where id = ${text?.id}`);
  const log = await user.client.call('GET /api/notification-deliveries', {});
  const sent = { topic: 'SAVED_FILTER', pings: 1 };
  expect(log).toEqual([
    {
      id: text?.id,
      channel: 'TEXT',
      state: 'FAILED',
      failure: 'REFUSED',
      code: '21211',
      at: expect.any(String),
      ...sent,
    },
    {
      id: email?.id,
      channel: 'EMAIL',
      state: 'SENT',
      failure: null,
      code: null,
      at: clock.now().toISOString(),
      ...sent,
    },
  ]);
  expect(await stranger.client.call('GET /api/notification-deliveries', {})).toEqual([]);
  const uuid = /notifications\/([\da-f-]{36})/.exec(email?.body ?? '')?.[1] ?? '';
  expect(await user.client.call('GET /api/notifications/:uuid', { params: { uuid } })).toEqual({
    teamId: user.team.id,
    filterId: user.filterId,
    patientId: null,
    opensDocuments: false,
    searchContext: 'PINGS',
  });
  expect(await errorOf(stranger.client, 'GET /api/notifications/:uuid', { params: { uuid } })).toMatchObject(NOT_FOUND);
});

test('a number can be removed, and its owner is told by mail', async () => {
  const { client, id, username } = await office();
  await confirmNumber(id);
  await client.call('DELETE /api/users/notification-phone', {});
  expect((await client.call('GET /api/users/profile', {})).notificationPhone).toBeNull();
  const notices = async () =>
    (
      await database.owner.query(
        sql`select body from outbox where recipient = ${username} and body like '%was removed from your account%'`,
      )
    ).rowCount;
  expect(await notices()).toBe(1);
  await client.call('DELETE /api/users/notification-phone', {});
  expect(await notices()).toBe(1);
});

import { describe, expect, test } from 'vitest';
import { type RouteKey, routes } from '#contract/routes.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { forUser } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { request } from '#server/testing/client.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { setPassword } from './set-password.ts';

const app = await startApp();
const { make, clock, database } = app;
const DAY = 24 * 60 * 60_000;
for (const days of [80, 160, 240])
  await ensurePartitions(database.pipeline, new Date(clock.now().getTime() + days * DAY));

const put = (client: Client, currentPassword: string, newPassword: string) =>
  client.call('PUT /api/users/password', { body: { currentPassword, newPassword } });
const putError = async (client: Client, currentPassword: string, newPassword: string) =>
  (await errorOf(client, 'PUT /api/users/password', { body: { currentPassword, newPassword } })).errorKey;
const statusOf = async (client: Client) => (await client.fetch('/api/me')).status;
const daysLeft = async (client: Client) => (await client.call('GET /api/me', {})).daysUntilPasswordExpiration;

describe('changing the password', () => {
  test('fails if the organization has taken over the sign-in since the password was confirmed', async () => {
    const { id: userId, username, organizationId } = await make.user();
    await make.connection({ organizationId, domains: ['tidings.test'] });
    await database.owner.query(sql`update users set password_hash = null where id = ${userId}`);
    const late = forUser(userId, () =>
      database.app.transaction((tx) =>
        setPassword(tx, { userId, username, password: 'violet otter at noon' }, clock.now()),
      ),
    );
    await expect(late).rejects.toMatchObject({ key: 'MANAGED_ELSEWHERE' });
  });

  test('starts a new 90 days, ends the other sessions, keeps this one, and notifies the owner by mail', async () => {
    const { id, username } = await make.user();
    const other = await signIn(app, username);
    clock.advance(85 * DAY);
    const client = await signIn(app, username);
    expect(await daysLeft(client)).toBe(5);
    await put(client, TEST_PASSWORD, 'violet otter at noon');
    expect(await daysLeft(client)).toBe(90);
    expect([await statusOf(client), await statusOf(other)]).toEqual([200, 401]);
    expect((await lettersTo(database, username)).map(({ body }) => body)).toEqual([
      expect.stringContaining('Your password was changed.'),
    ]);
    const { rows } = await database.owner.query(
      sql`select action, user_id from audit_entries where subject_id = ${id} and action = 'password.change'`,
    );
    expect(rows).toEqual([{ action: 'password.change', user_id: id }]);
    await signIn(app, username, 'violet otter at noon');
  });

  test('refuses the last five, including the present one, and accepts the sixth again', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const past = [TEST_PASSWORD, ...['one', 'two', 'three', 'four', 'five'].map((word) => `violet otter ${word}`)];
    for (const [index, password] of past.entries()) {
      if (index > 0) await put(client, past[index - 1] ?? '', password);
      const last = past.slice(Math.max(0, index - 4), index + 1);
      for (const used of last)
        expect([used, await putError(client, password, used)]).toEqual([used, 'PASSWORD_USED_BEFORE']);
    }
    await put(client, past[5] ?? '', TEST_PASSWORD);
    const { rows } = await database.owner.query(
      'select max(n)::integer as n from (select count(*) as n from password_history group by user_id) h',
    );
    expect(rows).toEqual([{ n: 4 }]);
  });

  test('refuses one that is common, contains the username, or does not have 8 to 128 characters', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    expect(await putError(client, TEST_PASSWORD, 'Summer2026!')).toBe('PASSWORD_TOO_COMMON');
    expect(await putError(client, TEST_PASSWORD, `x ${username.toUpperCase()}`)).toBe('PASSWORD_HOLDS_USERNAME');
    expect(await putError(client, TEST_PASSWORD, 'v1olet.')).toBe('BAD_REQUEST');
    expect(await putError(client, TEST_PASSWORD, 'violet otter '.repeat(10).slice(0, 129))).toBe('BAD_REQUEST');
    await put(client, TEST_PASSWORD, 'violet otter '.repeat(10).slice(0, 128));
  });

  test('needs the present one; three wrong ones lock this browser out and mail a link to unlock', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const tries = [];
    for (let i = 0; i < 3; i++) tries.push(await putError(client, `wrong ${i}`, 'violet otter at noon'));
    expect(tries).toEqual(['WRONG_PASSWORD', 'WRONG_PASSWORD', 'LOCKED']);
    expect(await putError(client, TEST_PASSWORD, 'violet otter at noon')).toBe('LOCKED');
    expect((await lettersTo(database, username)).map(({ subject }) => subject)).toEqual([
      'Unlock your Tidings account',
    ]);
  });

  test('is refused to users whose organization signs them in', async () => {
    const { id, username } = await make.user();
    const client = await signIn(app, username);
    await database.owner.query(sql`update users set password_hash = null where id = ${id}`);
    expect(await putError(client, TEST_PASSWORD, 'violet otter at noon')).toBe('MANAGED_ELSEWHERE');
    expect((await client.call('GET /api/users/profile', {})).hasPassword).toBe(false);
  });
});

describe('a 90-day-old password', () => {
  test('begins a session that accepts only a new password and the sign-out', async () => {
    const team = await make.team();
    const { username } = await make.user({ team, role: 'administrator' });
    clock.advance(50 * DAY);
    await signIn(app, username);
    clock.advance(40 * DAY);
    const client = anonymous(app);
    client.teamId = team.id;
    const { next } = await client.call('POST /api/authenticate', { body: { username, password: TEST_PASSWORD } });
    expect(next).toBe('change-password');

    const open: RouteKey[] = [];
    for (const key of Object.keys(routes) as RouteKey[]) {
      if (routes[key].permission === 'public' || key === 'POST /api/logout') continue;
      const [path, init] = request(key, { params: { id: '1', groupId: '1', jobId: '1', kind: 'open' }, body: {} });
      const separator = path.includes('?') ? '&' : '?';
      const response = await client.fetch(`${path}${separator}teamId=${team.id}`, init);
      const { errorKey } = (await response.json().catch(() => ({}))) as { errorKey?: string };
      if (errorKey !== 'PASSWORD_CHANGE_REQUIRED') open.push(key);
    }
    expect(open).toEqual(['PUT /api/users/password']);

    await put(client, TEST_PASSWORD, 'violet otter at noon');
    await client.call('GET /api/users/profile', {});
    await client.call('POST /api/logout', {});
  });
});

import { createHook } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { trySignIn } from '#server/testing/sign-ins.ts';
import { hashPassword } from '../passwords/password-hash.ts';

/** How Node calls what a native package without a name of its own, here the one for argon2, does on another thread. */
const NATIVE_WORK = 'undefined';

const app = await startApp();
const { make, clock, database } = app;
const DAY = 24 * 60 * 60_000;
// Tests move the clock months ahead; audit entries need partitions there.
for (const days of [100, 200, 300])
  await ensurePartitions(database.pipeline, new Date(clock.now().getTime() + days * DAY));

const statusOf = async (client: Client): Promise<number> => (await client.fetch('/api/me')).status;

describe('a sign-in', () => {
  test('accepts the username in any case and sets a cookie for this host that scripts cannot read', async () => {
    const { username } = await make.user();
    const response = await anonymous(app).fetch('/api/authenticate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: ` ${username.toUpperCase()} `, password: TEST_PASSWORD }),
    });
    expect(await response.json()).toEqual({ next: 'home' });
    const [session = '', device = ''] = response.headers.getSetCookie();
    expect(session).toMatch(/^tidings_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(device).toMatch(/^tidings_device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('stores only a hash of the session’s token', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const token = client.cookies.get('tidings_session') ?? '';
    const { rows } = await database.owner.query<{ token_hash: Buffer }>('select token_hash from sessions');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      expect([row.token_hash.length, row.token_hash.toString()]).toEqual([32, expect.not.stringContaining(token)]);
  });

  test('begins a new session each time and ends the browser’s old one', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const before = client.cookies.get('tidings_session') ?? '';
    await trySignIn(client, username, TEST_PASSWORD);
    expect(client.cookies.get('tidings_session')).not.toBe(before);
    const stale = anonymous(app);
    stale.cookies.set('tidings_session', before);
    expect([await statusOf(stale), await statusOf(client)]).toEqual([401, 200]);
  });

  test('never adopts a session token that was planted in the browser', async () => {
    const { username } = await make.user();
    const client = anonymous(app);
    const planted = 'A'.repeat(43);
    client.cookies.set('tidings_session', planted);
    await trySignIn(client, username, TEST_PASSWORD);
    expect(client.cookies.get('tidings_session')).not.toBe(planted);
  });

  test('begins no session if the password is changed while it waits', async () => {
    const { username } = await make.user({ passwordHash: await hashPassword(TEST_PASSWORD) });
    const owner = await signIn(app, username);
    const others = Array.from({ length: 30 }, () => anonymous(app));
    const attempts = others.map((client) => trySignIn(client, username, TEST_PASSWORD));
    const body = { currentPassword: TEST_PASSWORD, newPassword: 'violet otter at noon' };
    await owner.call('PUT /api/users/password', { body });
    await Promise.all(attempts);
    expect(new Set(await Promise.all(others.map(statusOf)))).toEqual(new Set([401]));
    expect(await statusOf(owner)).toBe(200);
  });

  test('with a 90-day-old password leads to changing it', async () => {
    const { username } = await make.user();
    clock.advance(60 * DAY);
    const client = await signIn(app, username);
    expect((await client.call('GET /api/me', {})).daysUntilPasswordExpiration).toBe(30);
    clock.advance(31 * DAY);
    expect(await trySignIn(client, username, TEST_PASSWORD)).toBe('change-password');
    await expect(client.call('GET /api/me', {})).rejects.toThrow('PASSWORD_CHANGE_REQUIRED');
  });

  test('after 90 idle days is refused, and only the right password learns why', async () => {
    const { username } = await make.user();
    clock.advance(90 * DAY);
    expect(await trySignIn(anonymous(app), username, 'wrong')).toBe('WRONG_PASSWORD');
    expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('PASSWORD_EXPIRED');
  });

  test('is refused to disabled and not activated users, and a wrong password does not learn why', async () => {
    const disabled = await make.user();
    const fresh = await make.user();
    await database.owner.query(sql`update users set disabled_at = ${clock.now()} where id = ${disabled.id}`);
    await database.owner.query(sql`update users set activated_at = null where id = ${fresh.id}`);
    const client = anonymous(app);
    expect(await trySignIn(client, disabled.username, TEST_PASSWORD)).toBe('USER_DISABLED');
    expect(await trySignIn(client, disabled.username, 'wrong')).toBe('WRONG_PASSWORD');
    expect(await trySignIn(client, fresh.username, TEST_PASSWORD)).toBe('USER_NOT_ACTIVATED');
    expect(await trySignIn(client, fresh.username, 'wrong')).toBe('WRONG_PASSWORD');
  });
});

test('a username without an account takes as much work, so that timing does not reveal who exists', async () => {
  const { username } = await make.user();
  const hashesFor = async (name: string): Promise<number> => {
    let hashes = 0;
    const hook = createHook({ init: (_id, type) => (hashes += type === NATIVE_WORK ? 1 : 0) }).enable();
    await trySignIn(anonymous(app), name, 'wrong');
    hook.disable();
    return hashes;
  };
  // The first username without an account makes the hash that stands in.
  await hashesFor(`no-${username}`);
  expect([await hashesFor(username), await hashesFor(`no-${username}`)]).toEqual([1, 1]);
});

import { verify } from '@node-rs/argon2';
import { describe, expect, test, vi } from 'vitest';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, CallError, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { unlockUser } from '../provisioning.ts';

// The real one, whose calls are counted.
vi.mock('@node-rs/argon2', { spy: true });

const app = await startApp();
const { make, clock, database } = app;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
// The audit of a sign-in that is a year away.
for (const days of [100, 200, 300])
  await ensurePartitions(database.pipeline, new Date(clock.now().getTime() + days * DAY));

async function attempt(client: Client, username: string, password: string): Promise<string> {
  try {
    return (await client.call('POST /api/authenticate', { body: { username, password } })).next;
  } catch (error) {
    if (error instanceof CallError) return error.body.errorKey;
    throw error;
  }
}

async function fail(client: Client, username: string, times: number): Promise<string[]> {
  const answers = [];
  for (let i = 0; i < times; i++) answers.push(await attempt(client, username, `wrong ${i}`));
  return answers;
}

const statusOf = async (client: Client): Promise<number> => (await client.fetch('/api/me')).status;

describe('a sign-in', () => {
  test('takes the username in any case, and sets a cookie of this host that scripts cannot read', async () => {
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

  test('keeps of the session no more than a hash', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const token = client.cookies.get('tidings_session') ?? '';
    const { rows } = await database.owner.query<{ token_hash: Buffer }>('select token_hash from sessions');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      expect([row.token_hash.length, row.token_hash.toString()]).toEqual([32, expect.not.stringContaining(token)]);
  });

  test('makes a new session each time and ends the one that the browser had', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const before = client.cookies.get('tidings_session') ?? '';
    await attempt(client, username, TEST_PASSWORD);
    expect(client.cookies.get('tidings_session')).not.toBe(before);
    const stale = anonymous(app);
    stale.cookies.set('tidings_session', before);
    expect([await statusOf(stale), await statusOf(client)]).toEqual([401, 200]);
  });

  test('never takes over a session token that somebody planted', async () => {
    const { username } = await make.user();
    const client = anonymous(app);
    const planted = 'A'.repeat(43);
    client.cookies.set('tidings_session', planted);
    await attempt(client, username, TEST_PASSWORD);
    expect(client.cookies.get('tidings_session')).not.toBe(planted);
  });

  test('that waits while its password is changed begins no session', async () => {
    const { username } = await make.user();
    const owner = await signIn(app, username);
    const others = Array.from({ length: 30 }, () => anonymous(app));
    const attempts = others.map((client) => attempt(client, username, TEST_PASSWORD));
    const body = { currentPassword: TEST_PASSWORD, newPassword: 'violet otter at noon' };
    await owner.call('PUT /api/users/password', { body });
    await Promise.all(attempts);
    expect(new Set(await Promise.all(others.map(statusOf)))).toEqual(new Set([401]));
    expect(await statusOf(owner)).toBe(200);
  });

  test('goes on to change a password that is 90 days old', async () => {
    const { username } = await make.user();
    clock.advance(60 * DAY);
    const client = await signIn(app, username);
    expect((await client.call('GET /api/me', {})).daysUntilPasswordExpiration).toBe(30);
    clock.advance(31 * DAY);
    expect(await attempt(client, username, TEST_PASSWORD)).toBe('change-password');
    await expect(client.call('GET /api/me', {})).rejects.toThrow('PASSWORD_CHANGE_REQUIRED');
  });

  test('is refused after 90 days without one, to those who know the password', async () => {
    const { username } = await make.user();
    clock.advance(90 * DAY);
    expect(await attempt(anonymous(app), username, 'wrong')).toBe('WRONG_PASSWORD');
    expect(await attempt(anonymous(app), username, TEST_PASSWORD)).toBe('PASSWORD_EXPIRED');
  });

  test('is refused to a disabled and to a not activated user, and tells a stranger nothing of it', async () => {
    const disabled = await make.user();
    const fresh = await make.user();
    await database.owner.query(sql`update users set disabled_at = ${clock.now()} where id = ${disabled.id}`);
    await database.owner.query(sql`update users set activated_at = null where id = ${fresh.id}`);
    const client = anonymous(app);
    expect(await attempt(client, disabled.username, TEST_PASSWORD)).toBe('USER_DISABLED');
    expect(await attempt(client, disabled.username, 'wrong')).toBe('WRONG_PASSWORD');
    expect(await attempt(client, fresh.username, TEST_PASSWORD)).toBe('USER_NOT_ACTIVATED');
    expect(await attempt(client, fresh.username, 'wrong')).toBe('WRONG_PASSWORD');
  });
});

describe('a lock', () => {
  test('comes with the third wrong password in a row, and holds against the right one', async () => {
    const { username } = await make.user();
    expect(await fail(anonymous(app), username, 4)).toEqual(['WRONG_PASSWORD', 'WRONG_PASSWORD', 'LOCKED', 'LOCKED']);
    expect(await attempt(anonymous(app), username, TEST_PASSWORD)).toBe('LOCKED');
  });

  test('is the same for a name that nobody has', async () => {
    expect(await fail(anonymous(app), 'nobody@tidings.test', 4)).toEqual([
      'WRONG_PASSWORD',
      'WRONG_PASSWORD',
      'LOCKED',
      'LOCKED',
    ]);
  });

  test('does not come where the right password stood between the wrong ones', async () => {
    const { username } = await make.user();
    const client = anonymous(app);
    for (let round = 0; round < 3; round++) {
      client.cookies.clear();
      expect(await fail(client, username, 2)).toEqual(['WRONG_PASSWORD', 'WRONG_PASSWORD']);
      expect(await attempt(client, username, TEST_PASSWORD)).toBe('home');
    }
  });

  test('of unknown places leaves a known device alone, and one of a device leaves the others alone', async () => {
    const { username } = await make.user();
    const known = await signIn(app, username);
    await fail(anonymous(app), username, 3);
    expect(await attempt(known, username, TEST_PASSWORD)).toBe('home');
    expect(await attempt(anonymous(app), username, TEST_PASSWORD)).toBe('LOCKED');

    const other = await make.user();
    const [first, second] = [await signIn(app, other.username), await signIn(app, other.username)];
    expect(await fail(first, other.username, 3)).toContain('LOCKED');
    expect(await attempt(first, other.username, TEST_PASSWORD)).toBe('LOCKED');
    expect(await attempt(second, other.username, TEST_PASSWORD)).toBe('home');
  });

  test('treats a browser that two people share as known to both, and a device of one as unknown to another', async () => {
    const [one, two, stranger] = [await make.user(), await make.user(), await make.user()];
    const shared = await signIn(app, one.username);
    await attempt(shared, two.username, TEST_PASSWORD);
    for (const { username } of [one, two, stranger]) await fail(anonymous(app), username, 3);
    expect(await attempt(shared, one.username, TEST_PASSWORD)).toBe('home');
    expect(await attempt(shared, two.username, TEST_PASSWORD)).toBe('home');
    expect(await attempt(shared, stranger.username, TEST_PASSWORD)).toBe('LOCKED');
  });

  test('counts guesses that are made at the same time', async () => {
    const { username } = await make.user();
    const guesses = Array.from({ length: 12 }, (_, i) => attempt(anonymous(app), username, `wrong ${i}`));
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer === 'WRONG_PASSWORD')).toHaveLength(2);
    expect(answers.filter((answer) => answer === 'LOCKED')).toHaveLength(10);
  });

  test('does not come where the right password is given many times at once', async () => {
    const { username } = await make.user();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => attempt(anonymous(app), username, TEST_PASSWORD)),
    );
    expect(new Set(answers)).toEqual(new Set(['home']));
  });

  test('ends all guessing after a hundred, from known devices too, until the owner acts', async () => {
    const { id, username } = await make.user();
    const known = await signIn(app, username);
    await database.owner.query(sql`update users set guesses_since_owner_acted = 99 where id = ${id}`);
    expect(await attempt(known, username, 'wrong')).toBe('WRONG_PASSWORD');
    expect(await attempt(known, username, TEST_PASSWORD)).toBe('LOCKED');
    await unlockUser(database.pipeline, username);
    expect(await attempt(known, username, TEST_PASSWORD)).toBe('home');
    const { rows } = await database.owner.query(sql`select guesses_since_owner_acted as n from users where id = ${id}`);
    expect(rows).toEqual([{ n: 0 }]);
  });
});

test('the name of nobody costs as much work as a user’s, so that time does not tell who exists', async () => {
  const { username } = await make.user();
  const workOf = async (name: string): Promise<string[]> => {
    vi.mocked(verify).mockClear();
    await attempt(anonymous(app), name, 'wrong');
    const parameters = /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$/;
    return vi.mocked(verify).mock.calls.map(([hash]) => parameters.exec(String(hash))?.[0] ?? '');
  };
  const work = await workOf(username);
  expect(work).toEqual(['$argon2id$v=19$m=32768,t=3,p=1$']);
  expect(await workOf(`no-${username}`)).toEqual(work);
});

describe('a session', () => {
  test('ends 40 minutes after the last activity, and activity prolongs it', async () => {
    const client = await signIn(app, (await make.user()).username);
    clock.advance(39 * MINUTE);
    expect(await statusOf(client)).toBe(200);
    clock.advance(39 * MINUTE);
    expect(await statusOf(client)).toBe(200);
    clock.advance(40 * MINUTE);
    expect(await statusOf(client)).toBe(401);
  });

  test('writes its last activity down at most once a minute', async () => {
    const user = await make.user();
    const client = await signIn(app, user.username);
    const lastSeen = async () =>
      (await database.owner.query(sql`select last_seen_at from sessions where user_id = ${user.id}`)).rows[0];
    const begun = await lastSeen();
    clock.advance(MINUTE - 1);
    await statusOf(client);
    expect(await lastSeen()).toEqual(begun);
    clock.advance(1);
    await statusOf(client);
    expect(await lastSeen()).toEqual({ last_seen_at: clock.now().toISOString() });
  });

  test('is not prolonged by the live stream', async () => {
    const client = await signIn(app, (await make.user({ team: await make.team() })).username);
    for (const minutes of [20, 19]) {
      clock.advance(minutes * MINUTE);
      const stream = await client.fetch(`/api/live?teamId=${client.teamId}`);
      expect(stream.status).toBe(200);
      await stream.body?.cancel();
    }
    clock.advance(MINUTE);
    expect((await client.fetch(`/api/live?teamId=${client.teamId}`)).status).toBe(401);
  });

  test('ends with a sign-out, which takes its cookie away and leaves word to the streams', async () => {
    const user = await make.user();
    const client = await signIn(app, user.username);
    const copy = anonymous(app);
    copy.cookies.set('tidings_session', client.cookies.get('tidings_session') ?? '');
    await client.call('POST /api/logout', {});
    expect(client.cookies.has('tidings_session')).toBe(false);
    expect(client.cookies.has('tidings_device')).toBe(true);
    expect(await statusOf(copy)).toBe(401);
    const { rows } = await database.owner.query(
      sql`select kind, change from change_log where kind = 'session' and subject_id = ${user.id}`,
    );
    expect(rows).toEqual([{ kind: 'session', change: 'ended' }]);
  });

  test('ends with its user’s account', async () => {
    const user = await make.user();
    const client = await signIn(app, user.username);
    await database.owner.query(sql`update users set disabled_at = ${clock.now()} where id = ${user.id}`);
    expect(await statusOf(client)).toBe(401);
  });
});

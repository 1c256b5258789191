import { describe, expect, test } from 'vitest';
import { ERRORS, RESET_REQUESTED, UNLOCK_REQUESTED } from '#contract/errors.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { lettersTo, tokenIn } from '#server/testing/letters.ts';
import { NEW_PASSWORD, passwordCalls } from '#server/testing/passwords.ts';

const app = await startApp();
const { make, clock, database } = app;
const { forgot, forgotError, signInError, set, setError, lock, change, audited } = passwordCalls(app);
const nobody = anonymous(app);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
await ensurePartitions(database.pipeline, new Date(clock.now().getTime() + 100 * DAY));

describe('a forgotten password', () => {
  test('mails a link that sets a new password once and ends every session', async () => {
    const { id, username, firstName } = await make.user();
    const open = await signIn(app, username);
    expect(await forgot(username)).toEqual({ message: RESET_REQUESTED });
    const letters = await lettersTo(database, username);
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({ channel: 'e-mail', subject: 'Set a new password' });
    expect(letters[0]?.body).toContain('http://tidings.test/password/set#token=');
    const token = tokenIn(letters[0]);
    expect(await nobody.call('GET /api/users/tokens/:token', { params: { token } })).toEqual({
      purpose: 'PASSWORD_RESET',
      username,
      firstName,
      expiresAt: new Date(clock.now().getTime() + HOUR).toISOString(),
      passkeys: [],
      devices: [{ name: 'Unknown browser', lastUsedDate: clock.now().toISOString() }],
    });
    await set(token);
    expect((await open.fetch('/api/me')).status).toBe(401);
    expect(await setError(token, 'another violet otter')).toBe('NOT_FOUND');
    expect((await signInError(username))[0]).toBe('WRONG_PASSWORD');
    await signIn(app, username, NEW_PASSWORD);
    expect(await audited(id)).toEqual(['sign-in', 'password.set', 'sign-in']);
  });

  test.each([
    [false, [0, 0], 'All devices have to sign in again, and your passkey was removed.'],
    [true, [1, 1], 'Your passkeys and known devices were kept.'],
  ])(
    'removes passkeys and known devices unless they are kept (%s), and notifies the owner',
    async (keepDevices, left, notice) => {
      const { id, username } = await make.user();
      await signIn(app, username);
      await database.owner.query(sql`
      insert into passkeys (user_id, credential_id, public_key, counter, name, created_at)
      values (${id}, ${username}, ${Buffer.alloc(8)}, 0, 'laptop', ${clock.now()})`);
      await forgot(username);
      const token = tokenIn((await lettersTo(database, username))[0]);
      const { passkeys, devices } = await nobody.call('GET /api/users/tokens/:token', { params: { token } });
      expect(passkeys).toEqual([{ name: 'laptop', createdDate: clock.now().toISOString(), lastUsedDate: null }]);
      expect(devices).toHaveLength(1);
      await nobody.call('POST /api/password/set', { body: { token, password: NEW_PASSWORD, keepDevices } });
      const { rows } = await database.owner.query<{ passkeys: number; devices: number }>(sql`
      select (select count(*)::int from passkeys where user_id = ${id}) as passkeys,
        (select count(*)::int from devices where user_id = ${id}) as devices`);
      expect(rows.map((row) => [row.passkeys, row.devices])).toEqual([left]);
      expect((await lettersTo(database, username)).at(-1)?.body).toContain(notice);
    },
  );

  test('also has the path /password/forgot', async () => {
    const { username } = await make.user();
    const response = await nobody.fetch(`/password/forgot?username=${encodeURIComponent(username.toUpperCase())}`);
    expect(await response.json()).toEqual({ message: 'Thank you for your request to reset your password.' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await lettersTo(database, username)).toHaveLength(1);
  });

  test('stores only a hash of the token and accepts no other token', async () => {
    const { id, username } = await make.user();
    await forgot(username);
    const token = tokenIn((await lettersTo(database, username))[0]);
    expect(token).toMatch(/^[\w-]{43}$/);
    const { rows } = await database.owner.query(sql`select token_hash from account_tokens where user_id = ${id}`);
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const wrong of ['', 'x', 'A'.repeat(43), `${token}x`])
      expect([wrong, (await nobody.fetch(`/api/users/tokens/${wrong}`)).status]).toEqual([wrong, 404]);
  });

  test('mails a link that works for an hour, and using one voids the others', async () => {
    const { username } = await make.user();
    await forgot(username);
    await forgot(username);
    const [first, second] = (await lettersTo(database, username)).map(tokenIn) as [string, string];
    expect(first).not.toBe(second);
    await set(second);
    expect(await setError(first)).toBe('NOT_FOUND');
    clock.advance(MINUTE);
    await forgot(username);
    const late = tokenIn((await lettersTo(database, username)).at(-1));
    clock.advance(HOUR);
    expect(await setError(late, 'another violet otter')).toBe('NOT_FOUND');
  });

  test('mails no more than five links an hour', async () => {
    const { username } = await make.user();
    for (let i = 0; i < 7; i++) expect(await forgot(username)).toEqual({ message: RESET_REQUESTED });
    expect(await lettersTo(database, username)).toHaveLength(5);
    clock.advance(HOUR);
    await forgot(username);
    expect(await lettersTo(database, username)).toHaveLength(6);
  });

  test('lets the link be used again if the new password is refused', async () => {
    const { username } = await make.user();
    await forgot(username);
    const token = tokenIn((await lettersTo(database, username))[0]);
    expect(await setError(token, TEST_PASSWORD)).toBe('PASSWORD_USED_BEFORE');
    expect(await setError(token, 'Password123!')).toBe('PASSWORD_TOO_COMMON');
    expect(await setError(token, `my ${username}`)).toBe('PASSWORD_HOLDS_USERNAME');
    expect(await setError(token, 'short')).toBe('BAD_REQUEST');
    expect(await setError(token, 'x7'.repeat(65))).toBe('BAD_REQUEST');
    await set(token);
  });

  test('sets only one password if a link is used twice at once', async () => {
    const { username } = await make.user();
    await forgot(username);
    const token = tokenIn((await lettersTo(database, username))[0]);
    const answers = await Promise.allSettled([set(token), set(token, 'another violet otter')]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the answer to a forgotten password depends on the account', () => {
  test('no such account', async () => {
    expect(await forgotError('nobody@tidings.test')).toEqual([
      401,
      'USER_NOT_FOUND',
      'Oops! There seems to be an issue accessing this account. Contact us at the support link.',
    ]);
  });

  test('disabled: nothing is mailed, and an older link no longer works', async () => {
    const { username } = await make.user();
    await forgot(username);
    const token = tokenIn((await lettersTo(database, username))[0]);
    await change(username, sql`disabled_at = ${clock.now()}`);
    expect(await forgotError(username)).toEqual([
      401,
      'USER_DISABLED',
      'Sorry, your account has been disabled. Contact us at the support link to unlock your account.',
    ]);
    expect(await lettersTo(database, username)).toHaveLength(1);
    expect(await setError(token)).toBe('NOT_FOUND');
  });

  test('not activated: the activation link is mailed again and works', async () => {
    const { username } = await make.user({ passwordHash: null });
    expect(await forgotError(username)).toEqual([401, 'USER_NOT_ACTIVATED', ERRORS.USER_NOT_ACTIVATED[1]]);
    const [letter] = await lettersTo(database, username);
    expect(letter?.subject).toBe('Activate your Tidings account');
    expect(letter?.body).toContain('http://tidings.test/registration#token=');
    await set(tokenIn(letter));
    const client = await signIn(app, username, NEW_PASSWORD);
    expect((await client.call('GET /api/me', {})).user.lastActivationEmailDate).toBe(clock.now().toISOString());
  });

  test('locked: a link to unlock is mailed at most once an hour', async () => {
    const { username } = await make.user();
    await lock(username);
    expect(await lettersTo(database, username)).toHaveLength(1);
    expect(await forgotError(username)).toEqual([401, 'LOCKED', UNLOCK_REQUESTED]);
    expect(UNLOCK_REQUESTED).toBe('Your account was locked due to too many failed attempts.');
    expect(await lettersTo(database, username)).toHaveLength(1);
    clock.advance(HOUR);
    expect(await forgotError(username)).toEqual([401, 'LOCKED', UNLOCK_REQUESTED]);
    expect((await lettersTo(database, username)).map(({ subject }) => subject)).toEqual([
      'Unlock your Tidings account',
      'Unlock your Tidings account',
    ]);
  });

  test('locked for strangers only: the owner’s device gets a link to reset', async () => {
    const { username } = await make.user();
    const known = await signIn(app, username);
    await lock(username);
    expect(await forgot(username, known)).toEqual({ message: RESET_REQUESTED });
  });

  test('not used for 90 days: the mailed link opens the account', async () => {
    const { username } = await make.user();
    clock.advance(91 * DAY);
    expect(await forgotError(username)).toEqual([
      401,
      'PASSWORD_EXPIRED',
      'Your account is locked due to inactivity over the last 90 days. We have sent you an email to unlock your account.',
    ]);
    const [letter] = await lettersTo(database, username);
    expect(letter?.body).toContain('it was not used for 90 days');
    await set(tokenIn(letter));
    await signIn(app, username, NEW_PASSWORD);
  });

  test('managed by its organization: nothing is mailed', async () => {
    const user = { passwordHash: null, applicationExperience: 'JANUS_AUTH0_SSO' } as const;
    const { username, organizationId } = await make.user(user);
    await make.connection({ organizationId });
    expect((await forgotError(username))[1]).toBe('MANAGED_ELSEWHERE');
    expect(await lettersTo(database, username)).toEqual([]);
  });

  test('with an experience that no connection gives: a link is mailed, because nothing else signs the user in', async () => {
    const { username } = await make.user({ passwordHash: null, applicationExperience: 'JANUS_ENTERPRISE_SSO' });
    await forgotError(username);
    expect(await lettersTo(database, username)).toHaveLength(1);
  });
});

describe('an installation', () => {
  test('without mail answers EMAIL_NOT_SENT for every username', async () => {
    const silent = await startApp({ config: { smtp: null } });
    const { username } = await silent.make.user();
    for (const name of [username, 'nobody@tidings.test']) {
      const error = await errorOf(anonymous(silent), 'GET /api/password/forgot', { query: { username: name } });
      expect([error.status, error.errorKey, error.message]).toEqual([
        502,
        'EMAIL_NOT_SENT',
        'Sorry, something went wrong. Can you try again?',
      ]);
    }
    expect((await anonymous(silent).fetch('/api/demo/mailbox')).status).toBe(404);
  });

  test('with neutral answers says the same for every account, and still mails', async () => {
    const neutral = await startApp({ config: { neutralAnswers: true } });
    const [open, fresh, disabled] = [
      await neutral.make.user(),
      await neutral.make.user({ passwordHash: null }),
      await neutral.make.user(),
    ];
    await neutral.database.owner.query(sql`update users set disabled_at = ${clock.now()} where id = ${disabled.id}`);
    for (const username of [open.username, fresh.username, disabled.username, 'nobody@tidings.test']) {
      const answer = await anonymous(neutral).call('GET /api/password/forgot', { query: { username } });
      expect([username, answer]).toEqual([username, { message: RESET_REQUESTED }]);
    }
    const subjects = async ({ username }: { username: string }) =>
      (await lettersTo(neutral.database, username)).map(({ subject }) => subject);
    await expect.poll(() => subjects(open)).toEqual(['Set a new password']);
    await expect.poll(() => subjects(fresh)).toEqual(['Activate your Tidings account']);
    expect(await subjects(disabled)).toEqual([]);
  });
});

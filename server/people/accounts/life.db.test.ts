import { describe, expect, test } from 'vitest';
import { ERRORS, RESET_REQUESTED, UNLOCK_REQUESTED } from '#contract/errors.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { lettersTo, tokenIn } from '#server/testing/letters.ts';
import { mailLink } from './letters/send-letters.ts';

const app = await startApp();
const { make, clock, database } = app;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
for (const days of [100, 200, 300, 400, 500, 600])
  await ensurePartitions(database.pipeline, new Date(clock.now().getTime() + days * DAY));

const NEW_PASSWORD = 'violet otter at noon';
const nobody = anonymous(app);

const forgot = (username: string, client = anonymous(app)) =>
  client.call('GET /api/password/forgot', { query: { username } });
const forgotError = async (username: string) => {
  const { errorKey, message, status } = await errorOf(nobody, 'GET /api/password/forgot', { query: { username } });
  return [status, errorKey, message];
};
const signInError = async (username: string, password = TEST_PASSWORD) => {
  const { errorKey, message } = await errorOf(anonymous(app), 'POST /api/authenticate', {
    body: { username, password },
  });
  return [errorKey, message];
};
const set = (token: string, password = NEW_PASSWORD) =>
  nobody.call('POST /api/password/set', { body: { token, password } });
const setError = async (token: string, password = NEW_PASSWORD) =>
  (await errorOf(nobody, 'POST /api/password/set', { body: { token, password } })).errorKey;
const lock = async (username: string) => {
  for (let i = 0; i < 3; i++) await signInError(username, `wrong ${i}`);
};
const change = (username: string, columns: ReturnType<typeof sql>) =>
  database.owner.query(sql`update users set ${columns} where username = ${username}`);
const audited = async (userId: string) => {
  const { rows } = await database.owner.query<{ action: string }>(
    sql`select action from audit_entries where subject = 'user' and subject_id = ${userId} order by id`,
  );
  return rows.map(({ action }) => action);
};

describe('a forgotten password', () => {
  test('mails a link that sets a new one, once, and ends every session', async () => {
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
    });
    await set(token);
    expect((await open.fetch('/api/me')).status).toBe(401);
    expect(await setError(token, 'another violet otter')).toBe('NOT_FOUND');
    expect((await signInError(username))[0]).toBe('WRONG_PASSWORD');
    await signIn(app, username, NEW_PASSWORD);
    expect(await audited(id)).toEqual(['sign-in', 'password.set', 'sign-in']);
  });

  test('has the path of the specification too', async () => {
    const { username } = await make.user();
    const response = await nobody.fetch(`/password/forgot?username=${encodeURIComponent(username.toUpperCase())}`);
    expect(await response.json()).toEqual({ message: 'Thank you for your request to reset your password.' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await lettersTo(database, username)).toHaveLength(1);
  });

  test('keeps of the token no more than a hash, and takes no other', async () => {
    const { id, username } = await make.user();
    await forgot(username);
    const token = tokenIn((await lettersTo(database, username))[0]);
    expect(token).toMatch(/^[\w-]{43}$/);
    const { rows } = await database.owner.query(sql`select token_hash from account_tokens where user_id = ${id}`);
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const wrong of ['', 'x', 'A'.repeat(43), `${token}x`])
      expect([wrong, (await nobody.fetch(`/api/users/tokens/${wrong}`)).status]).toEqual([wrong, 404]);
  });

  test('has a link for an hour, and a used one takes the others with it', async () => {
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

  test('keeps its link good where the new password is refused', async () => {
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

  test('sets one password where a link is used twice at the same moment', async () => {
    const { username } = await make.user();
    await forgot(username);
    const token = tokenIn((await lettersTo(database, username))[0]);
    const answers = await Promise.allSettled([set(token), set(token, 'another violet otter')]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the answer to a forgotten password, by the state of the account', () => {
  test('not found', async () => {
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

  test('not activated: the activation link is mailed again, and activates', async () => {
    const { username } = await make.user({ passwordHash: null });
    expect(await forgotError(username)).toEqual([401, 'USER_NOT_ACTIVATED', ERRORS.USER_NOT_ACTIVATED[1]]);
    const [letter] = await lettersTo(database, username);
    expect(letter?.subject).toBe('Activate your Tidings account');
    expect(letter?.body).toContain('http://tidings.test/registration#token=');
    await set(tokenIn(letter));
    const client = await signIn(app, username, NEW_PASSWORD);
    expect((await client.call('GET /api/me', {})).user.lastActivationEmailDate).toBe(clock.now().toISOString());
  });

  test('locked: the link that unlocks is mailed once an hour at most', async () => {
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

  test('not used for 90 days: the link that unlocks is mailed, and opens the account', async () => {
    const { username } = await make.user();
    clock.advance(91 * DAY);
    expect(await forgotError(username)).toEqual([
      401,
      'PASSWORD_EXPIRED',
      'Your account is locked due to inactivity over the last 90 days. We have sent you an email to unlock your account.',
    ]);
    const [letter] = await lettersTo(database, username);
    expect(letter?.body).toContain('nobody signed in to it for 90 days');
    await set(tokenIn(letter));
    await signIn(app, username, NEW_PASSWORD);
  });

  test('managed by its organisation', async () => {
    const { username } = await make.user({ passwordHash: null, applicationExperience: 'JANUS_ENTERPRISE_SSO' });
    expect((await forgotError(username))[1]).toBe('MANAGED_ELSEWHERE');
    expect(await lettersTo(database, username)).toEqual([]);
  });
});

describe('a sign-in that is refused', () => {
  test('mails the link that unlocks with the third wrong password, and the link unlocks everywhere', async () => {
    const { id, username } = await make.user();
    await lock(username);
    expect(await signInError(username)).toEqual([
      'LOCKED',
      "Your account is now locked because you've entered an incorrect password 3 times. We have sent you an email to unlock your account.",
    ]);
    const letters = await lettersTo(database, username);
    expect(letters).toHaveLength(1);
    expect(letters[0]?.body).toContain('too many wrong passwords');
    clock.advance(23 * HOUR);
    await set(tokenIn(letters[0]));
    await signIn(app, username, NEW_PASSWORD);
    expect(await audited(id)).toEqual(['sign-in.locked', 'password.set', 'sign-in']);
  });

  test('mails nothing to a name that nobody has, and nothing for a disabled account', async () => {
    await lock('nobody-else@tidings.test');
    expect(await lettersTo(database, 'nobody-else@tidings.test')).toEqual([]);
    const { username } = await make.user();
    await change(username, sql`disabled_at = ${clock.now()}`);
    await lock(username);
    expect(await lettersTo(database, username)).toEqual([]);
  });

  test('mails no link that sets a password to whom the organisation signs in', async () => {
    const { username } = await make.user({ applicationExperience: 'ANAHIT_ENTERPRISE_SSO' });
    await change(username, sql`password_hash = null`);
    await lock(username);
    expect(await signInError(username)).toEqual(['LOCKED', ERRORS.LOCKED[1]]);
    expect(await lettersTo(database, username)).toEqual([]);
  });

  test('for 90 days without one mails the link that unlocks; to those who know the password', async () => {
    const { username } = await make.user();
    clock.advance(91 * DAY);
    await signInError(username, 'wrong');
    expect(await lettersTo(database, username)).toEqual([]);
    expect(await signInError(username)).toEqual(['PASSWORD_EXPIRED', ERRORS.PASSWORD_EXPIRED[1]]);
    expect((await lettersTo(database, username)).map(({ subject }) => subject)).toEqual([
      'Unlock your Tidings account',
    ]);
  });

  test('for an account that is not activated mails the activation link', async () => {
    const { username } = await make.user();
    await change(username, sql`activated_at = null`);
    expect(await signInError(username)).toEqual([
      'USER_NOT_ACTIVATED',
      "Whoops, looks like you haven't finished activating your account. We've sent you an email to help you do just that.",
    ]);
    await signInError(username);
    expect((await lettersTo(database, username)).map(({ subject }) => subject)).toEqual([
      'Activate your Tidings account',
    ]);
  });

  test('for a disabled account says so', async () => {
    const { username } = await make.user();
    await change(username, sql`disabled_at = ${clock.now()}`);
    expect(await signInError(username)).toEqual(['USER_DISABLED', ERRORS.USER_DISABLED[1]]);
  });
});

describe('an invitation', () => {
  test('sets no password once the organisation signs the account in', async () => {
    const { id, username } = await make.user({ passwordHash: null });
    await database.app.transaction((tx) =>
      mailLink(tx, { userId: id, reason: 'invited', publicUrl: 'http://tidings.test' }, clock.now()),
    );
    const token = tokenIn((await lettersTo(database, username))[0]);
    await change(username, sql`application_experience = 'JANUS_ENTERPRISE_SSO'`);
    expect(await setError(token)).toBe('NOT_FOUND');
    await change(username, sql`application_experience = 'JANUS'`);
    await set(token);
  });

  test('works for seven days, and as often as an administrator sends it', async () => {
    const { id, username } = await make.user({ passwordHash: null });
    const invite = () =>
      database.app.transaction((tx) =>
        mailLink(tx, { userId: id, reason: 'invited', publicUrl: 'http://tidings.test', unlimited: true }, clock.now()),
      );
    expect([await invite(), await invite()]).toEqual([true, true]);
    const [first, second] = await lettersTo(database, username);
    expect(first?.body).toContain('An account has been made for you.');
    clock.advance(7 * DAY - MINUTE);
    const { purpose } = await nobody.call('GET /api/users/tokens/:token', { params: { token: tokenIn(first) } });
    expect(purpose).toBe('ACCOUNT_ACTIVATION');
    clock.advance(MINUTE);
    expect(await setError(tokenIn(second))).toBe('NOT_FOUND');
  });
});

describe('an installation', () => {
  test('without mails answers EMAIL_NOT_SENT, for every name alike', async () => {
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

  test('with neutral answers answers every state alike, and mails all the same', async () => {
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

import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { lettersTo, tokenIn } from '#server/testing/letters.ts';

const app = await startApp();
const { make, clock, database } = app;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Returns what an authenticator app shows now, or `steps` of 30 seconds later. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + 30 * steps });
const wrongCode = (secret: string) => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');

async function enrolled() {
  const user = await make.user();
  const client = await signIn(app, user.username);
  const { secret } = await client.call('POST /api/users/optIntoMfa', {});
  const { recoveryCodes } = await client.call('POST /api/users/mfa/confirm', { body: { code: codeOf(secret) } });
  clock.advance(MINUTE);
  return { ...user, client, secret, recoveryCodes };
}

/** Signs in as far as the code. */
async function begin(username: string): Promise<Client> {
  const client = anonymous(app);
  const { next } = await client.call('POST /api/authenticate', { body: { username, password: TEST_PASSWORD } });
  expect(next).toBe('mfa');
  return client;
}

/** Leaves the account as its first sign-in through an identity provider does. */
async function manageElsewhere({ id, organizationId }: { id: string; organizationId: string }): Promise<void> {
  const connection = await make.connection({ organizationId });
  await database.owner.query(
    sql`update users set password_hash = null, sso_connection_id = ${connection.id} where id = ${id}`,
  );
}

const give = (client: Client, code: string) => client.call('POST /api/authenticate/mfa', { body: { code } });
const giveError = async (client: Client, code: string) =>
  (await errorOf(client, 'POST /api/authenticate/mfa', { body: { code } })).errorKey;

describe('an enrollment', () => {
  test('returns a secret, its address and QR code, and ten recovery codes once it is confirmed', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const { secret, otpauthUrl, qrCode } = await client.call('POST /api/users/optIntoMfa', {});
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(otpauthUrl).searchParams.get('secret')).toBe(secret);
    expect(decodeURIComponent(otpauthUrl)).toContain(`otpauth://totp/Tidings:${username}?`);
    const svg = Buffer.from(qrCode.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
    expect(svg).toMatch(/^<svg .*<\/svg>$/s);

    const { recoveryCodes } = await client.call('POST /api/users/mfa/confirm', { body: { code: codeOf(secret) } });
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
    expect(await client.call('GET /api/users/profile', {})).toMatchObject({ mfaOptedIn: true, recoveryCodesLeft: 10 });
    expect((await client.call('GET /api/me', {})).mfaOptedIn).toBe(true);
    const kept = JSON.stringify((await database.owner.query('select * from recovery_codes')).rows);
    for (const code of recoveryCodes) expect(kept).not.toContain(code);
  });

  test('does not count until it is confirmed with a right code within 15 minutes', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const confirm = async (code: string) =>
      (await errorOf(client, 'POST /api/users/mfa/confirm', { body: { code } })).errorKey;
    expect(await confirm('123456')).toBe('NOT_FOUND');
    const { secret } = await client.call('POST /api/users/optIntoMfa', {});
    expect(await confirm(wrongCode(secret))).toBe('WRONG_CODE');
    await signIn(app, username);
    clock.advance(15 * MINUTE);
    expect(await confirm(codeOf(secret))).toBe('NOT_FOUND');
    expect((await client.call('GET /api/me', {})).mfaOptedIn).toBe(false);
  });

  test('allows ten tries', async () => {
    const client = await signIn(app, (await make.user()).username);
    const { secret } = await client.call('POST /api/users/optIntoMfa', {});
    const body = { code: wrongCode(secret) };
    for (let i = 0; i < 10; i++) await errorOf(client, 'POST /api/users/mfa/confirm', { body });
    const right = { code: codeOf(secret) };
    expect((await errorOf(client, 'POST /api/users/mfa/confirm', { body: right })).errorKey).toBe('NOT_FOUND');
  });

  test('does not replace an existing factor', async () => {
    const { client } = await enrolled();
    expect((await errorOf(client, 'POST /api/users/optIntoMfa', {})).errorKey).toBe('BAD_REQUEST');
  });

  test('is refused if the organization signs the user in, even if it was begun before', async () => {
    const { id, username, organizationId } = await make.user();
    const client = await signIn(app, username);
    const { secret } = await client.call('POST /api/users/optIntoMfa', {});
    await manageElsewhere({ id, organizationId });
    const body = { code: codeOf(secret) };
    expect((await errorOf(client, 'POST /api/users/mfa/confirm', { body })).errorKey).toBe('MANAGED_ELSEWHERE');
    expect((await errorOf(client, 'POST /api/users/optIntoMfa', {})).errorKey).toBe('MANAGED_ELSEWHERE');
  });

  test('begun before another one was confirmed does not replace it', async () => {
    const { username } = await make.user();
    const [owner, other] = [await signIn(app, username), await signIn(app, username)];
    const attackers = await other.call('POST /api/users/optIntoMfa', {});
    const { secret } = await owner.call('POST /api/users/optIntoMfa', {});
    await owner.call('POST /api/users/mfa/confirm', { body: { code: codeOf(secret) } });
    const body = { code: codeOf(attackers.secret) };
    expect((await errorOf(other, 'POST /api/users/mfa/confirm', { body })).errorKey).toBe('BAD_REQUEST');
    clock.advance(MINUTE);
    expect(await give(await begin(username), codeOf(secret))).toEqual({ next: 'home' });
  });
});

describe('a sign-in with a second factor', () => {
  test('begins no session until the code is right, and no code works twice', async () => {
    const { id, username, secret } = await enrolled();
    const client = await begin(username);
    expect(client.cookies.has('tidings_session')).toBe(false);
    expect((await client.fetch('/api/me')).status).toBe(401);
    const code = codeOf(secret);
    expect(await give(client, code)).toEqual({ next: 'home' });
    expect((await client.fetch('/api/me')).status).toBe(200);
    expect(client.cookies.has('tidings_code')).toBe(false);
    expect(await giveError(await begin(username), code)).toBe('WRONG_CODE');
    expect(await giveError(await begin(username), codeOf(secret, -1))).toBe('WRONG_CODE');
    clock.advance(MINUTE);
    await give(await begin(username), codeOf(secret));
    const { rows } = await database.owner.query(
      sql`select detail from audit_entries where subject_id = ${id} and action = 'sign-in' order by id`,
    );
    expect(rows.map(({ detail }) => detail)).toEqual([
      { way: 'password' },
      { way: 'password and code' },
      { way: 'password and code' },
    ]);
  });

  test('hides its cookie from scripts, and keeps it for five minutes', async () => {
    const { username } = await enrolled();
    const response = await anonymous(app).fetch('/api/authenticate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: TEST_PASSWORD }),
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^tidings_code=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('accepts a code once if it is sent twice at once', async () => {
    const { username, secret } = await enrolled();
    const clients = [await begin(username), await begin(username)] as const;
    const code = codeOf(secret);
    const answers = await Promise.allSettled(clients.map((client) => give(client, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('accepts each recovery code once, however it is typed', async () => {
    const { username, client, recoveryCodes } = await enrolled();
    const [first = '', second = ''] = recoveryCodes;
    await give(await begin(username), first.toUpperCase().replace('-', ' '));
    expect(await giveError(await begin(username), first)).toBe('WRONG_CODE');
    await give(await begin(username), second);
    expect((await client.call('GET /api/users/profile', {})).recoveryCodesLeft).toBe(8);
  });

  test('needs its first step, and is over after five minutes or five tries', async () => {
    const { username, secret } = await enrolled();
    const slow = await begin(username);
    clock.advance(5 * MINUTE);
    expect(await giveError(slow, codeOf(secret))).toBe('NOT_SIGNED_IN');
    const guesser = await begin(username);
    for (let i = 0; i < 5; i++) expect(await giveError(guesser, wrongCode(secret))).toBe('WRONG_CODE');
    expect(await giveError(guesser, codeOf(secret))).toBe('NOT_SIGNED_IN');
    expect(await giveError(anonymous(app), codeOf(secret))).toBe('NOT_SIGNED_IN');
  });

  test('is over once the password is changed', async () => {
    const { username, client, secret } = await enrolled();
    const begun = await begin(username);
    const body = { currentPassword: TEST_PASSWORD, newPassword: 'violet otter at noon' };
    await client.call('PUT /api/users/password', { body });
    expect(await giveError(begun, codeOf(secret))).toBe('NOT_SIGNED_IN');
  });

  test('is over if the organization takes over the sign-in after the first step', async () => {
    const { id, username, secret, organizationId } = await enrolled();
    const begun = await begin(username);
    await manageElsewhere({ id, organizationId });
    expect(await giveError(begun, codeOf(secret))).toBe('NOT_SIGNED_IN');
  });

  test('allows fifteen tries a day; a new password, or the next day, allows more', async () => {
    const { username, secret } = await enrolled();
    for (let round = 0; round < 3; round++) {
      const client = await begin(username);
      for (let i = 0; i < 5; i++) expect(await giveError(client, wrongCode(secret))).toBe('WRONG_CODE');
    }
    expect(await giveError(await begin(username), codeOf(secret))).toBe('LOCKED');
    expect(await giveError(await begin(username), codeOf(secret))).toBe('LOCKED');
    const letters = await lettersTo(database, username);
    expect(letters.map(({ subject }) => subject)).toEqual([
      'Your Tidings account was changed',
      'Unlock your Tidings account',
    ]);
    const token = tokenIn(letters[1]);
    await anonymous(app).call('POST /api/password/set', { body: { token, password: 'violet otter at noon' } });
    const owner = anonymous(app);
    await owner.call('POST /api/authenticate', { body: { username, password: 'violet otter at noon' } });
    await give(owner, codeOf(secret));

    const other = await enrolled();
    for (let round = 0; round < 4; round++) {
      const client = await begin(other.username);
      for (let i = 0; i < 4; i++) await giveError(client, wrongCode(other.secret));
    }
    clock.advance(DAY);
    await give(await begin(other.username), codeOf(other.secret));
  });

  test('is refused to a disabled user before the code', async () => {
    const { id, username } = await enrolled();
    await database.owner.query(sql`update users set disabled_at = ${clock.now()} where id = ${id}`);
    const body = { username, password: TEST_PASSWORD };
    expect((await errorOf(anonymous(app), 'POST /api/authenticate', { body })).errorKey).toBe('USER_DISABLED');
  });
});

describe('new recovery codes', () => {
  test('replace the earlier ones, and the owner is notified by mail', async () => {
    const { username, client, recoveryCodes } = await enrolled();
    const { recoveryCodes: renewed } = await client.call('POST /api/users/mfa/recovery-codes', {});
    expect(renewed).toHaveLength(10);
    expect((await lettersTo(database, username)).at(-1)?.body).toContain('New recovery codes were made');
    expect(await giveError(await begin(username), recoveryCodes[0] ?? '')).toBe('WRONG_CODE');
    await give(await begin(username), renewed[0] ?? '');
  });

  test('are not made without two-step verification', async () => {
    const client = await signIn(app, (await make.user()).username);
    expect((await errorOf(client, 'POST /api/users/mfa/recovery-codes', {})).errorKey).toBe('BAD_REQUEST');
  });
});

describe('turning two-step verification off', () => {
  test('deletes the recovery codes, and notifies the owner by mail', async () => {
    const { id, username, client } = await enrolled();
    await client.call('DELETE /api/users/mfa', {});
    expect(await client.call('GET /api/users/profile', {})).toMatchObject({ mfaOptedIn: false, recoveryCodesLeft: 0 });
    expect((await lettersTo(database, username)).at(-1)?.body).toContain(
      'Two-step verification was turned off for your account.',
    );
    await signIn(app, username);
    const { rows } = await database.owner.query(
      sql`select action from audit_entries where subject_id = ${id} and action like 'mfa.%' order by id`,
    );
    expect(rows).toEqual([{ action: 'mfa.enrol' }, { action: 'mfa.remove' }]);
  });
});

import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { type Deviation, SoftwareAuthenticator } from '#server/testing/authenticator.ts';
import { errorOf } from '#server/testing/calls.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { relyingParty } from './relying-party.ts';

const app = await startApp();
const { make, clock, database } = app;
const ORIGIN = 'http://tidings.test';
const MINUTE = 60_000;

async function add(client: Client, authenticator: SoftwareAuthenticator, name = 'Laptop') {
  const options = await client.call('POST /api/users/passkeys/options', {});
  return client.call('POST /api/users/passkeys', { body: { name, response: authenticator.create(options) } });
}

async function withPasskey() {
  const user = await make.user();
  const client = await signIn(app, user.username);
  const authenticator = new SoftwareAuthenticator(ORIGIN);
  return { ...user, client, authenticator, passkey: await add(client, authenticator) };
}

const signInOptions = () => anonymous(app).call('POST /api/authenticate/passkey/options', {});

async function signInWith(authenticator: SoftwareAuthenticator, deviation: Deviation = {}): Promise<Client> {
  const client = anonymous(app);
  const options = await client.call('POST /api/authenticate/passkey/options', {});
  await client.call('POST /api/authenticate/passkey', { body: { response: authenticator.get(options, deviation) } });
  return client;
}

async function signInError(response: Record<string, unknown>) {
  return (await errorOf(anonymous(app), 'POST /api/authenticate/passkey', { body: { response } })).errorKey;
}

describe('a passkey', () => {
  test('is added, listed and announced by mail, and signs in without a username', async () => {
    const { id, username, client, authenticator, passkey } = await withPasskey();
    expect(passkey).toEqual({
      id: passkey.id,
      name: 'Laptop',
      createdDate: clock.now().toISOString(),
      lastUsedDate: null,
    });
    expect((await lettersTo(database, username)).map(({ body }) => body)).toEqual([
      expect.stringContaining('A passkey was added'),
    ]);
    clock.advance(MINUTE);
    const entered = await signInWith(authenticator);
    expect((await entered.call('GET /api/me', {})).user.username).toBe(username);
    const { passkeys } = await client.call('GET /api/users/profile', {});
    expect(passkeys).toEqual([{ ...passkey, lastUsedDate: clock.now().toISOString() }]);
    const { rows } = await database.owner.query(
      sql`select action, detail from audit_entries where subject_id = ${id} order by id`,
    );
    expect(rows).toEqual([
      { action: 'sign-in', detail: { way: 'password' } },
      { action: 'passkey.add', detail: { passkeyId: passkey.id } },
      { action: 'sign-in', detail: { way: 'passkey' } },
    ]);
  });

  test('is asked for as discoverable and user-verifying, and existing ones are excluded', async () => {
    const { client, authenticator } = await withPasskey();
    expect(await client.call('POST /api/users/passkeys/options', {})).toMatchObject({
      rp: { id: 'tidings.test', name: 'Tidings' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.id }],
    });
    expect(await signInOptions()).toMatchObject({ rpId: 'tidings.test', userVerification: 'required' });
  });

  test('works while the password is locked, and in place of a code', async () => {
    const { id, username, authenticator } = await withPasskey();
    await database.owner.query(sql`update users set mfa_opted_in = true where id = ${id}`);
    for (let i = 0; i < 3; i++) {
      const body = { username, password: `wrong ${i}` };
      await errorOf(anonymous(app), 'POST /api/authenticate', { body });
    }
    expect((await (await signInWith(authenticator)).fetch('/api/me')).status).toBe(200);
  });

  test('is removed by its owner, and by no one else', async () => {
    const { client, authenticator, passkey } = await withPasskey();
    const stranger = await withPasskey();
    const params = { id: passkey.id };
    expect((await errorOf(stranger.client, 'DELETE /api/users/passkeys/:id', { params })).errorKey).toBe('NOT_FOUND');
    await client.call('DELETE /api/users/passkeys/:id', { params });
    expect(await signInError(authenticator.get(await signInOptions()))).toBe('PASSKEY_REFUSED');
    expect((await client.call('GET /api/users/profile', {})).passkeys).toEqual([]);
  });
});

describe('a sign-in by passkey is refused', () => {
  test.each<[string, Deviation]>([
    ['from another origin', { origin: 'http://evil.test' }],
    ['for another relying party', { rpId: 'evil.test' }],
    ['without fingerprint, face or PIN', { isUnverified: true }],
    ['with a counter that did not increase', { counter: 1 }],
    ['with a challenge that is not ours', { challenge: Buffer.alloc(32).toString('base64url') }],
  ])('%s', async (_, deviation) => {
    const { authenticator } = await withPasskey();
    expect(await signInError(authenticator.get(await signInOptions(), deviation))).toBe('PASSKEY_REFUSED');
    await signInWith(authenticator, { counter: 9 });
  });

  test('with the signature of another key', async () => {
    const { authenticator } = await withPasskey();
    const { id, rawId } = authenticator.get(await signInOptions());
    const other = new SoftwareAuthenticator(ORIGIN).get(await signInOptions());
    expect(await signInError({ ...other, id, rawId })).toBe('PASSKEY_REFUSED');
  });

  test('with the same response a second time, and after ten minutes', async () => {
    const { authenticator } = await withPasskey();
    const answer = authenticator.get(await signInOptions(), { counter: 5 });
    await anonymous(app).call('POST /api/authenticate/passkey', { body: { response: answer } });
    expect(await signInError(answer)).toBe('PASSKEY_REFUSED');
    const options = await signInOptions();
    clock.advance(10 * MINUTE);
    expect(await signInError(authenticator.get(options))).toBe('PASSKEY_REFUSED');
  });

  test('for a response that is not one', async () => {
    const { authenticator } = await withPasskey();
    for (const nonsense of [{}, { id: 7 }, { id: authenticator.id }, { id: authenticator.id, response: {} }])
      expect(await signInError(nonsense)).toBe('PASSKEY_REFUSED');
  });

  test('for a disabled user', async () => {
    const { id, authenticator } = await withPasskey();
    await database.owner.query(sql`update users set disabled_at = ${clock.now()} where id = ${id}`);
    expect(await signInError(authenticator.get(await signInOptions()))).toBe('USER_DISABLED');
  });
});

describe('adding a passkey is refused', () => {
  const addError = async (client: Client, response: Record<string, unknown>) =>
    (await errorOf(client, 'POST /api/users/passkeys', { body: { name: 'Laptop', response } })).errorKey;

  test('for another session’s challenge, a second time, for another origin, and unverified', async () => {
    const [one, two] = [await withPasskey(), await withPasskey()];
    const options = await one.client.call('POST /api/users/passkeys/options', {});
    const answer = new SoftwareAuthenticator(ORIGIN).create(options);
    expect(await addError(two.client, answer)).toBe('BAD_REQUEST');
    await one.client.call('POST /api/users/passkeys', { body: { name: 'Laptop', response: answer } });
    expect(await addError(one.client, answer)).toBe('BAD_REQUEST');
    const again = await one.client.call('POST /api/users/passkeys/options', {});
    const evil = new SoftwareAuthenticator('http://evil.test').create(again);
    expect(await addError(one.client, evil)).toBe('BAD_REQUEST');
    const unverified = await one.client.call('POST /api/users/passkeys/options', {});
    expect(
      await addError(one.client, new SoftwareAuthenticator(ORIGIN).create(unverified, { isUnverified: true })),
    ).toBe('BAD_REQUEST');
  });

  test('if another user has registered it', async () => {
    const [one, two] = [await withPasskey(), await withPasskey()];
    const options = await two.client.call('POST /api/users/passkeys/options', {});
    expect(await addError(two.client, one.authenticator.create(options))).toBe('BAD_REQUEST');
    const entered = await signInWith(one.authenticator);
    expect((await entered.call('GET /api/me', {})).user.username).toBe(one.username);
  });
});

describe('while the organization signs the account in', () => {
  /** Leaves an account as its first sign-in through a connection does (`server/people/sso/queries.ts`). */
  async function managed() {
    const mine = await withPasskey();
    const { rows } = await database.owner.query<{ id: string }>(sql`
      insert into sso_connections (organization_id, kind, name, is_enabled, domains, issuer, client_id, application_experience, created_at)
      values (${mine.organizationId}, 'OIDC', ${`Staff ${mine.id}`}, true, '{}', 'https://identity.test', 'tidings',
        'JANUS_AUTH0_SSO', ${clock.now()}) returning id`);
    const connectionId = rows[0]?.id ?? '';
    await database.owner.query(sql`
      update users set sso_connection_id = ${connectionId}, sso_subject = ${mine.id},
        password_hash = null, password_changed_at = null
      where id = ${mine.id}`);
    return { ...mine, connectionId };
  }

  test('its passkeys are refused, even with the connection off, and work again once it is removed', async () => {
    const { id, authenticator, connectionId } = await managed();
    expect(await signInError(authenticator.get(await signInOptions(), { counter: 5 }))).toBe('MANAGED_ELSEWHERE');
    await database.owner.query(sql`update sso_connections set is_enabled = false where id = ${connectionId}`);
    expect(await signInError(authenticator.get(await signInOptions(), { counter: 6 }))).toBe('MANAGED_ELSEWHERE');
    await database.owner.query(sql`update users set sso_connection_id = null, sso_subject = null where id = ${id}`);
    expect((await (await signInWith(authenticator, { counter: 7 })).fetch('/api/me')).status).toBe(200);
  });

  test('an unverified passkey does not learn about it', async () => {
    const { authenticator } = await managed();
    const answer = authenticator.get(await signInOptions(), { isUnverified: true });
    expect(await signInError(answer)).toBe('PASSKEY_REFUSED');
  });

  test('no passkey can be added, even if begun before; the profile says why, and existing ones can be removed', async () => {
    const { client, passkey, id, connectionId } = await managed();
    expect(await errorOf(client, 'POST /api/users/passkeys/options', {})).toMatchObject({
      errorKey: 'MANAGED_ELSEWHERE',
    });
    const late = await withPasskey();
    const options = await late.client.call('POST /api/users/passkeys/options', {});
    await database.owner.query(
      sql`update users set password_hash = null, sso_connection_id = ${connectionId} where id = ${late.id}`,
    );
    const response = new SoftwareAuthenticator(ORIGIN).create(options);
    const error = await errorOf(late.client, 'POST /api/users/passkeys', { body: { name: 'Late', response } });
    expect(error.errorKey).toBe('MANAGED_ELSEWHERE');

    expect(await client.call('GET /api/users/profile', {})).toMatchObject({
      hasPassword: false,
      isManagedElsewhere: true,
      passkeys: [{ id: passkey.id }],
    });
    await client.call('DELETE /api/users/passkeys/:id', { params: { id: passkey.id } });
    await database.owner.query(sql`update users set sso_connection_id = null, sso_subject = null where id = ${id}`);
    expect(await client.call('GET /api/users/profile', {})).toMatchObject({
      hasPassword: false,
      isManagedElsewhere: false,
    });
    await add(client, new SoftwareAuthenticator(ORIGIN));
  });
});

test('the relying party of a loopback address is localhost', () => {
  expect(relyingParty('http://127.0.0.1:8080')).toEqual({ id: 'localhost', origin: 'http://localhost:8080' });
  expect(relyingParty('https://tidings.example')).toEqual({ id: 'tidings.example', origin: 'https://tidings.example' });
});

test('the password still works beside a passkey', async () => {
  const { username } = await withPasskey();
  await signIn(app, username, TEST_PASSWORD);
});

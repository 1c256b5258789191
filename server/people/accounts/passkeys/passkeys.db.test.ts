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

const optionsToEnter = () => anonymous(app).call('POST /api/authenticate/passkey/options', {});

async function enter(authenticator: SoftwareAuthenticator, deviation: Deviation = {}): Promise<Client> {
  const client = anonymous(app);
  const options = await client.call('POST /api/authenticate/passkey/options', {});
  await client.call('POST /api/authenticate/passkey', { body: { response: authenticator.get(options, deviation) } });
  return client;
}

async function enterError(response: Record<string, unknown>) {
  return (await errorOf(anonymous(app), 'POST /api/authenticate/passkey', { body: { response } })).errorKey;
}

describe('a passkey', () => {
  test('is added to an account, listed, told by mail, and signs in without a username', async () => {
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
    const entered = await enter(authenticator);
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

  test('asks for one that is found without a username and verifies its user, and not for one that is there', async () => {
    const { client, authenticator } = await withPasskey();
    expect(await client.call('POST /api/users/passkeys/options', {})).toMatchObject({
      rp: { id: 'tidings.test', name: 'Tidings' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.id }],
    });
    expect(await optionsToEnter()).toMatchObject({ rpId: 'tidings.test', userVerification: 'required' });
  });

  test('works while the password is locked, and where a code would be wanted', async () => {
    const { id, username, authenticator } = await withPasskey();
    await database.owner.query(sql`update users set mfa_opted_in = true where id = ${id}`);
    for (let i = 0; i < 3; i++) {
      const body = { username, password: `wrong ${i}` };
      await errorOf(anonymous(app), 'POST /api/authenticate', { body });
    }
    expect((await (await enter(authenticator)).fetch('/api/me')).status).toBe(200);
  });

  test('is gone when its owner removes it, and nobody else can', async () => {
    const { client, authenticator, passkey } = await withPasskey();
    const stranger = await withPasskey();
    const params = { id: passkey.id };
    expect((await errorOf(stranger.client, 'DELETE /api/users/passkeys/:id', { params })).errorKey).toBe('NOT_FOUND');
    await client.call('DELETE /api/users/passkeys/:id', { params });
    expect(await enterError(authenticator.get(await optionsToEnter()))).toBe('PASSKEY_REFUSED');
    expect((await client.call('GET /api/users/profile', {})).passkeys).toEqual([]);
  });
});

describe('a sign-in by passkey is refused', () => {
  test.each<[string, Deviation]>([
    ['of another origin', { origin: 'http://evil.test' }],
    ['for another relying party', { rpId: 'evil.test' }],
    ['without finger, face or PIN', { isUnverified: true }],
    ['with a counter that stood still', { counter: 1 }],
    ['with a challenge that is not ours', { challenge: Buffer.alloc(32).toString('base64url') }],
  ])('%s', async (_, deviation) => {
    const { authenticator } = await withPasskey();
    expect(await enterError(authenticator.get(await optionsToEnter(), deviation))).toBe('PASSKEY_REFUSED');
    await enter(authenticator, { counter: 9 });
  });

  test('with the signature of another key', async () => {
    const { authenticator } = await withPasskey();
    const { id, rawId } = authenticator.get(await optionsToEnter());
    const other = new SoftwareAuthenticator(ORIGIN).get(await optionsToEnter());
    expect(await enterError({ ...other, id, rawId })).toBe('PASSKEY_REFUSED');
  });

  test('a second time with the same answer, and ten minutes late', async () => {
    const { authenticator } = await withPasskey();
    const answer = authenticator.get(await optionsToEnter(), { counter: 5 });
    await anonymous(app).call('POST /api/authenticate/passkey', { body: { response: answer } });
    expect(await enterError(answer)).toBe('PASSKEY_REFUSED');
    const options = await optionsToEnter();
    clock.advance(10 * MINUTE);
    expect(await enterError(authenticator.get(options))).toBe('PASSKEY_REFUSED');
  });

  test('where it is nothing of the kind', async () => {
    const { authenticator } = await withPasskey();
    for (const nonsense of [{}, { id: 7 }, { id: authenticator.id }, { id: authenticator.id, response: {} }])
      expect(await enterError(nonsense)).toBe('PASSKEY_REFUSED');
  });

  test('to a disabled user', async () => {
    const { id, authenticator } = await withPasskey();
    await database.owner.query(sql`update users set disabled_at = ${clock.now()} where id = ${id}`);
    expect(await enterError(authenticator.get(await optionsToEnter()))).toBe('USER_DISABLED');
  });
});

describe('adding a passkey is refused', () => {
  const addError = async (client: Client, response: Record<string, unknown>) =>
    (await errorOf(client, 'POST /api/users/passkeys', { body: { name: 'Laptop', response } })).errorKey;

  test('for a challenge of another session, a second time, and for another origin', async () => {
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

  test('for one that somebody has registered', async () => {
    const [one, two] = [await withPasskey(), await withPasskey()];
    const options = await two.client.call('POST /api/users/passkeys/options', {});
    expect(await addError(two.client, one.authenticator.create(options))).toBe('BAD_REQUEST');
    const entered = await enter(one.authenticator);
    expect((await entered.call('GET /api/me', {})).user.username).toBe(one.username);
  });
});

describe('while the organisation signs the account in', () => {
  /** As the first sign-in through a connection leaves it (`server/people/sso/queries.ts`). */
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

  test('its passkeys sign nobody in, switched off or not, and do again once the connection is gone', async () => {
    const { id, authenticator, connectionId } = await managed();
    expect(await enterError(authenticator.get(await optionsToEnter(), { counter: 5 }))).toBe('MANAGED_ELSEWHERE');
    await database.owner.query(sql`update sso_connections set is_enabled = false where id = ${connectionId}`);
    expect(await enterError(authenticator.get(await optionsToEnter(), { counter: 6 }))).toBe('MANAGED_ELSEWHERE');
    await database.owner.query(sql`update users set sso_connection_id = null, sso_subject = null where id = ${id}`);
    expect((await (await enter(authenticator, { counter: 7 })).fetch('/api/me')).status).toBe(200);
  });

  test('nobody else is told so by the passkey of another', async () => {
    const { authenticator } = await managed();
    const answer = authenticator.get(await optionsToEnter(), { isUnverified: true });
    expect(await enterError(answer)).toBe('PASSKEY_REFUSED');
  });

  test('none is added, also where it was begun before; the profile says why, and those that are there can be removed', async () => {
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

test('the relying party on the machine itself is localhost, for an address cannot be one', () => {
  expect(relyingParty('http://127.0.0.1:8080')).toEqual({ id: 'localhost', origin: 'http://localhost:8080' });
  expect(relyingParty('https://tidings.example')).toEqual({ id: 'tidings.example', origin: 'https://tidings.example' });
});

test('the password still signs in beside it', async () => {
  const { username } = await withPasskey();
  await signIn(app, username, TEST_PASSWORD);
});

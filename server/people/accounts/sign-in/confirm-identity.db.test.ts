import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { type RouteKey, routes } from '#contract/routes.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { SoftwareAuthenticator } from '#server/testing/authenticator.ts';
import { errorOf } from '#server/testing/calls.ts';
import { request } from '#server/testing/client.ts';
import { lettersTo } from '#server/testing/letters.ts';
import type { Proof } from './confirm-identity.ts';

const app = await startApp();
const { make, clock, database } = app;
const MINUTE = 60_000;
const AGAIN = 'POST /api/authenticate/again';

const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });

/** A session that began six minutes ago, as a thief may find it. */
async function stale(over: Parameters<typeof make.user>[0] = {}) {
  const user = await make.user(over);
  const client = await signIn(app, user.username);
  clock.advance(6 * MINUTE);
  return { ...user, client };
}

const again = (client: Client, body: Proof) => client.call(AGAIN, { body });
const againError = async (client: Client, body: Proof) => (await errorOf(client, AGAIN, { body })).errorKey;

const fresh = Object.entries(routes)
  .filter(([, row]) => 'fresh' in row)
  .map(([key]) => key as RouteKey);

test('every call that changes how an account is opened is refused five minutes after the sign-in', async () => {
  const { client } = await stale();
  expect(fresh).toEqual([
    'POST /api/users/optIntoMfa',
    'POST /api/users/mfa/recovery-codes',
    'DELETE /api/users/mfa',
    'POST /api/users/passkeys/options',
    'DELETE /api/users/passkeys/:id',
    'POST /api/users/notification-phone',
  ]);
  for (const key of fresh) {
    const response = await client.fetch(...request(key, { params: { id: '1' }, body: { phone: '6465550102' } }));
    expect([key, ((await response.json()) as { errorKey: string }).errorKey]).toEqual([
      key,
      'REAUTHENTICATION_REQUIRED',
    ]);
  }
});

test('a password confirms nothing where the organization requires single sign-on', async () => {
  const { client, organizationId } = await stale();
  await database.owner.query(sql`update organizations set requires_sso = true where id = ${organizationId}`);
  expect(await againError(client, { password: TEST_PASSWORD })).toBe('MANAGED_ELSEWHERE');
});

describe('a session is fresh for five minutes', () => {
  test('after the password, whose wrong tries count as at sign-in', async () => {
    const { client, username } = await stale();
    expect(await againError(client, { password: 'wrong' })).toBe('WRONG_PASSWORD');
    await again(client, { password: TEST_PASSWORD });
    await client.call('POST /api/users/passkeys/options', {});
    clock.advance(5 * MINUTE);
    const { errorKey } = await errorOf(client, 'POST /api/users/passkeys/options', {});
    expect(errorKey).toBe('REAUTHENTICATION_REQUIRED');
    for (const _ of [1, 2]) expect(await againError(client, { password: 'wrong' })).toBe('WRONG_PASSWORD');
    expect(await againError(client, { password: 'wrong' })).toBe('LOCKED');
    expect(await againError(client, { password: TEST_PASSWORD })).toBe('LOCKED');
    expect((await lettersTo(database, username)).map(({ subject }) => subject)).toEqual([
      'Unlock your Tidings account',
    ]);
  });

  test('after a code, which works once and is tried at most fifteen times a day', async () => {
    const { username } = await make.user();
    const client = await signIn(app, username);
    const { secret } = await client.call('POST /api/users/optIntoMfa', {});
    const { recoveryCodes } = await client.call('POST /api/users/mfa/confirm', { body: { code: codeOf(secret) } });
    clock.advance(6 * MINUTE);
    const code = codeOf(secret);
    await again(client, { code });
    expect(await againError(client, { code })).toBe('WRONG_CODE');
    await again(client, { code: recoveryCodes[0] ?? '' });
    for (let i = 0; i < 15; i++) expect(await againError(client, { code: 'not a code' })).toBe('WRONG_CODE');
    expect(await againError(client, { code: codeOf(secret) })).toBe('LOCKED');
  });

  test('after the user’s own passkey', async () => {
    const authenticator = new SoftwareAuthenticator('http://tidings.test');
    const { username } = await make.user();
    const client = await signIn(app, username);
    const created = authenticator.create(await client.call('POST /api/users/passkeys/options', {}));
    await client.call('POST /api/users/passkeys', { body: { name: 'laptop', response: created } });
    clock.advance(6 * MINUTE);
    const assertion = async () => authenticator.get(await client.call('POST /api/authenticate/passkey/options', {}));
    const { client: thief } = await stale();
    await again(client, { response: await assertion() });
    await client.call('POST /api/users/optIntoMfa', {});
    expect(await againError(thief, { response: await assertion() })).toBe('PASSKEY_REFUSED');
  });
});

test('a user whose organization signs them in confirms by signing in again', async () => {
  const { client, id } = await stale();
  const { rows } = await database.owner.query<{ organizationId: string }>(
    sql`update users set password_hash = null where id = ${id} returning organization_id as "organizationId"`,
  );
  await make.connection({ organizationId: rows[0]?.organizationId ?? '', domains: ['tidings.test'] });
  expect(await againError(client, { password: TEST_PASSWORD })).toBe('MANAGED_ELSEWHERE');
  expect(await againError(client, { code: '123456' })).toBe('MANAGED_ELSEWHERE');
});

test('the proof is audited with the way, and nothing else', async () => {
  const { client, id } = await stale();
  await again(client, { password: TEST_PASSWORD });
  const { rows } = await database.owner.query(
    sql`select detail from audit_entries where subject_id = ${id} and action = 'identity.confirm'`,
  );
  expect(rows).toEqual([{ detail: { way: 'password' } }]);
});

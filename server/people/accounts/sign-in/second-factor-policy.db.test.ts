import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { anonymous, type Client, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { SoftwareAuthenticator } from '#server/testing/authenticator.ts';
import { errorOf } from '#server/testing/calls.ts';
import { trySignIn } from '#server/testing/sign-ins.ts';

const app = await startApp({ config: { isProduction: true } });
const { make, clock, database } = app;
const team = await make.team();

const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });
const enroll = async (client: Client): Promise<void> => {
  const { secret } = await client.call('POST /api/users/optIntoMfa', {});
  await client.call('POST /api/users/mfa/confirm', { body: { code: codeOf(secret) } });
};

test('in production, operators and those who manage users need a second factor, others do not', async () => {
  const coordinator = await make.user({ team });
  const [administrator, operator, added] = [
    await make.user({ team, role: 'administrator' }),
    await make.user({ team, isOperator: true }),
    await make.user({ team, added: ['canManageUsers'] }),
  ];
  expect(await trySignIn(anonymous(app), coordinator.username, TEST_PASSWORD)).toBe('home');
  for (const { username } of [administrator, operator, added])
    expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('enroll');
});

test('an organization may require it of everyone', async () => {
  const user = await make.user();
  expect(await trySignIn(anonymous(app), user.username, TEST_PASSWORD)).toBe('home');
  await database.owner.query(
    sql`update organizations set requires_second_factor = true where id = ${user.organizationId}`,
  );
  expect(await trySignIn(anonymous(app), user.username, TEST_PASSWORD)).toBe('enroll');
});

test('until one is set up, the session opens nothing else', async () => {
  const { username } = await make.user({ team, role: 'administrator' });
  const client = anonymous(app);
  expect(await trySignIn(client, username, TEST_PASSWORD)).toBe('enroll');
  for (const route of ['GET /api/me', 'GET /api/users/profile', 'DELETE /api/users/mfa'] as const)
    expect((await errorOf(client, route, {})).errorKey).toBe('SECOND_FACTOR_REQUIRED');
  client.teamId = team.id;
  expect((await errorOf(client, 'GET /api/admin/users', { query: {} })).errorKey).toBe('SECOND_FACTOR_REQUIRED');
  expect((await client.fetch(`/api/live?teamId=${team.id}`)).status).toBe(403);
  await enroll(client);
  expect((await client.call('GET /api/me', {})).user.username).toBe(username);
  expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('mfa');
});

test('a passkey is enough, and from then on the password alone adds no other factor', async () => {
  const { username } = await make.user({ team, role: 'administrator' });
  const client = anonymous(app);
  await trySignIn(client, username, TEST_PASSWORD);
  const authenticator = new SoftwareAuthenticator('http://tidings.test');
  const response = authenticator.create(await client.call('POST /api/users/passkeys/options', {}));
  await client.call('POST /api/users/passkeys', { body: { name: 'laptop', response } });
  await client.call('GET /api/me', {});

  const other = anonymous(app);
  for (const _ of [1, 2, 3, 4]) expect(await trySignIn(other, username, TEST_PASSWORD)).toBe('PASSKEY_REQUIRED');
  const assertion = authenticator.get(await other.call('POST /api/authenticate/passkey/options', {}));
  expect((await other.call('POST /api/authenticate/passkey', { body: { response: assertion } })).next).toBe('home');
});

test('an expired password is changed first, then the factor is set up', async () => {
  const { id, username } = await make.user({ team, role: 'administrator' });
  const past = new Date(clock.now().getTime() - 95 * 86_400_000);
  await database.owner.query(
    sql`update users set password_changed_at = ${past}, current_login_at = ${clock.now()} where id = ${id}`,
  );
  const client = anonymous(app);
  expect(await trySignIn(client, username, TEST_PASSWORD)).toBe('change-password');
  expect((await errorOf(client, 'POST /api/users/optIntoMfa', {})).errorKey).toBe('PASSWORD_CHANGE_REQUIRED');
  const body = { currentPassword: TEST_PASSWORD, newPassword: 'violet otter at noon' };
  await client.call('PUT /api/users/password', { body });
  expect((await errorOf(client, 'GET /api/me', {})).errorKey).toBe('SECOND_FACTOR_REQUIRED');
  await enroll(client);
  await client.call('GET /api/me', {});
});

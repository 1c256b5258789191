import type { JWTPayload } from 'jose';
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { RESET_REQUESTED } from '#contract/errors.ts';
import { createLog } from '#server/platform/http/log.ts';
import { anonymous, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { startEhr } from '#server/testing/ehr.ts';
import { atProvider, startIdentityProvider } from '#server/testing/identity-provider.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { connect, enableUntested, organizationWithAdministrator, pathOf } from '#server/testing/sso.ts';

const lines: string[] = [];
const app = await startApp({ log: createLog('info', { write: (line) => void lines.push(line) }) });
const { admin, team, organizationId } = await organizationWithAdministrator(app);

const REFUSED = '/login?error=SSO_ERROR';
const started = (client: Client, key: string, query = '') => client.fetch(`/api/sso/oidc/${key}/start${query}`);
const keyOf = ({ callbackUrl }: { callbackUrl: string }) => callbackUrl.split('/').at(-2) ?? '';

describe('with a real identity provider', async () => {
  const emails = new Map<string, { email: string; isVerified: boolean; name?: [first: string, last: string] }>();
  const clients = [{ clientId: 'tidings', clientSecret: 'a secret of both sides', redirectUri: '' }];
  const connection = await connect(app, admin, {
    kind: 'OIDC',
    issuer: 'http://127.0.0.1:1',
    isEnabled: false,
    domains: ['lakeshore.test'],
  });
  const redirectUri = connection.callbackUrl;
  const provider = await startIdentityProvider(
    clients.map((each) => ({ ...each, redirectUri })),
    emails,
  );
  afterAll(provider.close);
  const { id, hasSecret: _, callbackUrl: __, metadataUrl: ___, ...fields } = connection;
  await admin.call('PUT /api/admin/sso-connections/:id', {
    params: { id },
    body: { ...fields, issuer: provider.issuer, clientSecret: 'a secret of both sides' },
  });
  await enableUntested(app, id);
  const key = keyOf(connection);

  async function through(client: Client, login: string, query = ''): Promise<string | null> {
    const start = await started(client, key, query);
    const back = await atProvider(start.headers.get('location') ?? '', login);
    return (await client.fetch(pathOf(back))).headers.get('location');
  }

  test('a user of the organization signs in, is linked by verified email, and recognized by subject afterwards', async () => {
    const user = await app.make.user({ team, username: 'rosa@lakeshore.test' });
    emails.set('rosa', { email: 'Rosa@Lakeshore.test', isVerified: true });
    const client = anonymous(app);
    expect(await client.call('POST /api/users/redirectUrl', { body: { username: 'rosa@lakeshore.test' } })).toEqual({
      redirectUrl: `/api/sso/oidc/${key}/start`,
      kind: 'identity-provider',
    });
    const page = '/patients/12_0?tab=care-team';
    expect(await through(client, 'rosa', `?returnTo=${encodeURIComponent(page)}`)).toBe(page);
    const [letter] = await lettersTo(app.database, user.username);
    expect(letter?.body).toContain('Your password no longer works.');
    const me = await client.call('GET /api/me', {});
    expect(me).toMatchObject({ daysUntilPasswordExpiration: null, defaultTeam: team.id });
    const sso = { isSSO: true, isAuth0: true, applicationExperience: 'JANUS_AUTH0_SSO' };
    expect(me.user).toMatchObject({ id: user.id, ...sso, numberSuccessfulLogins: 1 });

    emails.set('rosa', { email: 'rosa.new@elsewhere.test', isVerified: false });
    const again = anonymous(app);
    expect(await through(again, 'rosa')).toBe('/');
    expect((await again.call('GET /api/me', {})).user.id).toBe(user.id);
  });
  test('someone without an account gets one at the first sign-in, once a rule says what', async () => {
    emails.set('ama', { email: 'ama.mensah@lakeshore.test', isVerified: true, name: ['Ama', 'Mensah'] });
    expect(await through(anonymous(app), 'ama')).toContain(REFUSED);
    const { rows: roles } = await app.database.owner.query<{ id: string; name: string }>(
      'select id, name from roles where organization_id is null',
    );
    const rule = (name: string) => ({ teamId: team.id, roleId: roles.find((role) => role.name === name)?.id ?? '' });
    const put = (newUsers: { teamId: string; roleId: string } | null) =>
      admin.call('PUT /api/admin/sso-connections/:id/new-users', { params: { id }, body: { newUsers } });
    await expect(put(rule('administrator'))).rejects.toMatchObject({ status: 400 });
    await put(rule('viewer'));
    const ama = anonymous(app);
    expect(await through(ama, 'ama')).toBe('/');
    const { user } = await ama.call('GET /api/me', {});
    expect(user).toMatchObject({
      username: 'ama.mensah@lakeshore.test',
      firstName: 'Ama',
      lastName: 'Mensah',
      isSSO: true,
    });
    const { grants } = await admin.call('GET /api/admin/users/:id', { params: { id: user.id } });
    expect(grants).toMatchObject([rule('viewer')]);
    const { changes } = await admin.call('GET /api/admin/changes', { query: { userId: user.id, kind: 'accounts' } });
    expect(changes).toMatchObject([{ action: 'user.first-sign-in', by: null, through: { id } }]);
    // Recognized from now on, and refused once disabled.
    await through(anonymous(app), 'ama');
    await admin.call('POST /api/admin/users/:id/disable', { params: { id: user.id } });
    expect(await through(anonymous(app), 'ama')).toContain(REFUSED);
    // Not for addresses that are unverified or of another domain, nor for someone whose names are not sent.
    emails.set('eve', { email: 'eve@lakeshore.test', isVerified: false, name: ['Eve', 'Grey'] });
    emails.set('mallory', { email: 'mallory@elsewhere.test', isVerified: true, name: ['Mallory', 'Grey'] });
    emails.set('nameless', { email: 'nameless@lakeshore.test', isVerified: true });
    for (const login of ['eve', 'mallory', 'nameless']) expect(await through(anonymous(app), login)).toContain(REFUSED);
    await put(null);
    emails.set('late', { email: 'late@lakeshore.test', isVerified: true, name: ['Late', 'Comer'] });
    expect(await through(anonymous(app), 'late')).toContain(REFUSED);
  });

  test('changes that a sign-in makes to the account are listed with the connection that made them', async () => {
    const user = await app.make.user({
      team,
      username: 'ines@lakeshore.test',
      firstName: 'Ines',
      lastName: 'Ferreira',
    });
    emails.set('ines', { email: 'ines@lakeshore.test', isVerified: true });
    const before = await signIn(app, user.username, TEST_PASSWORD);
    await through(anonymous(app), 'ines');
    const listed = async () =>
      (await admin.call('GET /api/admin/changes', { query: { userId: user.id, kind: 'accounts' } })).changes.map(
        ({ action, by, through: connection, detail }) => ({ action, by, connection, detail }),
      );
    const common = { by: null, connection: { id, name: connection.name } };
    const experience = { connectionId: id, changes: { applicationExperience: ['JANUS', 'JANUS_AUTH0_SSO'] } };
    const link = { connectionId: id, passwordRemoved: true, activated: false };
    const first = [
      { action: 'user.change', ...common, detail: experience },
      { action: 'user.link', ...common, detail: link },
    ];
    expect(await listed()).toEqual(first);
    expect((await before.fetch('/api/me')).status).toBe(401);

    await through(anonymous(app), 'ines');
    expect(await listed()).toEqual(first);
    await app.database.owner.query("update users set application_experience = 'ANAHIT' where id = $1", [user.id]);
    const late = { firstName: 'Inês', lastName: 'Ferreira', grants: [], version: 'an older one' };
    await through(anonymous(app), 'ines');
    const again = { ...experience, changes: { applicationExperience: ['ANAHIT', 'JANUS_AUTH0_SSO'] } };
    expect(await listed()).toEqual([{ ...first[0], detail: again }, ...first]);
    const params = { id: user.id };
    await expect(admin.call('PUT /api/admin/users/:id', { params, body: late })).rejects.toMatchObject({
      body: { errorKey: 'CHANGED_BY_OTHER', standing: { last: { name: connection.name } } },
    });
  });

  test('the name is updated at each sign-in as the provider sends it, and the change is listed', async () => {
    const user = await app.make.user({ team, username: 'lena@lakeshore.test', firstName: 'L.', lastName: 'Okafor' });
    const known = { email: user.username, isVerified: true };
    emails.set('lena', { ...known, name: ['Lena\u0000 ', 'Okafor'] });
    const client = anonymous(app);
    await through(client, 'lena');
    expect((await client.call('GET /api/me', {})).user).toMatchObject({ firstName: 'Lena', lastName: 'Okafor' });
    const { changes } = await admin.call('GET /api/admin/changes', { query: { userId: user.id } });
    expect(changes.map(({ detail }) => detail)).toContainEqual({
      connectionId: id,
      changes: { firstName: ['L.', 'Lena'], applicationExperience: ['JANUS', 'JANUS_AUTH0_SSO'] },
    });
    emails.set('lena', known);
    await through(client, 'lena');
    expect((await client.call('GET /api/me', {})).user.firstName).toBe('Lena');
  });

  test('an invited user is activated by the first sign-in, and the change is listed', async () => {
    const user = await app.make.user({ team, username: 'omar@lakeshore.test' });
    await app.database.owner.query('update users set activated_at = null, password_hash = null where id = $1', [
      user.id,
    ]);
    emails.set('omar', { email: 'omar@lakeshore.test', isVerified: true });
    await through(anonymous(app), 'omar');
    const { changes } = await admin.call('GET /api/admin/changes', { query: { userId: user.id } });
    expect(changes.at(-1)).toMatchObject({
      action: 'user.link',
      detail: { connectionId: id, passwordRemoved: false, activated: true },
    });
  });

  test('a linked user has no password here', async () => {
    const user = await app.make.user({ team, username: 'kofi@lakeshore.test' });
    emails.set('kofi', { email: 'kofi@lakeshore.test', isVerified: true });
    await through(anonymous(app), 'kofi');
    // It is kept, so that it is refused as a used password once the connection is removed.
    const { rows } = await app.database.owner.query('select from password_history where user_id = $1', [user.id]);
    expect(rows).toHaveLength(1);
    const body = { username: 'kofi@lakeshore.test', password: TEST_PASSWORD };
    await expect(anonymous(app).call('POST /api/authenticate', { body })).rejects.toMatchObject({
      body: { errorKey: 'WRONG_PASSWORD' },
    });
  });

  test('an email address lets no one else in', async () => {
    await app.make.user({ team, username: 'unverified@lakeshore.test' });
    await app.make.user({ username: 'foreign@lakeshore.test' });
    await app.make.user({ team, username: 'other@domain.test' });
    await app.make.user({ team, username: 'operator@lakeshore.test', isOperator: true });
    await app.make.user({ team, username: 'twice@lakeshore.test' });
    for (const name of ['unverified', 'foreign', 'unknown', 'operator', 'twice']) {
      emails.set(name, { email: `${name}@lakeshore.test`, isVerified: name !== 'unverified' });
    }
    emails.set('other', { email: 'other@domain.test', isVerified: true });
    emails.set('successor', { email: 'twice@lakeshore.test', isVerified: true });
    expect(await through(anonymous(app), 'twice')).toBe('/');
    for (const name of ['unverified', 'foreign', 'unknown', 'operator', 'other', 'successor']) {
      const client = anonymous(app);
      expect([name, await through(client, name)]).toEqual([name, REFUSED]);
      await expect(client.call('GET /api/me', {})).rejects.toMatchObject({ status: 401 });
    }
  });

  test('a linked user who became an operator is refused, because operators reach every organization', async () => {
    const user = await app.make.user({ team, username: 'risen@lakeshore.test' });
    emails.set('risen', { email: 'risen@lakeshore.test', isVerified: true });
    expect(await through(anonymous(app), 'risen')).toBe('/');
    await app.database.owner.query('update users set is_operator = true where id = $1', [user.id]);
    expect(await through(anonymous(app), 'risen')).toBe(REFUSED);
    // The owner can use a password again.
    const query = { username: user.username };
    expect(await anonymous(app).call('GET /api/password/forgot', { query })).toEqual({ message: RESET_REQUESTED });
    expect(await anonymous(app).call('POST /api/users/redirectUrl', { body: query })).toMatchObject({
      redirectUrl: null,
    });
  });

  test('after a failed sign-in the sign-in page still knows the page that was wanted', async () => {
    const page = '/patients/12_0?tab=care-team';
    const query = `?returnTo=${encodeURIComponent(page)}`;
    const onward = `${REFUSED}&nextPathName=${encodeURIComponent(page)}`;
    expect(await through(anonymous(app), 'unknown', query)).toBe(onward);
    const nowhere = await started(anonymous(app), '00000000-0000-4000-8000-000000000000', query);
    expect(nowhere.headers.get('location')).toBe(onward);
    expect(await through(anonymous(app), 'unknown', '?returnTo=https%3A%2F%2Fevil.example%2F')).toBe(REFUSED);
  });

  test('a disabled user is refused', async () => {
    const user = await app.make.user({ team, username: 'gone@lakeshore.test' });
    emails.set('gone', { email: 'gone@lakeshore.test', isVerified: true });
    expect(await through(anonymous(app), 'gone')).toBe('/');
    await app.database.owner.query('update users set disabled_at = created_at where id = $1', [user.id]);
    expect(await through(anonymous(app), 'gone')).toBe(REFUSED);
  });

  test('an answer works once, in the browser that began the sign-in, within ten minutes', async () => {
    await app.make.user({ team, username: 'once@lakeshore.test' });
    emails.set('once', { email: 'once@lakeshore.test', isVerified: true });
    const client = anonymous(app);
    const fetchAnswer = async () =>
      pathOf(await atProvider((await started(client, key)).headers.get('location') ?? '', 'once'));
    const answer = await fetchAnswer();
    const thief = anonymous(app);
    await started(thief, key);
    expect((await thief.fetch(answer)).headers.get('location')).toBe(REFUSED);
    expect((await client.fetch(answer)).headers.get('location')).toBe('/');
    expect((await client.fetch(answer)).headers.get('location')).toBe(REFUSED);
    const late = await fetchAnswer();
    app.clock.advance(11 * 60_000);
    expect((await client.fetch(late)).headers.get('location')).toBe(REFUSED);
    expect((await client.fetch(late)).headers.get('location')).toBe(REFUSED);
    app.clock.advance(-11 * 60_000);
  });

  test('the log contains no secrets and no names', () => {
    const log = lines.join('\n');
    expect(log).toContain('NO_USER');
    for (const secret of ['a secret of both sides', 'lakeshore.test', 'code=', 'eyJ'])
      expect(log).not.toContain(secret);
  });
});

describe('with a misbehaving provider', async () => {
  const provider = await startEhr();
  afterAll(provider.close);
  const { clientId, clientSecret } = provider;
  const domains = ['misbehaving.test'];
  const key = keyOf(await connect(app, admin, { kind: 'OIDC', issuer: provider.url, clientId, clientSecret, domains }));
  const { username } = await app.make.user({ organizationId, username: 'ida@misbehaving.test' });
  beforeEach(() => {
    provider.claims = { email: username, email_verified: true };
    provider.forge = null;
    provider.metadata = {};
  });

  async function through(change: (back: URL) => void = () => {}): Promise<string | null> {
    const client = anonymous(app);
    const start = (await started(client, key)).headers.get('location') ?? '';
    expect(start.startsWith(provider.url)).toBe(true);
    const back = new URL((await fetch(start, { redirect: 'manual' })).headers.get('location') ?? '');
    change(back);
    return (await client.fetch(pathOf(back.href))).headers.get('location');
  }

  test('a user of a domain that is not verified is not linked', async () => {
    const set = (assignment: string) =>
      app.database.owner.query(`update email_domains set ${assignment} where domain = 'misbehaving.test'`);
    await set('verified_at = null, verified_by = null');
    expect(await through()).toBe(REFUSED);
    await set("verified_at = now(), verified_by = 'OPERATOR'");
  });

  test('a right answer is accepted, so that the refusals below prove something', async () => {
    expect(await through()).toBe('/');
  });

  test('a wrong state is refused', async () => {
    expect(await through((back) => back.searchParams.set('state', 'x'.repeat(43)))).toBe(REFUSED);
    expect(await through((back) => back.searchParams.delete('state'))).toBe(REFUSED);
  });

  test.each<[string, JWTPayload]>([
    ['nonce', { nonce: 'from another sign-in' }],
    ['issuer', { iss: 'https://evil.test' }],
    ['audience', { aud: 'another client' }],
    ['time', { exp: Math.floor(Date.now() / 1000) - 3600 }],
  ])('a token with a wrong %s is refused', async (_what, claims) => {
    provider.claims = { ...provider.claims, ...claims };
    expect(await through()).toBe(REFUSED);
  });

  test('an unsigned token (algorithm none) is refused, even if the provider claims to support it', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    provider.forge = (claims) => `${part({ alg: 'none' })}.${part(claims)}.`;
    expect(await through()).toBe(REFUSED);
    provider.metadata = { id_token_signing_alg_values_supported: ['RS256', 'none'] };
    expect(await through()).toBe(REFUSED);
  });

  test('a token signed by another key is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    provider.forge = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'ehr' }).sign(privateKey);
    expect(await through()).toBe(REFUSED);
  });

  test('a token signed with the public key as a shared secret is refused', async () => {
    const { keys } = (await (await fetch(`${provider.url}/jwks`)).json()) as { keys: object[] };
    const secret = Buffer.from(JSON.stringify(keys[0]));
    provider.forge = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'ehr' }).sign(secret);
    expect(await through()).toBe(REFUSED);
    provider.metadata = { id_token_signing_alg_values_supported: ['HS256'] };
    expect(await through()).toBe(REFUSED);
  });

  test('metadata or an answer with another issuer is refused', async () => {
    expect(await through((back) => back.searchParams.set('iss', 'https://evil.test'))).toBe(REFUSED);
    provider.metadata = { issuer: 'https://evil.test' };
    expect((await started(anonymous(app), key)).headers.get('location')).toBe(REFUSED);
  });

  test.each(['', ' ', 'ü', 'x'.repeat(256)])('a token with the subject "%s" is refused', async (sub) => {
    provider.claims = { ...provider.claims, sub };
    expect(await through()).toBe(REFUSED);
  });

  test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'metadata that names a %s elsewhere by plain http is refused, and nothing is sent there',
    async (endpoint) => {
      const elsewhere = await startEhr();
      provider.metadata = { [endpoint]: `${elsewhere.url}/token` };
      expect((await started(anonymous(app), key)).headers.get('location')).toBe(REFUSED);
      expect(elsewhere.asked).toEqual([]);
      await elsewhere.close();
    },
  );

  test('a provider inside our own network is not contacted, unless the network is allowed', async () => {
    const inside = await startEhr();
    const issuer = inside.url.replace('127.0.0.1', '[::1]');
    const own = keyOf(await connect(app, admin, { kind: 'OIDC', issuer }));
    expect((await started(anonymous(app), own)).headers.get('location')).toBe('/login?error=SSO_UNREACHABLE');
    expect(lines.join('\n')).toContain('"reason":"ADDRESS_REFUSED"');
    await inside.close();
  });

  test('an unknown connection or one of another kind leads to the sign-in page', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await started(anonymous(app), unknown)).headers.get('location')).toBe(REFUSED);
    const saml = await anonymous(app).fetch(`/api/sso/saml/${key}/start`);
    expect(saml.headers.get('location')).toBe(REFUSED);
  });
});

test('only email addresses are looked up, and another organization’s user signs in here', async () => {
  await connect(app, admin, { kind: 'OIDC', issuer: 'https://identity.test', domains: ['looked.up.test'] });
  await app.make.user({ username: 'stranger@looked.up.test' });
  const lookUp = (username: string) => anonymous(app).call('POST /api/users/redirectUrl', { body: { username } });
  expect((await lookUp('anybody@looked.up.test')).kind).toBe('identity-provider');
  for (const name of ['looked.up.test', 'anybody@test', 'anybody@up.test', 'stranger@looked.up.test']) {
    expect((await lookUp(name)).redirectUrl).toBeNull();
  }
});

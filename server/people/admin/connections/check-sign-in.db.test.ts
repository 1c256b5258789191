import { afterAll, describe, expect, test } from 'vitest';
import type { SsoConnection } from '#contract/admin.ts';
import { anonymous, type CallError, type Client, signIn, startApp } from '#server/testing/app.ts';
import { selfSigned } from '#server/testing/certificate.ts';
import { atProvider, startIdentityProvider } from '#server/testing/identity-provider.ts';
import { readRequest, samlProvider } from '#server/testing/saml-provider.ts';
import { organizationWithAdministrator, pathOf } from '#server/testing/sso.ts';

const app = await startApp();
const PAGE = '/dashboard/admin/single-sign-on';
const TEST = 'POST /api/admin/sso-connections/:id/test';
const LATER = new Date(Date.now() + 86_400_000);
const emails = new Map<string, { email: string; isVerified: boolean }>();
/** Each organization registers with the provider by its own client id. */
const clients = Array.from({ length: 8 }, (_, index) => ({
  clientId: `tidings-${index}`,
  clientSecret: 'a secret of both sides',
  redirectUri: '',
}));

let count = 0;

/** An organization whose administrator has a domain of its own, and has saved a connection for it without enabling it. */
async function office(issuer = 'http://127.0.0.1:9') {
  const { team, organizationId } = await organizationWithAdministrator(app);
  const domain = `office${++count}.test`;
  const desmond = await app.make.user({ team, role: 'administrator', username: `desmond@${domain}` });
  const admin = await signIn(app, desmond.username);
  const fields = {
    kind: 'OIDC' as const,
    name: 'Lakeshore sign-in',
    domains: [domain],
    issuer,
    clientId: `tidings-${count}`,
    clientSecret: 'a secret of both sides',
    entryPoint: null,
    certificates: [] as string[],
    allowedOrigins: [] as string[],
    applicationExperience: 'JANUS_AUTH0_SSO' as const,
  };
  const saved = await admin.call('POST /api/admin/sso-connections', { body: { ...fields, isEnabled: false } });
  await app.database.owner.query(
    "update email_domains set verified_at = now(), verified_by = 'OPERATOR' where organization_id = $1",
    [organizationId],
  );
  const set = (over: object) =>
    admin.call('PUT /api/admin/sso-connections/:id', {
      params: { id: saved.id },
      body: { ...fields, ...over } as never,
    });
  return { team, admin, desmond, domain, fields, saved, set, enable: (over = {}) => set({ ...over, isEnabled: true }) };
}

const fieldsOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error as CallError).body.fields ?? (error as CallError).body.errorKey,
  );
const stateOf = async (client: Client, { id }: SsoConnection) => {
  const all = await client.call('GET /api/admin/sso-connections', {});
  const found = all.find((each) => each.id === id);
  return found && [found.isEnabled, found.isTested];
};

describe('with a real identity provider', async () => {
  let handler: Awaited<ReturnType<typeof startIdentityProvider>> | undefined;
  afterAll(() => handler?.close());

  /** An office connected to the provider, which is started again because it reads its clients once. */
  async function connected() {
    const made = await office();
    const client = clients.find(({ clientId }) => clientId === made.fields.clientId);
    if (client) client.redirectUri = made.saved.callbackUrl;
    await handler?.close();
    handler = await startIdentityProvider(
      clients.filter(({ redirectUri }) => redirectUri !== ''),
      emails,
    );
    const { issuer } = handler;
    await made.set({ issuer, isEnabled: false });
    const enable = (over = {}) => made.enable({ issuer, ...over });
    emails.set(made.domain, { email: made.desmond.username, isVerified: true });
    const through = async (login: string, client: Client = made.admin) => {
      const { redirectUrl } = await client.call(TEST, { params: { id: made.saved.id }, body: { returnTo: PAGE } });
      const back = await atProvider(redirectUrl, login);
      return (await client.fetch(pathOf(back))).headers.get('location');
    };
    return { ...made, issuer, enable, through };
  }

  test('a connection is enabled only after its administrator has signed in through it, which changes no account', async () => {
    const { admin, desmond, domain, saved, enable, through } = await connected();
    expect(await fieldsOf(enable())).toEqual({ isEnabled: expect.stringContaining('Test sign-in') as string });
    expect(await stateOf(admin, saved)).toEqual([false, false]);
    expect(await through(domain)).toBe(`${PAGE}?test=passed`);
    expect(await stateOf(admin, saved)).toEqual([false, true]);
    const { rows } = await app.database.owner.query(
      'select sso_subject, password_hash is not null as kept from users where id = $1',
      [desmond.id],
    );
    expect(rows).toEqual([{ sso_subject: null, kept: true }]);
    const { changes } = await admin.call('GET /api/admin/changes', { query: {} });
    expect(changes[0]).toMatchObject({ action: 'sso-connection.test', by: { id: desmond.id } });

    expect((await enable()).isEnabled).toBe(true);
    // Everyone with this domain is sent there from now on, and the administrator arrives.
    const visitor = anonymous(app);
    const { redirectUrl } = await visitor.call('POST /api/users/redirectUrl', {
      body: { username: desmond.username },
    });
    const start = await visitor.fetch(redirectUrl ?? '');
    const back = await atProvider(start.headers.get('location') ?? '', domain);
    expect((await visitor.fetch(pathOf(back))).headers.get('location')).toBe('/');
  });

  test('a test that would not let the administrator in says why, and does not count', async () => {
    const { team, admin, domain, saved, through } = await connected();
    await app.make.user({ team, username: `rosa@${domain}` });
    emails.set('rosa', { email: `rosa@${domain}`, isVerified: true });
    emails.set('unverified', { email: `desmond@${domain}`, isVerified: false });
    emails.set('unknown', { email: `unknown@${domain}`, isVerified: true });
    const outcomes = { rosa: 'other-person', unverified: 'no-email', unknown: 'unknown-person' };
    for (const [login, outcome] of Object.entries(outcomes))
      expect(await through(login)).toBe(`${PAGE}?test=${outcome}`);
    expect(await stateOf(admin, saved)).toEqual([false, false]);
  });

  test('an administrator whom the connection does not sign in may test it with a colleague, also an operator', async () => {
    const { team, domain, saved, through } = await connected();
    for (const isOperator of [false, true]) {
      const { username } = await app.make.user({ team, role: 'administrator', isOperator });
      const outside = await signIn(app, username);
      expect(await through(domain, outside)).toBe(`${PAGE}?test=passed`);
      expect(await stateOf(outside, saved)).toEqual([false, true]);
    }
  });

  test('a test counts for the provider that was tested', async () => {
    const { admin, domain, saved, set, issuer, enable, through } = await connected();
    await through(domain);
    await enable();
    expect((await enable({ name: 'Renamed' })).isEnabled).toBe(true);
    expect((await enable({ clientSecret: 'a new secret' })).isTested).toBe(true);
    for (const over of [{ issuer: `${issuer}/other` }, { clientId: 'another' }])
      expect(await fieldsOf(enable(over))).toHaveProperty('isEnabled');
    expect(await stateOf(admin, saved)).toEqual([true, true]);
    await set({ issuer, clientId: 'another', isEnabled: false });
    expect(await stateOf(admin, saved)).toEqual([false, false]);
  });

  test('a tested connection is not enabled while its provider does not answer', async () => {
    const { admin, domain, saved, enable, through } = await connected();
    await through(domain);
    await handler?.close();
    handler = undefined;
    expect(await fieldsOf(enable())).toEqual({ issuer: expect.stringContaining("couldn't reach") as string });
    expect(await stateOf(admin, saved)).toEqual([false, true]);
  });
});

test('a provider that does not exist cannot be tested, nor enabled when it is added', async () => {
  const { admin, fields, saved } = await office('http://idp.lakeshore.invalid');
  const test = admin.call(TEST, { params: { id: saved.id }, body: { returnTo: PAGE } });
  expect(await fieldsOf(test)).toEqual({ issuer: expect.stringContaining("couldn't reach") as string });
  const another = { ...fields, name: 'Another', domains: [], isEnabled: true };
  expect(await fieldsOf(admin.call('POST /api/admin/sso-connections', { body: another }))).toHaveProperty('isEnabled');
});

test('only those who may change a connection may test it', async () => {
  const { team, saved } = await office();
  const call = { params: { id: saved.id }, body: { returnTo: PAGE } };
  const stranger = (await organizationWithAdministrator(app)).admin;
  await expect(stranger.call(TEST, call)).rejects.toMatchObject({ status: 404 });
  const clinician = await signIn(app, (await app.make.user({ team, role: 'clinician' })).username);
  await expect(clinician.call(TEST, call)).rejects.toMatchObject({ status: 403 });
  await expect(anonymous(app).call(TEST, call)).rejects.toMatchObject({ status: 401 });
});

test('a SAML connection is tested with a signed assertion, and again once none of its certificates is left', async () => {
  const { admin, desmond, set, saved } = await office();
  const provider = samlProvider();
  const fields = {
    kind: 'SAML',
    issuer: provider.entityId,
    clientId: null,
    entryPoint: 'https://identity.test/sign-in',
    certificates: [provider.certificate],
    applicationExperience: 'JANUS_ENTERPRISE_SSO',
  };
  await set({ ...fields, isEnabled: false });
  const answerOf = async (email: string) => {
    const { redirectUrl } = await admin.call(TEST, { params: { id: saved.id }, body: { returnTo: PAGE } });
    const request = readRequest(redirectUrl);
    const said = provider.contentFor(request, { nameId: 'd-1', email });
    const answer = provider.response(request, provider.sign(provider.assertion(said), said.id));
    const body = new URLSearchParams({
      SAMLResponse: Buffer.from(answer).toString('base64'),
      RelayState: request.relayState,
    });
    const headers = { origin: 'https://identity.test', 'sec-fetch-site': 'cross-site' };
    const path = pathOf((await admin.call('GET /api/admin/sso-connections', {}))[0]?.callbackUrl ?? '');
    return (await admin.fetch(path, { method: 'POST', body, headers })).headers.get('location');
  };
  expect(await answerOf('unknown@elsewhere.test')).toBe(`${PAGE}?test=unknown-person`);
  expect(await answerOf(desmond.username)).toBe(`${PAGE}?test=passed`);
  await set({ ...fields, isEnabled: true });
  const { pem } = selfSigned(LATER);
  expect(await fieldsOf(set({ ...fields, certificates: [pem], isEnabled: true }))).toHaveProperty('isEnabled');
  const rotated = await set({ ...fields, certificates: [provider.certificate, pem], isEnabled: true });
  expect([rotated.isEnabled, rotated.isTested]).toEqual([true, true]);
});

test('a provider that cannot be reached leads every username of the domain to the same page', async () => {
  const { desmond, domain, saved } = await office('http://127.0.0.1:9');
  await app.database.owner.query('update sso_connections set tested_at = now(), is_enabled = true where id = $1', [
    saved.id,
  ]);
  for (const username of [desmond.username, `unknown@${domain}`]) {
    const visitor = anonymous(app);
    const { redirectUrl } = await visitor.call('POST /api/users/redirectUrl', { body: { username } });
    const start = await visitor.fetch(`${redirectUrl ?? ''}?returnTo=%2Fdashboard%2Fhome%2Finbox`);
    expect(start.headers.get('location')).toBe('/login?error=SSO_UNREACHABLE&nextPathName=%2Fdashboard%2Fhome%2Finbox');
  }
});

import { describe, expect, test } from 'vitest';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { anonymous, CallError, signIn, startApp, TEST_PASSWORD, TEST_SECRETS } from '#server/testing/app.ts';
import { selfSigned } from '#server/testing/certificate.ts';
import { connect, organizationWithAdministrator } from '#server/testing/sso.ts';

const app = await startApp({ config: { publicUrl: 'https://tidings.test' } });
const { admin, team, organizationId } = await organizationWithAdministrator(app);
const { admin: stranger } = await organizationWithAdministrator(app);
const later = new Date(Date.now() + 86_400_000);
const { pem } = selfSigned(later);
const LIST = 'GET /api/admin/sso-connections';
const CHANGE = 'PUT /api/admin/sso-connections/:id';
const REMOVE = 'DELETE /api/admin/sso-connections/:id';

const secretOf = async (id: string) => {
  const { rows } = await app.database.owner.query('select client_secret from sso_connections where id = $1', [id]);
  const sealed = (rows[0] as { client_secret: string | null }).client_secret;
  return sealed && TEST_SECRETS.open(sealed, `sso_connections.client_secret ${id}`);
};
const bodyOf = <T extends object>(connection: T) => {
  const {
    id: _,
    hasSecret: __,
    callbackUrl: ___,
    metadataUrl: ____,
    version: _____,
    ...fields
  } = connection as T & Record<string, unknown>;
  return fields as unknown as Parameters<typeof connect>[2] & { name: string };
};
const fieldsOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error as CallError).body.fields ?? (error as CallError).body.errorKey,
  );

describe('a connection', () => {
  test('is added, listed, changed and removed; its secret is stored and never returned', async () => {
    const added = await connect(app, admin, {
      kind: 'OIDC',
      name: ' Staff ',
      issuer: 'https://identity.test/',
      domains: ['@Lakeshore.test', 'lakeshore.test'],
      clientSecret: 'kept to ourselves',
    });
    expect(added).toEqual({
      id: added.id,
      kind: 'OIDC',
      name: 'Staff',
      isEnabled: true,
      isTested: true,
      domains: ['lakeshore.test'],
      domainStates: [{ domain: 'lakeshore.test', record: expect.any(String) as string, verifiedBy: 'DNS' }],
      isOnlyWayIn: false,
      canApproveDomains: false,
      organization: null,
      issuer: 'https://identity.test',
      clientId: 'tidings',
      hasSecret: true,
      entryPoint: null,
      certificates: [],
      allowedOrigins: [],
      applicationExperience: 'JANUS_AUTH0_SSO',
      callbackUrl: expect.stringMatching(/^https:\/\/tidings\.test\/api\/sso\/oidc\/[\da-f-]{36}\/callback$/),
      metadataUrl: null,
      version: expect.any(String) as string,
    });
    expect(await admin.call(LIST, {})).toEqual([added]);
    expect(JSON.stringify(await admin.call(LIST, {}))).not.toContain('kept to ourselves');
    const params = { id: added.id };
    const changed = await admin.call(CHANGE, { params, body: { ...bodyOf(added), name: 'All staff' } as never });
    expect(changed).toEqual({ ...added, name: 'All staff', version: changed.version });
    expect(await secretOf(added.id)).toBe('kept to ourselves');
    await admin.call(REMOVE, { params });
    expect(await admin.call(LIST, {})).toEqual([]);
    const { rows } = await app.database.owner.query(
      `select action, detail from audit_entries where subject = 'sso-connection' order by id`,
    );
    expect(rows[2]?.['detail']).toEqual({ changes: { name: [added.name, 'All staff'] }, secrets: [] });
    expect(rows.map(({ action }) => action)).toEqual([
      'sso-connection.add',
      'sso-connection.verify-domain',
      'sso-connection.change',
      'sso-connection.remove',
    ]);
  });

  test('drops its secret and the stored subjects when the issuer changes', async () => {
    const added = await connect(app, admin, { kind: 'OIDC', issuer: 'https://one.test', clientSecret: 'for one' });
    const user = await app.make.user({ organizationId });
    await app.database.owner.query('update users set sso_connection_id = $1, sso_subject = $2 where id = $3', [
      added.id,
      'subject',
      user.id,
    ]);
    const body = { ...bodyOf(added), isEnabled: false, issuer: 'https://two.test' } as never;
    expect(await admin.call(CHANGE, { params: { id: added.id }, body })).toMatchObject({ hasSecret: false });
    expect(await secretOf(added.id)).toBeNull();
    const { rows } = await app.database.owner.query('select sso_subject, sso_connection_id from users where id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([{ sso_subject: null, sso_connection_id: added.id }]);
  });

  test('lets its users sign in with passwords again once it is removed', async () => {
    const added = await connect(app, admin, { kind: 'SAML', issuer: 'entity', certificates: [pem] });
    const user = await app.make.user({ team, applicationExperience: 'ANAHIT_ENTERPRISE_SSO' });
    await app.database.owner.query('update users set sso_connection_id = $1 where id = $2', [added.id, user.id]);
    const client = await signIn(app, user.username, TEST_PASSWORD);
    expect((await client.call('GET /api/me', {})).user.isSSO).toBe(true);
    await admin.call(REMOVE, { params: { id: added.id } });
    const me = await client.call('GET /api/me', {});
    expect(me.user).toMatchObject({ isSSO: false, applicationExperience: 'ANAHIT' });
  });

  test('can be neither seen nor changed by another organization', async () => {
    const { id, ...added } = await connect(app, admin, { kind: 'OIDC', issuer: 'https://ours.test' });
    expect(await stranger.call(LIST, {})).toEqual([]);
    const body = { ...bodyOf(added), name: 'Theirs' } as never;
    await expect(stranger.call(CHANGE, { params: { id }, body })).rejects.toMatchObject({ status: 404 });
    await expect(stranger.call(REMOVE, { params: { id } })).rejects.toMatchObject({ status: 404 });
    const clinician = await signIn(app, (await app.make.user({ team, role: 'clinician' })).username);
    await expect(clinician.call(LIST, {})).rejects.toMatchObject({ body: { errorKey: 'NOT_PERMITTED' } });
    await expect(anonymous(app).call(LIST, {})).rejects.toMatchObject({ status: 401 });
  });

  test('can be set up only by administrators of all groups, because it vouches for every account', async () => {
    const { admin: first, team: clinic } = await organizationWithAdministrator(app);
    const ward = await app.make.team({ organizationId: clinic.organizationId });
    await app.make.user({ team: ward });
    const connection = { kind: 'OIDC', issuer: 'https://own.test' } as const;
    await expect(connect(app, first, connection)).rejects.toMatchObject({ body: { errorKey: 'NOT_PERMITTED' } });

    const grant = { teamId: ward.id, role: 'administrator' } as const;
    const { user } = await first.call('GET /api/me', {});
    await grantRole(app.database.pipeline, { userId: user.id, ...grant });
    const { id, ...added } = await connect(app, first, connection);
    const second = await signIn(app, (await app.make.user({ team: ward, role: 'administrator' })).username);
    const body = { ...bodyOf(added), isEnabled: false } as never;
    for (const attempt of [
      () => second.call(CHANGE, { params: { id }, body }),
      () => second.call(REMOVE, { params: { id } }),
      () => connect(app, second, { ...connection, issuer: 'https://mine.test' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ body: { errorKey: 'NOT_PERMITTED' } });
    expect(await second.call(LIST, {})).toMatchObject([{ id, isEnabled: true }]);
    await first.call(REMOVE, { params: { id } });
  });

  test('cannot be turned off if no one who manages users could sign in any more', async () => {
    const { admin: first, team: clinic } = await organizationWithAdministrator(app);
    const { user } = await first.call('GET /api/me', {});
    const { id, ...added } = await connect(app, first, { kind: 'OIDC', issuer: 'https://only.test' });
    await app.database.owner.query(
      "update users set sso_connection_id = $1, sso_subject = 'only', password_hash = null where id = $2",
      [id, user.id],
    );
    // A passkey opens no account that the organisation signs in.
    await app.database.owner.query(
      "insert into passkeys (user_id, credential_id, public_key, counter, name, created_at) values ($1, 'only', '\\x01', 0, 'Key', now())",
      [user.id],
    );
    const switchOff = () =>
      first.call(CHANGE, { params: { id }, body: { ...bodyOf(added), isEnabled: false } as never });
    await expect(switchOff()).rejects.toMatchObject({ body: { errorKey: 'LAST_ADMINISTRATOR' } });
    expect(await first.call(LIST, {})).toMatchObject([{ id, isEnabled: true }]);

    const other = await app.make.user({ team: clinic, role: 'administrator' });
    await switchOff();
    const disable = first.call('POST /api/admin/users/:id/disable', { params: { id: other.id } });
    await expect(disable).rejects.toMatchObject({ body: { errorKey: 'LAST_ADMINISTRATOR' } });
  });

  test('cannot use the domain, EHR or name of another connection', async () => {
    await connect(app, admin, { kind: 'OIDC', name: 'Taken', issuer: 'https://taken.test', domains: ['taken.test'] });
    await connect(app, admin, { kind: 'SMART', issuer: 'https://ehr.test/fhir' });
    const domains = ['b.test', 'taken.test'];
    const again = { kind: 'SAML' as const, issuer: 'entity', certificates: [pem], domains };
    expect(await fieldsOf(connect(app, stranger, again))).toHaveProperty('domains');
    expect(await fieldsOf(connect(app, stranger, { kind: 'SMART', issuer: 'https://ehr.test/fhir/' }))).toHaveProperty(
      'issuer',
    );
    expect(
      await fieldsOf(connect(app, admin, { kind: 'OIDC', name: 'Taken', issuer: 'https://x.test' })),
    ).toHaveProperty('name');
    expect(
      await fieldsOf(connect(app, stranger, { kind: 'OIDC', name: 'Taken', issuer: 'https://x.test' })),
    ).toBeNull();
  });
});

describe('a connection is refused', () => {
  const saml = { kind: 'SAML' as const, issuer: 'entity', certificates: [pem] };
  const oidc = { kind: 'OIDC', issuer: 'https://identity.test' } as const;
  const smart = { kind: 'SMART', issuer: 'https://ehr2.test' } as const;

  test.each<[string, Parameters<typeof connect>[2], string]>([
    ['without a name', { ...oidc, name: ' ' }, 'name'],
    ['for an issuer without TLS', { ...oidc, issuer: 'http://identity.test' }, 'issuer'],
    ['for an issuer with a password', { ...oidc, issuer: 'https://a:b@identity.test' }, 'issuer'],
    ['for an issuer that is not a URL', { ...oidc, issuer: 'identity' }, 'issuer'],
    ['for a provider without a client ID', { ...oidc, clientId: ' ' }, 'clientId'],
    ['for an invalid domain', { ...oidc, domains: ['lakeshore'] }, 'domains'],
    ['for an experience of another kind', { ...oidc, applicationExperience: 'JANUS' }, 'applicationExperience'],
    ['without a certificate', { ...saml, certificates: [] }, 'certificates'],
    ['for an invalid certificate', { ...saml, certificates: [pem, 'nonsense'] }, 'certificates'],
    [
      'for an expired certificate',
      { ...saml, certificates: [selfSigned(new Date(Date.now() - 1000)).pem] },
      'certificates',
    ],
    ['for a certificate with a short key', { ...saml, certificates: [selfSigned(later, 1024).pem] }, 'certificates'],
    ['for a script as the sign-in URL', { ...saml, entryPoint: 'javascript:alert(1)' }, 'entryPoint'],
    ['for an origin with a path', { ...smart, allowedOrigins: ['https://ehr.test/frame'] }, 'allowedOrigins'],
    ['for a wildcard origin', { ...smart, allowedOrigins: ['https://*.ehr.test'] }, 'allowedOrigins'],
    [
      'for an origin that injects into the policy',
      { ...smart, allowedOrigins: ["https://ehr.test; script-src 'unsafe-inline'"] },
      'allowedOrigins',
    ],
  ])('%s', async (_what, fields, wrong) => {
    const answer = await fieldsOf(connect(app, admin, fields));
    expect(Object.keys(answer ?? {})).toEqual([wrong]);
  });

  test('no more once its fields are valid, and a bare certificate becomes PEM', async () => {
    const bare = pem.replaceAll(/-----[^-]+-----|\s/g, '');
    expect((await connect(app, admin, { ...saml, certificates: [bare] })).certificates).toEqual([pem]);
    expect((await connect(app, admin, { ...smart, allowedOrigins: ['https://ehr.test'] })).allowedOrigins).toEqual([
      'https://ehr.test',
    ]);
  });
});

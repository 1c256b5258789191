import { Resolver } from 'node:dns/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { NewSsoConnection, SsoConnection } from '#contract/admin.ts';
import { anonymous, type Client, signIn, startApp } from '#server/testing/app.ts';
import { startNameServer } from '#server/testing/name-server.ts';
import { enableUntested, organizationWithAdministrator } from '#server/testing/sso.ts';

const names = await startNameServer();
afterAll(names.close);
const resolver = new Resolver({ timeout: 2000, tries: 1 });
resolver.setServers([names.address]);
const app = await startApp({ lookUpTxt: (domain) => resolver.resolveTxt(domain) });
const own = await organizationWithAdministrator(app);
const other = await organizationWithAdministrator(app);
const operator = await signIn(
  app,
  (await app.make.user({ team: other.team, role: 'administrator', isOperator: true })).username,
);

let count = 0;
const add = async (admin: Client, domains: string[], over: Partial<NewSsoConnection> = {}): Promise<SsoConnection> => {
  const body: NewSsoConnection = {
    kind: 'OIDC',
    name: `Connection ${++count}`,
    isEnabled: false,
    domains,
    issuer: `https://identity${count}.test`,
    clientId: 'tidings',
    entryPoint: null,
    certificates: [],
    allowedOrigins: [],
    applicationExperience: over.kind === 'SMART' ? 'JANUS_EHR_SSO' : 'JANUS_AUTH0_SSO',
    ...over,
  };
  const connection = await admin.call('POST /api/admin/sso-connections', { body });
  await enableUntested(app, connection.id);
  return { ...connection, isEnabled: true };
};
const at = ({ id }: SsoConnection, domain: string) => ({ params: { id }, body: { domain } });
const check = (admin: Client, connection: SsoConnection, domain: string) =>
  admin.call('POST /api/admin/sso-connections/:id/check-domain', at(connection, domain));
const approve = (admin: Client, connection: SsoConnection, domain: string) =>
  admin.call('POST /api/admin/sso-connections/:id/approve-domain', at(connection, domain));
const isRouted = async (domain: string): Promise<boolean> =>
  (await anonymous(app).call('POST /api/users/redirectUrl', { body: { username: `new@${domain}` } })).redirectUrl !==
  null;
const stateOf = ({ domainStates }: SsoConnection, domain: string) =>
  domainStates.find((each) => each.domain === domain);
/** Publishes the record that the page shows. */
const publish = (connection: SsoConnection, domain: string): void =>
  void names.records.set(domain, [['v=spf1 -all'], [stateOf(connection, domain)?.record ?? '']]);
const refusedWith = (errorKey: string, status = 409) => ({ body: { errorKey }, status });

describe('a domain', () => {
  test('routes sign-ins once its record is published and checked', async () => {
    const connection = await add(own.admin, ['one.test', 'two.test']);
    expect(stateOf(connection, 'one.test')).toEqual({
      domain: 'one.test',
      record: expect.stringMatching(/^tidings-domain-verification=[\da-f]{32}$/),
      verifiedBy: null,
    });
    expect(await isRouted('one.test')).toBe(false);
    await expect(check(own.admin, connection, 'one.test')).rejects.toMatchObject(
      refusedWith('DOMAIN_RECORD_NOT_FOUND'),
    );
    publish(connection, 'one.test');
    expect(await isRouted('one.test')).toBe(false);
    const checked = await check(own.admin, connection, 'one.test');
    expect(stateOf(checked, 'one.test')?.verifiedBy).toBe('DNS');
    expect(stateOf(checked, 'two.test')?.verifiedBy).toBeNull();
    expect([await isRouted('one.test'), await isRouted('two.test')]).toEqual([true, false]);
    const { changes } = await own.admin.call('GET /api/admin/changes', { query: {} });
    expect(changes[0]).toMatchObject({ action: 'sso-connection.verify-domain', detail: { domain: 'one.test' } });
  });

  test('is not verified by a record with another token, or by a part of ours', async () => {
    const connection = await add(own.admin, ['wrong.test']);
    const record = stateOf(connection, 'wrong.test')?.record ?? '';
    names.records.set('wrong.test', [[`${record}0`], [record.slice(0, -1)], [`tidings-domain-verification=`]]);
    await expect(check(own.admin, connection, 'wrong.test')).rejects.toMatchObject(
      refusedWith('DOMAIN_RECORD_NOT_FOUND'),
    );
    names.records.set('wrong.test', [[record.slice(0, 20), record.slice(20)]]);
    expect(stateOf(await check(own.admin, connection, 'wrong.test'), 'wrong.test')?.verifiedBy).toBe('DNS');
  });

  test('is approved by operators only, who see the connections of all organizations', async () => {
    const connection = await add(own.admin, ['approved.test']);
    expect(connection.canApproveDomains).toBe(false);
    await expect(approve(own.admin, connection, 'approved.test')).rejects.toMatchObject(
      refusedWith('NOT_PERMITTED', 403),
    );
    const listed = await operator.call('GET /api/admin/sso-connections', {});
    expect(listed.find(({ id }) => id === connection.id)).toMatchObject({
      canApproveDomains: true,
      organization: { id: own.organizationId },
    });
    expect(stateOf(await approve(operator, connection, 'approved.test'), 'approved.test')?.verifiedBy).toBe('OPERATOR');
    expect(await isRouted('approved.test')).toBe(true);
  });

  test('cannot be checked by another organization, or for a connection without it', async () => {
    const connection = await add(own.admin, ['ours.test']);
    for (const attempt of [
      () => check(other.admin, connection, 'ours.test'),
      () => check(own.admin, connection, 'elsewhere.test'),
      () => approve(operator, connection, 'elsewhere.test'),
    ])
      await expect(attempt()).rejects.toMatchObject(refusedWith('NOT_FOUND', 404));
  });

  test('that no one has verified blocks no one, and then belongs to whoever verifies it first', async () => {
    const squatter = await add(other.admin, ['wanted.test']);
    const connection = await add(own.admin, ['wanted.test']);
    publish(connection, 'wanted.test');
    await check(own.admin, connection, 'wanted.test');
    await expect(approve(operator, squatter, 'wanted.test')).rejects.toMatchObject(refusedWith('DOMAIN_TAKEN'));
    await expect(add(other.admin, ['wanted.test'])).rejects.toMatchObject({
      body: { fields: { domains: 'Another connection already uses one of these domains.' } },
    });
  });

  test('stays the organization’s for another of its connections, and is released with the last', async () => {
    const connection = await add(own.admin, ['kept.test']);
    publish(connection, 'kept.test');
    await check(own.admin, connection, 'kept.test');
    const ehr = await add(own.admin, ['kept.test'], { kind: 'SMART' });
    expect(stateOf(ehr, 'kept.test')?.verifiedBy).toBe('DNS');
    await own.admin.call('DELETE /api/admin/sso-connections/:id', { params: { id: connection.id } });
    expect(await isRouted('kept.test')).toBe(false);
    await own.admin.call('DELETE /api/admin/sso-connections/:id', { params: { id: ehr.id } });
    const again = await add(own.admin, ['kept.test']);
    expect(stateOf(again, 'kept.test')?.verifiedBy).toBeNull();
    // The record that is still published is enough.
    expect(stateOf(await check(own.admin, again, 'kept.test'), 'kept.test')?.verifiedBy).toBe('DNS');
  });

  test('of an EHR may be another organization’s too, because an EHR sends no one anywhere', async () => {
    const first = await add(own.admin, ['shared.test']);
    publish(first, 'shared.test');
    await check(own.admin, first, 'shared.test');
    const ehr = await add(other.admin, ['shared.test'], { kind: 'SMART' });
    expect(stateOf(await approve(operator, ehr, 'shared.test'), 'shared.test')?.verifiedBy).toBe('OPERATOR');
    await expect(add(other.admin, ['shared.test'])).rejects.toMatchObject({ body: { errorKey: 'BAD_REQUEST' } });
    expect(await isRouted('shared.test')).toBe(true);
  });
});

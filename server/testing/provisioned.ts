/** An organization whose identity provider manages accounts, for tests. */
import { SCIM_USER } from '#contract/scim.ts';
import { signIn, type TestApp } from './app.ts';
import { scimClient } from './scim-client.ts';

let count = 0;

/** An organization with a verified domain, an administrator of all its groups, and a provider that holds a token. */
export async function provisioned(app: TestApp) {
  const { make } = app;
  const { id: organizationId } = await make.organization();
  const [here, there] = [await make.group({ organizationId }), await make.group({ organizationId })];
  const team = await make.team({ organizationId, groupIds: [here.id, there.id] });
  const office = await make.team({ organizationId, groupIds: [here.id, there.id] });
  const boss = await make.user({ team: office, role: 'administrator' });
  const domain = `lakeshore-${++count}.test`;
  const connection = await make.connection({ organizationId, domains: [domain] });
  const admin = await signIn(app, boss.username);
  const { token } = await admin.call('POST /api/admin/sso-connections/:id/scim-tokens', { params: connection });
  const scim = scimClient(app, token);
  const ada = async (over: object = {}) =>
    scim.call('POST', '/Users', {
      schemas: [SCIM_USER],
      userName: `ada.${++count}@${domain}`,
      name: { givenName: 'Ada', familyName: 'Obi' },
      ...over,
    });
  const access = (groupId: string, given: { teamId: string; roleId: string }[]) =>
    admin.call('PUT /api/admin/sso-connections/:id/provider-groups/:groupId', {
      params: { id: connection.id, groupId },
      body: { access: given },
    });
  return { organizationId, here, there, team, office, boss, domain, connection, admin, token, scim, ada, access };
}

import { expect, test } from 'vitest';
import { administration } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { scimClient } from '#server/testing/scim-client.ts';

const app = await startApp();
const { make } = app;
const { roleId } = administration(app);

const USERS = 500;
/** As many calls as a provider has under way at once. */
const AT_ONCE = 20;
/** People provisioned between two times that an administrator and a nurse work. */
const BETWEEN_WORK = 10;

test(`${USERS} people are provisioned with their access while others work, and no call of either fails`, async () => {
  const { id: organizationId } = await make.organization();
  const groups = [await make.group({ organizationId }), await make.group({ organizationId })];
  const team = await make.team({ organizationId, groupIds: groups.map(({ id }) => id) });
  const office = await make.team({ organizationId, groupIds: groups.map(({ id }) => id) });
  const admin = await signIn(app, (await make.user({ team: office, role: 'administrator' })).username);
  const nurse = await signIn(app, (await make.user({ team })).username);
  const colleague = await make.user({ team: office, role: 'clinician' });
  const domain = 'five-hundred.test';
  const { id: connectionId } = await make.connection({ organizationId, domains: [domain] });
  const params = { id: connectionId };
  const { token } = await admin.call('POST /api/admin/sso-connections/:id/scim-tokens', { params });
  const scim = scimClient(app, token);
  const group = await scim.call('POST', '/Groups', { displayName: 'Everyone' });
  const { id: groupId } = group.body as { id: string };
  await admin.call('PUT /api/admin/sso-connections/:id/provider-groups/:groupId', {
    params: { ...params, groupId },
    body: { access: [{ teamId: team.id, roleId: await roleId('viewer') }] },
  });

  const work = async () => {
    await nurse.call('GET /api/me', {});
    await admin.call('GET /api/admin/users', { query: { pageSize: 100 } });
    await admin.call('POST /api/admin/users/:id/enable', { params: { id: colleague.id } });
  };
  const works: Promise<void>[] = [];
  const waiting = Array.from({ length: USERS }, (_, at) => at);
  const statuses: number[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        if (at % BETWEEN_WORK === 0) works.push(work());
        const name = { givenName: 'Person', familyName: `Number ${at}` };
        const created = await scim.call('POST', '/Users', { userName: `person.${at}@${domain}`, name });
        const value = (created.body as { id: string }).id;
        const added = { op: 'add', path: 'members', value: [{ value }] };
        const joined = await scim.call('PATCH', `/Groups/${groupId}?excludedAttributes=members`, {
          Operations: [added],
        });
        statuses.push(created.status, joined.status);
      }
    }),
  );
  await Promise.all(works);
  expect(new Map([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]))).toEqual(
    new Map([
      [201, USERS],
      [200, USERS],
    ]),
  );
  const { total } = await admin.call('GET /api/admin/users', {
    query: { teamId: team.id, roleId: await roleId('viewer') },
  });
  expect(total).toBe(USERS);
}, 120_000);

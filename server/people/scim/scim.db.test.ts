/** Provisioning over HTTP, with the requests that Okta and Microsoft Entra ID send. */
import { describe, expect, test } from 'vitest';
import { SCIM_ERROR, SCIM_GROUP, SCIM_LIST, SCIM_PATCH, SCIM_TYPE, SCIM_USER } from '#contract/scim.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { provisioned as provisionedIn } from '#server/testing/provisioned.ts';
import { scimClient } from '#server/testing/scim-client.ts';

const app = await startApp();
const { make, database, clock } = app;
const { rows, roleId } = administration(app);

const program = (name: string) => ({
  name,
  type: 'PROGRAM' as const,
  facilityType: null,
  state: null,
  timeZone: 'America/New_York',
  address: null,
  isAutomated: false,
  isPart2Facility: false,
});

const provisioned = () => provisionedIn(app);

describe('accounts', () => {
  test('are created for a verified domain, found by name, changed and never mailed', async () => {
    const { scim, domain, admin, connection } = await provisioned();
    const userName = `Kofi.Mensah@${domain}`;
    // Okta looks for the account first.
    const filter = encodeURIComponent(`userName eq "${userName}"`);
    expect((await scim.call('GET', `/Users?filter=${filter}&startIndex=1&count=100`)).body).toEqual({
      schemas: [SCIM_LIST],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
    const created = await scim.call('POST', '/Users', {
      schemas: [SCIM_USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '00u1abcd',
      userName,
      name: { givenName: 'Kofi', familyName: 'Mensah' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Kofi Mensah',
      password: 'never kept',
      groups: [],
      active: true,
    });
    expect(created).toMatchObject({
      status: 201,
      type: expect.stringContaining(SCIM_TYPE) as string,
      body: {
        schemas: [SCIM_USER],
        externalId: '00u1abcd',
        userName: userName.toLowerCase(),
        name: { givenName: 'Kofi', familyName: 'Mensah', formatted: 'Kofi Mensah' },
        active: true,
        groups: [],
        meta: { resourceType: 'User' },
      },
    });
    const { id, meta } = created.body as { id: string; meta: { location: string } };
    expect(created.location).toBe(meta.location);
    expect((await scim.call('GET', `/Users?filter=${filter}`)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id }],
    });
    expect(await rows('select from outbox where recipient = $1', [userName.toLowerCase()])).toEqual([]);
    const shown = await admin.call('GET /api/admin/users/:id', { params: { id } });
    expect(shown).toMatchObject({
      status: 'CREATED',
      isSSO: true,
      grants: [],
      applicationExperience: 'JANUS_AUTH0_SSO',
    });

    // Nobody invited them, so there is nothing to send again.
    const again = await admin.call('POST /api/admin/users/change', {
      body: { ids: [id], change: { kind: 'RESEND_ACTIVATION' } },
    });
    expect(again).toEqual({
      changed: [],
      refused: [
        { id, errorKey: 'BAD_REQUEST', message: expect.stringContaining('identity provider created') as string },
      ],
    });
    expect(await rows('select from outbox where recipient = $1', [userName.toLowerCase()])).toEqual([]);

    const renamed = await scim.call('PATCH', `/Users/${id}`, {
      schemas: [SCIM_PATCH],
      Operations: [
        { op: 'Replace', path: 'name.familyName', value: 'Mensah-Boateng' },
        { op: 'Add', path: 'title', value: 'Care coordinator' },
        { op: 'Replace', path: 'userName', value: `kofi.boateng@${domain}` },
      ],
    });
    expect(renamed.body).toMatchObject({ userName: `kofi.boateng@${domain}`, title: 'Care coordinator' });
    const { changes } = await admin.call('GET /api/admin/changes', { query: { userId: id } });
    expect(changes.map(({ action, by, through }) => ({ action, by, through: through?.id }))).toEqual([
      { action: 'user.change', by: null, through: connection.id },
      { action: 'user.provision', by: null, through: connection.id },
    ]);
  });

  test('a disabled account loses its sessions at once, and can come back', async () => {
    const { scim, domain, team } = await provisioned();
    const { id, username } = await make.user({ team, username: `rosa@${domain}` });
    const rosa = await signIn(app, username);
    const off = { schemas: [SCIM_PATCH], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
    expect((await scim.call('PATCH', `/Users/${id}`, off)).body).toMatchObject({ active: false });
    expect(await refusal(rosa.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
    // What says nothing about it leaves it as it is.
    const replaced = { userName: username, name: { givenName: 'Rosa', familyName: 'Diaz' } };
    expect((await scim.call('PUT', `/Users/${id}`, replaced)).body).toMatchObject({ active: false });
    const on = { schemas: [SCIM_PATCH], Operations: [{ op: 'replace', value: { active: true } }] };
    expect((await scim.call('PATCH', `/Users/${id}`, on)).body).toMatchObject({ active: true });
    await signIn(app, username);
  });

  test.each(['\u0000', '\u202e'])('what shows on a line has no character such as %j', async (unreadable) => {
    const { scim, domain, ada } = await provisioned();
    const { id } = (await ada()).body as { id: string };
    const group = (await scim.call('POST', '/Groups', { displayName: `Nurses ${id}` })).body as { id: string };
    const text = `Nurse${unreadable}s`;
    const kofi = { userName: `kofi${id}@${domain}`, name: { givenName: 'Kofi', familyName: 'Mensah' } };
    const change = (path: string) => ({ Operations: [{ op: 'replace', path, value: text }] });
    for (const answer of [
      await scim.call('POST', '/Users', { ...kofi, title: text }),
      await scim.call('POST', '/Users', { ...kofi, externalId: text }),
      await scim.call('PATCH', `/Users/${id}`, change('title')),
      await scim.call('PATCH', `/Users/${id}`, change('externalId')),
      await scim.call('POST', '/Groups', { displayName: text }),
      await scim.call('PATCH', `/Groups/${group.id}`, change('displayName')),
      await scim.call('PATCH', `/Groups/${group.id}`, change('externalId')),
    ])
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  test('a deleted account is gone for the provider, has no access, and comes back without any', async () => {
    const { scim, domain, team, admin } = await provisioned();
    const { id, username } = await make.user({ team, username: `rosa@${domain}`, role: 'clinician' });
    expect(await scim.call('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: null });
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await scim.call(method, `/Users/${id}`)).toMatchObject({
        status: 404,
        body: { schemas: [SCIM_ERROR], status: '404' },
      });
    }
    const shown = () => admin.call('GET /api/admin/users/:id', { params: { id } });
    expect(await shown()).toMatchObject({ status: 'DISABLED', grants: [] });
    const name = { givenName: 'Rosa', familyName: 'Diaz' };
    const again = await scim.call('POST', '/Users', { userName: username, name });
    expect(again).toMatchObject({ status: 201, body: { id, active: true } });
    expect(await shown()).toMatchObject({ isSSO: true, grants: [] });
    // The connection signs them in from now on, and the old password opens nothing.
    expect(await refusal(signIn(app, username))).toBe('WRONG_PASSWORD');
  });

  test('of others cannot be seen, taken or made', async () => {
    const { scim, ada, domain, boss } = await provisioned();
    const other = await provisioned();
    const theirs = (await other.ada()).body as { id: string; userName: string };
    const operator = await make.user({ isOperator: true, username: `operator@${domain}` });
    const contractor = await make.user({ team: other.team, username: `contractor@${domain}` });
    for (const id of [theirs.id, operator.id, contractor.id, boss.id, '0', 'x', '99999999999999999999']) {
      expect(await scim.call('GET', `/Users/${id}`)).toMatchObject({ status: 404 });
      expect(await scim.call('PATCH', `/Users/${id}`, off)).toMatchObject({ status: 404 });
    }
    const taken = { status: 409, body: { scimType: 'uniqueness', status: '409' } };
    expect(await ada({ userName: contractor.username })).toMatchObject(taken);
    expect(await ada({ userName: operator.username })).toMatchObject(taken);
    const invalid = { status: 400, body: { scimType: 'invalidValue' } };
    expect(await ada({ userName: theirs.userName })).toMatchObject(invalid);
    expect(await ada({ userName: 'ada@elsewhere.test' })).toMatchObject(invalid);
    expect(await ada({ userName: 'ada' })).toMatchObject(invalid);
    expect(await ada({ name: { givenName: 'Ada' } })).toMatchObject(invalid);
    expect(await ada({ name: { givenName: 'A'.repeat(101), familyName: 'Obi' } })).toMatchObject(invalid);
    const own = (await ada()).body as { id: string };
    const moved = { Operations: [{ op: 'replace', path: 'userName', value: 'ada@elsewhere.test' }] };
    expect(await scim.call('PATCH', `/Users/${own.id}`, moved)).toMatchObject(invalid);
  });

  const off = { schemas: [SCIM_PATCH], Operations: [{ op: 'replace', value: { active: false } }] };

  test('the last administrator stays', async () => {
    const { scim, domain, boss, admin } = await provisioned();
    await database.owner.query('update users set username = $1 where id = $2', [`boss@${domain}`, boss.id]);
    const refused = { status: 409, body: { detail: expect.stringContaining('No one would be left') as string } };
    expect(await scim.call('PATCH', `/Users/${boss.id}`, off)).toMatchObject(refused);
    expect(await scim.call('DELETE', `/Users/${boss.id}`)).toMatchObject(refused);
    await admin.call('GET /api/me', {});
  });

  test('come in pages, with the attributes that were asked for', async () => {
    const { scim, ada, domain } = await provisioned();
    for (let made = 0; made < 5; made += 1) await ada();
    const page = await scim.call('GET', '/Users?startIndex=4&count=2&attributes=userName');
    const body = page.body as { Resources: object[]; totalResults: number };
    expect(body).toMatchObject({ startIndex: 4, itemsPerPage: 2, totalResults: 5 });
    expect(body.Resources.map(Object.keys)).toEqual(Array.from({ length: 2 }, () => ['schemas', 'id', 'userName']));
    expect((await scim.call('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 5, Resources: [] });
    const found = async (filter: string) =>
      ((await scim.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body as { totalResults: number })
        .totalResults;
    expect(await found('name.familyName eq "OBI" and active eq true')).toBe(5);
    expect(await found(`userName ew "@${domain}" and not (userName sw "ada")`)).toBe(0);
    expect(await found('title pr or externalId eq "x"')).toBe(0);
    expect(await found('userName co "%"')).toBe(0);
    const wrong = await scim.call('GET', `/Users?filter=${encodeURIComponent('password eq "x"')}`);
    expect(wrong).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
  });
});

describe('groups', () => {
  test('give their members a role on a team, take it back, and follow the team', async () => {
    const { scim, ada, admin, access, team, here, there } = await provisioned();
    const viewer = await roleId('viewer');
    const clinician = await roleId('clinician');
    const members = [(await ada()).body, (await ada()).body] as { id: string }[];
    const group = await scim.call('POST', '/Groups', { schemas: [SCIM_GROUP], displayName: 'Nurses', members: [] });
    expect(group).toMatchObject({ status: 201, body: { displayName: 'Nurses', members: [] } });
    const { id: groupId } = group.body as { id: string };
    const add = { op: 'Add', path: 'members', value: members.map(({ id }) => ({ value: id })) };
    await scim.call('PATCH', `/Groups/${groupId}`, { schemas: [SCIM_PATCH], Operations: [add] });
    const grantsOf = async (id: string) => (await admin.call('GET /api/admin/users/:id', { params: { id } })).grants;
    const [first, second] = members.map(({ id }) => id) as [string, string];
    expect(await grantsOf(first)).toEqual([]);

    expect((await access(groupId, [{ teamId: team.id, roleId: viewer }])).groups).toMatchObject([
      { name: 'Nurses', memberCount: 2, access: [{ teamId: team.id, roleId: viewer }] },
    ]);
    const places = [here, there].map(({ id }) => ({ teamId: team.id, groupId: id, isProvisioned: true }));
    expect(await grantsOf(first)).toMatchObject(places.map((place) => ({ ...place, roleId: viewer })));

    // The role with the most permissions counts, whichever group gives it.
    const leads = (await scim.call('POST', '/Groups', { displayName: 'Leads', members: [{ value: first }] })).body as {
      id: string;
    };
    await access(leads.id, [{ teamId: team.id, roleId: clinician }]);
    expect((await scim.call('GET', `/Users/${first}`)).body).toMatchObject({
      groups: [
        { value: groupId, display: 'Nurses' },
        { value: leads.id, display: 'Leads' },
      ],
    });
    expect(await grantsOf(first)).toMatchObject(places.map((place) => ({ ...place, roleId: clinician })));
    expect(await grantsOf(second)).toMatchObject(places.map((place) => ({ ...place, roleId: viewer })));

    // An administrator's own change of the user leaves them alone.
    const user = await admin.call('GET /api/admin/users/:id', { params: { id: first } });
    await admin.call('PUT /api/admin/users/:id', {
      params: { id: first },
      body: { ...user, title: 'Lead', grants: [] },
    });
    expect(await grantsOf(first)).toHaveLength(2);

    const remove = { op: 'remove', path: `members[value eq "${first}"]` };
    await scim.call('PATCH', `/Groups/${leads.id}`, { Operations: [remove] });
    expect(await grantsOf(first)).toMatchObject(places.map((place) => ({ ...place, roleId: viewer })));
    const {
      id: _,
      memberCount: __,
      organization: ___,
      ...fields
    } = await admin.call('GET /api/admin/teams/:id', { params: team });
    await admin.call('PUT /api/admin/teams/:id', { params: team, body: { ...fields, groupIds: [here.id] } });
    expect(await grantsOf(second)).toMatchObject([{ groupId: here.id }]);
    await admin.call('PUT /api/admin/teams/:id', {
      params: team,
      body: { ...fields, groupIds: [here.id, there.id], version: undefined },
    });
    expect(await grantsOf(second)).toHaveLength(2);

    expect(await scim.call('DELETE', `/Groups/${groupId}`)).toMatchObject({ status: 204 });
    expect(await grantsOf(second)).toEqual([]);
  });

  test('give access to a group that is added to the team later', async () => {
    const { scim, ada, admin, access, office } = await provisioned();
    const { id: userId } = (await ada()).body as { id: string };
    const made = await scim.call('POST', '/Groups', { displayName: 'Nurses', members: [{ value: userId }] });
    await access((made.body as { id: string }).id, [{ teamId: office.id, roleId: await roleId('viewer') }]);
    const added = await admin.call('POST /api/admin/groups', {
      body: program(`Later ${userId}`),
    });
    const { grants } = await admin.call('GET /api/admin/users/:id', { params: { id: userId } });
    expect(grants).toHaveLength(3);
    expect(grants).toContainEqual(expect.objectContaining({ groupId: added.id, isProvisioned: true }));
  });

  test('give nothing at a reopened group before another administrator has confirmed it', async () => {
    const { scim, ada, admin, access, office, domain } = await provisioned();
    const { username } = await make.user({ team: office, role: 'administrator', username: `second@${domain}` });
    const second = await signIn(app, username);
    const { id: userId } = (await ada()).body as { id: string };
    const { id: reopened } = await admin.call('POST /api/admin/groups', { body: program(`Closed ${userId}`) });
    await admin.call('DELETE /api/admin/groups/:id', { params: { id: reopened } });
    const made = await scim.call('POST', '/Groups', { displayName: 'Nurses', members: [{ value: userId }] });
    const groupId = (made.body as { id: string }).id;
    await access(groupId, [{ teamId: office.id, roleId: await roleId('viewer') }]);
    await admin.call('POST /api/admin/groups/:id/reopen', { params: { id: reopened } });
    // Nor when the provider says something new.
    const other = (await ada()).body as { id: string };
    await scim.call('PATCH', `/Groups/${groupId}`, {
      Operations: [{ op: 'add', path: 'members', value: [{ value: other.id }] }],
    });
    const heldAt = async (id: string) =>
      (await admin.call('GET /api/admin/users/:id', { params: { id } })).grants.map((grant) => grant.groupId);
    for (const id of [userId, other.id]) expect(await heldAt(id)).not.toContain(reopened);
    const waiting = await second.call('GET /api/admin/pending-grants', {});
    const pending = waiting.find((each) => each.groupId === reopened);
    await second.call('POST /api/admin/pending-grants/:id/confirm', {
      params: { id: pending?.id ?? '' },
      body: { version: pending?.version ?? '' },
    });
    for (const id of [userId, other.id]) expect(await heldAt(id)).toContain(reopened);
  });

  test('make no one an administrator, and give an administrator nothing', async () => {
    const { scim, boss, domain, admin, access, team } = await provisioned();
    await database.owner.query('update users set username = $1 where id = $2', [`boss@${domain}`, boss.id]);
    const members = [{ value: boss.id }];
    const { id } = (await scim.call('POST', '/Groups', { displayName: 'Everyone', members })).body as { id: string };
    expect(await refusal(access(id, [{ teamId: team.id, roleId: await roleId('administrator') }]))).toBe('BAD_REQUEST');
    const before = (await admin.call('GET /api/admin/users/:id', { params: { id: boss.id } })).grants;
    await access(id, [{ teamId: team.id, roleId: await roleId('clinician') }]);
    expect((await admin.call('GET /api/admin/users/:id', { params: { id: boss.id } })).grants).toEqual(before);
  });

  test('are named once, hold only known members, and are found by name', async () => {
    const { scim, ada } = await provisioned();
    const { id } = (await ada()).body as { id: string };
    const create = (displayName: string, value = id) =>
      scim.call('POST', '/Groups', { displayName, members: [{ value }] });
    expect(await create('Nurses')).toMatchObject({ status: 201 });
    expect(await create('nurses')).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    const other = await provisioned();
    const theirs = (await other.ada()).body as { id: string };
    expect(await create('Others', theirs.id)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    const filter = encodeURIComponent('displayName eq "NURSES"');
    const found = await scim.call('GET', `/Groups?excludedAttributes=members&filter=${filter}`);
    expect(found.body).toMatchObject({ totalResults: 1 });
    expect(JSON.stringify(found.body)).not.toContain('members');
    const byMember = encodeURIComponent(`members eq "${id}"`);
    expect((await scim.call('GET', `/Groups?filter=${byMember}`)).body).toMatchObject({ totalResults: 1 });
    expect((await other.scim.call('GET', '/Groups')).body).toMatchObject({ totalResults: 0 });
  });
});

describe('tokens', () => {
  test('are issued to an administrator of the whole organization, shown once, and end when revoked', async () => {
    const { admin, connection, scim, token } = await provisioned();
    const { tokens } = await admin.call('GET /api/admin/sso-connections/:id/provisioning', { params: connection });
    expect(tokens).toMatchObject([{ ending: token.slice(-4), lastUsedAt: null }]);
    expect(JSON.stringify(tokens)).not.toContain(token);
    await scim.call('GET', '/Users');
    const params = { id: connection.id, tokenId: tokens[0]?.id ?? '' };
    await admin.call('DELETE /api/admin/sso-connections/:id/scim-tokens/:tokenId', { params });
    expect(await scim.call('GET', '/Users')).toMatchObject({
      status: 401,
      body: { schemas: [SCIM_ERROR], status: '401' },
    });
    expect(await scimClient(app, 'x'.repeat(43)).call('GET', '/Users')).toMatchObject({ status: 401 });
    const other = await provisioned();
    expect(
      await refusal(other.admin.call('POST /api/admin/sso-connections/:id/scim-tokens', { params: connection })),
    ).toBe('NOT_FOUND');
    clock.advance(1000);
  });

  test('the connection says what it supports', async () => {
    const { scim } = await provisioned();
    expect((await scim.call('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true, maxResults: 200 },
    });
    for (const kind of ['ResourceTypes', 'Schemas']) {
      const { Resources } = (await scim.call('GET', `/${kind}`)).body as { Resources: { id: string }[] };
      expect(Resources).toHaveLength(2);
      for (const each of Resources) expect((await scim.call('GET', `/${kind}/${each.id}`)).body).toEqual(each);
    }
    const wrong = await scim.call('PATCH', '/Users/1', { Operations: [] });
    expect(wrong).toMatchObject({
      status: 400,
      type: expect.stringContaining(SCIM_TYPE) as string,
      body: { schemas: [SCIM_ERROR], scimType: 'invalidValue' },
    });
  });
});

import { expect, test } from 'vitest';
import { administration, refusal } from '#server/testing/administration.ts';
import { anonymous, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';

const app = await startApp();
const { make, clock, database } = app;
const { rows, roleId, organization } = administration(app);
const stranger = anonymous(app);

let count = 0;
const asks = (groupId: string, over: { username?: string; firstName?: string } = {}) => ({
  username: `asker${++count}@clinic.example`,
  firstName: 'Noor',
  lastName: 'Haddad',
  groupId,
  ...over,
});
const mailsTo = (username: string) =>
  rows<{ subject: string; body: string }>('select subject, body from outbox where recipient = $1 order by id', [
    username,
  ]);
const requestsFor = (groupId: string) => rows('select from access_requests where group_id = $1', [groupId]);

test('a request is listed for the administrators of the group, and their mail contains nothing the stranger typed', async () => {
  const { admin, adminName, here, there } = await organization();
  const body = asks(here.id, { firstName: 'Visit evil.example' });
  await stranger.call('POST /api/registrations', { body });
  const mails = await mailsTo(adminName);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).toContain(here.name);
  expect(mails[0]?.body).toContain('http://tidings.test/dashboard/admin/requests');
  expect(JSON.stringify(mails)).not.toContain('evil');
  expect(await admin.call('GET /api/admin/access-requests', {})).toMatchObject([
    {
      username: body.username,
      firstName: 'Visit evil.example',
      groupId: here.id,
      groupName: here.name,
      createdDate: clock.now().toISOString(),
    },
  ]);
  await stranger.call('POST /api/registrations', { body: asks(there.id) });
  expect(await admin.call('GET /api/admin/access-requests', {})).toHaveLength(1);
});

test('an administrator gets at most one mail an hour', async () => {
  const { adminName, here } = await organization();
  for (let each = 0; each < 3; each++) await stranger.call('POST /api/registrations', { body: asks(here.id) });
  expect(await mailsTo(adminName)).toHaveLength(1);
  clock.advance(61 * 60_000);
  await stranger.call('POST /api/registrations', { body: asks(here.id) });
  expect(await mailsTo(adminName)).toHaveLength(2);
});

/** Requests from elsewhere that wait for the group already. */
const fill = (groupId: string, { domain, address, count: most }: { domain: string; address: string; count: number }) =>
  database.pipeline.query(
    `insert into access_requests (username, first_name, last_name, group_id, asked_from, created_at)
     select 'filler' || n || '@' || replace($3, '#', n::text), 'F', 'F', $1, replace($4, '#', n::text), $2 from generate_series(1, $5::int) n`,
    [groupId, clock.now(), domain, address, most],
  );
const refusedFor = async (body: ReturnType<typeof asks>) => {
  const { errorKey, message } = await errorOf(stranger, 'POST /api/registrations', { body });
  return [errorKey, message];
};

test('requests from one address don’t keep others out, and who sends too many is told', async () => {
  const { here, there } = await organization();
  await fill(here.id, { domain: 'clinic#.example', address: '127.0.0.1', count: 20 });
  expect(await refusedFor(asks(here.id))).toEqual(['TOO_MANY_REQUESTS', expect.stringContaining('from your network')]);
  await stranger.call('POST /api/registrations', { body: asks(there.id) });
  await database.pipeline.query(`update access_requests set asked_from = '10.0.0.9' where group_id = $1`, [here.id]);
  await stranger.call('POST /api/registrations', { body: asks(here.id) });
  expect(await requestsFor(here.id)).toHaveLength(21);
});

test.each([
  ['of one email domain', { domain: 'clinic.example', count: 100 }],
  ['of a group', { domain: 'other#.example', count: 500 }],
])('without room for another request %s, the person is told, and the administrators once a day', async (_, filled) => {
  const { adminName, here } = await organization();
  await fill(here.id, { ...filled, address: '10.0.0.#' });
  for (let each = 0; each < 2; each++)
    expect(await refusedFor(asks(here.id))).toEqual(['TOO_MANY_REQUESTS', expect.stringContaining('are waiting')]);
  const mails = await mailsTo(adminName);
  expect(mails.map(({ subject }) => subject)).toEqual([`Too many requests to join ${here.name}`]);
  expect(mails[0]?.body).toContain('http://tidings.test/dashboard/admin/requests');
  expect(await requestsFor(here.id)).toHaveLength(filled.count);
});

test('a name with a web address is refused, and one person waits for five groups at most', async () => {
  const { here, there } = await organization();
  for (const firstName of ['Win $ http://evil.example', 'See WWW.evil.example', 'Noor\u0000'])
    expect(await refusal(stranger.call('POST /api/registrations', { body: asks(here.id, { firstName }) }))).toBe(
      'BAD_REQUEST',
    );
  expect(await requestsFor(here.id)).toEqual([]);
  const { username } = asks(here.id);
  const more = [await organization(), await organization(), await organization()].flatMap((each) => [
    each.here,
    each.there,
  ]);
  for (const { id } of [here, there, ...more])
    await stranger.call('POST /api/registrations', { body: asks(id, { username }) });
  expect(await rows('select from access_requests where username = $1', [username])).toHaveLength(5);
});

test('answers do not reveal who has an account or who has asked', async () => {
  const { adminName, here, team } = await organization();
  const member = await make.user({ team });
  const known = asks(here.id);
  await stranger.call('POST /api/registrations', { body: known });
  const answer = async (path: string, body?: object) => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await stranger.fetch(path, { method: 'POST', ...(body ? json : {}) });
    return [response.status, await response.text()];
  };
  const registrations = [asks(here.id, { username: member.username }), known, asks(here.id)];
  for (const body of registrations) expect(await answer('/api/registrations', body)).toEqual([204, '']);
  expect(await requestsFor(here.id)).toHaveLength(2);
  const reminders = [
    [known.username, adminName],
    [known.username, member.username],
    ['nobody@clinic.example', adminName],
    ['nobody@clinic.example', 'no.one@clinic.example'],
  ];
  for (const [username, adminUsername] of reminders) {
    expect(
      await answer(`/api/users/admin-email?username=${username}&groupId=${here.id}&adminUsername=${adminUsername}`),
    ).toEqual([204, '']);
  }
  expect(await refusal(stranger.call('POST /api/registrations', { body: asks('987654321') }))).toBe('NOT_FOUND');
});

test('a reminder is sent right after the request, to administrators of the group only, once an hour', async () => {
  const { adminName, here, team } = await organization();
  const member = await make.user({ team });
  const { username } = asks(here.id);
  await stranger.call('POST /api/registrations', { body: { ...asks(here.id), username } });
  const remind = (adminUsername: string) =>
    stranger.call('POST /api/users/admin-email', { query: { username, groupId: here.id, adminUsername } });
  await remind(adminName);
  await remind(adminName);
  expect(await mailsTo(adminName)).toHaveLength(2);
  clock.advance(61 * 60_000);
  await remind(adminName.toUpperCase());
  await remind(adminName);
  await remind(member.username);
  expect(await mailsTo(adminName)).toHaveLength(3);
  expect(await mailsTo(member.username)).toEqual([]);
});

test('approving a new person creates an account with the viewer role in the group and sends an activation mail', async () => {
  const { admin, adminId, here, team, granted } = await organization();
  const body = asks(here.id);
  await stranger.call('POST /api/registrations', { body });
  const query = { username: body.username, groupId: here.id };
  await admin.call('POST /api/users/authorize-group', { query });
  const { users } = await admin.call('GET /api/admin/users', { query: { query: body.username } });
  expect(users).toMatchObject([
    { status: 'INVITED', firstName: 'Noor', grants: [await granted('viewer', { teamId: team.id })] },
  ]);
  expect(await mailsTo(body.username)).toHaveLength(1);
  expect(await rows('select decided_by, is_granted from access_requests where username = $1', [body.username])).toEqual(
    [{ decided_by: adminId, is_granted: true }],
  );
  expect(
    await rows("select from audit_entries where action = 'access-request.grant' and user_id = $1", [adminId]),
  ).toHaveLength(1);
  // A second administrator comes too late, and changes nothing.
  await admin.call('POST /api/users/authorize-group', { query });
  expect(await mailsTo(body.username)).toHaveLength(1);
});

test('whoever approves a request that was declined or approved meanwhile changes nothing, and learns it', async () => {
  const { admin, here, team } = await organization();
  const { id, username } = await make.user({ team, role: 'viewer' });
  await database.owner.query('delete from grants where user_id = $1', [id]);
  const late = async (decide: (request: { id: string }) => Promise<unknown>) => {
    await stranger.call('POST /api/registrations', { body: asks(here.id, { username }) });
    const [request] = await admin.call('GET /api/admin/access-requests', {});
    const requestId = request?.id ?? '';
    await decide({ id: requestId });
    const query = { username, groupId: here.id, requestId, roleId: await roleId('administrator') };
    expect(await refusal(admin.call('POST /api/users/authorize-group', { query }))).toBe('NOT_FOUND');
  };
  const grants = async () => (await admin.call('GET /api/admin/users/:id', { params: { id } })).grants;
  await late((params) => admin.call('DELETE /api/admin/access-requests/:id', { params }));
  expect(await grants()).toEqual([]);
  await late(({ id: requestId }) =>
    admin.call('POST /api/users/authorize-group', { query: { username, groupId: here.id, requestId } }),
  );
  expect(await grants()).toHaveLength(1);
});

test('a user of the organization is given access to a group without having asked, which is audited and mailed', async () => {
  const { admin, adminId, here, granted } = await organization();
  const invited = { username: `new${++count}@clinic.example`, firstName: 'Noor', lastName: 'Haddad' };
  const { id, grants } = await admin.call('POST /api/users', { body: invited });
  expect(grants).toEqual([]);
  await admin.call('POST /api/users/authorize-group', { query: { username: invited.username, groupId: here.id } });
  const user = await admin.call('GET /api/admin/users/:id', { params: { id } });
  expect(user.grants).toEqual([await granted('viewer')]);
  expect(await mailsTo(invited.username)).toHaveLength(1);
  const changes = await rows("select detail from audit_entries where action = 'user.change' and subject_id = $1", [id]);
  expect(changes).toMatchObject([{ detail: { before: [], after: [await granted('viewer')] } }]);
  const self = await admin.call('GET /api/admin/users/:id', { params: { id: adminId } });
  expect(
    await refusal(
      admin.call('POST /api/users/authorize-group', { query: { username: self.username, groupId: here.id } }),
    ),
  ).toBe('NOT_FOUND');
});

test('approving a colleague keeps the access they have', async () => {
  const { admin, here, other, granted, elsewhere } = await organization();
  const colleague = await make.user({ team: other, role: 'clinician' });
  await stranger.call('POST /api/registrations', { body: asks(here.id, { username: colleague.username }) });
  await admin.call('POST /api/users/authorize-group', { query: { username: colleague.username, groupId: here.id } });
  const { grants } = await admin.call('GET /api/admin/users/:id', { params: { id: colleague.id } });
  expect(grants).toEqual([await granted('viewer'), await granted('clinician', elsewhere)]);
  const { user } = await (await signIn(app, colleague.username)).call('GET /api/me', {});
  expect(Object.keys(user.teams)).toHaveLength(2);
  expect((await mailsTo(colleague.username)).map(({ subject }) => subject)).toEqual([
    `You now have access to ${here.name}`,
  ]);
});

test('approval is refused without a request, for a group of others, for an account of another organization and for a disabled one', async () => {
  const { admin, here, there, other } = await organization();
  const authorize = (username: string, groupId: string) =>
    refusal(admin.call('POST /api/users/authorize-group', { query: { username, groupId } }));
  expect(await authorize('unasked@clinic.example', here.id)).toBe('NOT_FOUND');
  const elsewhere = asks(there.id);
  await stranger.call('POST /api/registrations', { body: elsewhere });
  expect(await authorize(elsewhere.username, there.id)).toBe('NOT_FOUND');
  const foreigner = await make.user();
  await stranger.call('POST /api/registrations', { body: asks(here.id, { username: foreigner.username }) });
  expect(await authorize(foreigner.username, here.id)).toBe('USERNAME_TAKEN');
  const disabled = await make.user({ team: other });
  await database.pipeline.query('update users set disabled_at = $2 where id = $1', [disabled.id, clock.now()]);
  await stranger.call('POST /api/registrations', { body: asks(here.id, { username: disabled.username }) });
  expect(await authorize(disabled.username, here.id)).toBe('BAD_REQUEST');
});

test('a declined request is gone, and can be made again', async () => {
  const { admin, adminId, here, there } = await organization();
  const body = asks(here.id);
  await stranger.call('POST /api/registrations', { body });
  const [request] = await admin.call('GET /api/admin/access-requests', {});
  await admin.call('DELETE /api/admin/access-requests/:id', { params: { id: request?.id ?? '' } });
  expect(await admin.call('GET /api/admin/access-requests', {})).toEqual([]);
  expect(await rows('select decided_by, is_granted from access_requests where username = $1', [body.username])).toEqual(
    [{ decided_by: adminId, is_granted: false }],
  );
  await stranger.call('POST /api/registrations', { body });
  expect(await admin.call('GET /api/admin/access-requests', {})).toHaveLength(1);
  await stranger.call('POST /api/registrations', { body: asks(there.id) });
  const [foreign] = await rows<{ id: string }>('select id from access_requests where group_id = $1', [there.id]);
  expect(
    await refusal(admin.call('DELETE /api/admin/access-requests/:id', { params: { id: foreign?.id ?? '' } })),
  ).toBe('NOT_FOUND');
});

test('groups to join are found by the beginning of a word in their name', async () => {
  const { organizationId, here } = await organization();
  const group = await make.group({ organizationId, name: 'Lakeside 100% Care' });
  await make.team({ organizationId, groupIds: [group.id] });
  await make.group({ organizationId, name: 'Lakeside without a team' });
  const find = async (query: string) =>
    (await stranger.call('GET /api/registrations/groups', { query: { query } })).map(({ name }) => name);
  expect(await find('lakes')).toEqual(['Lakeside 100% Care']);
  expect(await find('100% c')).toEqual(['Lakeside 100% Care']);
  expect(await find('%%')).toEqual([]);
  expect(await find(here.name)).toContain(here.name);
  expect(await refusal(find('x'))).toBe('BAD_REQUEST');
});

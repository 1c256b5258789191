/** Finding users by what they hold and when they signed in, and changing many of them at once. */
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import type { RouteInput } from '#contract/routes.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { lettersTo } from '#server/testing/letters.ts';

const app = await startApp();
const { make, clock, database } = app;
const { rows, roleId, organization } = administration(app);
const DAY = 86_400_000;

type Query = RouteInput<'GET /api/admin/users'>['query'];

describe('the list of users', () => {
  test('is filtered by one grant that fits team, group and role, by sign-in and by second factor, and sorted', async () => {
    const { admin, adminId, team, other, here, there } = await organization();
    const viewer = await make.user({ team, role: 'viewer', lastName: 'Abara' });
    const clinician = await make.user({ team, role: 'clinician', lastName: 'Baldwin' });
    const both = await make.user({ team: other, role: 'viewer', lastName: 'Cole' });
    await rows('insert into grants (user_id, team_id, group_id, role_id) values ($1, $2, $3, $4)', [
      both.id,
      team.id,
      here.id,
      await roleId('clinician'),
    ]);
    const found = async (query: Query) =>
      (await admin.call('GET /api/admin/users', { query })).users.map(({ id }) => id);
    expect(await found({ teamId: team.id, roleId: await roleId('clinician') })).toEqual([clinician.id, both.id]);
    // Viewer at the other group and clinician at this one is not a viewer at this one.
    expect(await found({ groupId: here.id, roleId: await roleId('viewer') })).toEqual([viewer.id]);
    expect(await found({ groupId: there.id })).toEqual([both.id]);

    await signIn(app, viewer.username);
    clock.advance(31 * DAY);
    await signIn(app, clinician.username);
    await database.owner.query('update users set mfa_opted_in = true where id = $1', [viewer.id]);
    const again = await signIn(
      app,
      (await rows<{ username: string }>('select username from users where id = $1', [adminId]))[0]?.username ?? '',
    );
    const list = async (query: Query) =>
      (await again.call('GET /api/admin/users', { query })).users.map(({ id }) => id);
    expect(await list({ lastSignIn: 'NEVER' })).toEqual([both.id]);
    expect(await list({ lastSignIn: 'OVER_30_DAYS' })).toEqual([viewer.id, both.id]);
    expect(await list({ lastSignIn: 'OVER_90_DAYS' })).toEqual([both.id]);
    expect(await list({ signsInBy: 'SECOND_FACTOR' })).toEqual([viewer.id]);
    expect((await list({ signsInBy: 'PASSWORD_ONLY' })).sort()).toEqual([adminId, clinician.id, both.id].sort());
    expect(await list({ signsInBy: 'SSO' })).toEqual([]);
    expect(await list({ sort: 'LONGEST_AWAY', teamId: team.id, pageSize: 2 })).toEqual([both.id, viewer.id]);
    expect((await list({ sort: 'LAST_SIGN_IN' })).slice(-2)).toEqual([viewer.id, both.id]);
    const newest = await make.user({ team, lastName: 'Zimmer' });
    expect((await list({ sort: 'CREATED' }))[0]).toBe(newest.id);
    await database.owner.query('update users set created_at = $1', [clock.now()]);
    expect((await list({ sort: 'CREATED' }))[0]).toBe(newest.id);
  });
});

describe('a change of several users', () => {
  test('gives a role on a team and takes it, row by row, and leaves other access alone', async () => {
    const { admin, adminId, team, other, here, there } = await organization();
    const [viewer, clinician] = [await roleId('viewer'), await roleId('clinician')];
    const one = await make.user({ team, role: 'viewer' });
    const two = await make.user({ team, role: 'administrator' });
    const far = await make.user({ team: other, role: 'viewer' });
    const foreign = await organization();
    const ids = [one.id, two.id, far.id, adminId, foreign.adminId];
    const give = { kind: 'GIVE_ROLE', teamId: team.id, groupIds: null, roleId: clinician } as const;
    const answer = await admin.call('POST /api/admin/users/change', { body: { ids, change: give } });
    expect(answer.changed).toEqual([one.id, two.id, far.id]);
    expect(answer.refused).toMatchObject([
      { id: adminId, errorKey: 'NOT_PERMITTED' },
      { id: foreign.adminId, errorKey: 'NOT_FOUND' },
    ]);
    const grantsOf = async (id: string) =>
      (await admin.call('GET /api/admin/users/:id', { params: { id } })).grants.map((grant) => [
        grant.groupId,
        grant.roleId,
      ]);
    expect(await grantsOf(one.id)).toEqual([[here.id, clinician]]);
    expect(await grantsOf(far.id)).toEqual([
      [here.id, clinician],
      [there.id, viewer],
    ]);
    const { changes } = await admin.call('GET /api/admin/changes', { query: { userId: far.id } });
    expect(changes).toMatchObject([
      { action: 'user.change', detail: { before: [], after: [{ groupId: here.id, roleId: clinician }] } },
    ]);

    // The administrator manages only the first group, so nothing at the other one can be given or taken.
    const elsewhere = { kind: 'TAKE_ACCESS', teamId: other.id, groupIds: null } as const;
    const refused = await admin.call('POST /api/admin/users/change', { body: { ids: [far.id], change: elsewhere } });
    expect(refused.refused).toMatchObject([{ id: far.id, errorKey: 'NOT_PERMITTED' }]);
    const take = { kind: 'TAKE_ACCESS' as const, teamId: team.id, groupIds: [here.id] };
    await admin.call('POST /api/admin/users/change', { body: { ids: [one.id, far.id], change: take } });
    expect([await grantsOf(one.id), await grantsOf(far.id)]).toEqual([[], [[there.id, viewer]]]);
    const strange = { ...give, groupIds: [there.id] };
    expect(
      (await admin.call('POST /api/admin/users/change', { body: { ids: [one.id], change: strange } })).refused,
    ).toMatchObject([{ errorKey: 'NOT_FOUND' }]);
  });

  test('mails invitations and links to reset only to those for whom they are', async () => {
    const { admin, team, granted } = await organization();
    const active = await make.user({ team });
    const body = {
      username: `new.${active.id}@clinic.test`,
      firstName: 'New',
      lastName: 'Person',
      grants: [await granted('viewer')],
    };
    const invited = await admin.call('POST /api/users', { body });
    const ids = [active.id, invited.id];
    const resent = await admin.call('POST /api/admin/users/change', {
      body: { ids, change: { kind: 'RESEND_ACTIVATION' } },
    });
    expect([resent.changed, resent.refused.map(({ id }) => id)]).toEqual([[invited.id], [active.id]]);
    const reset = await admin.call('POST /api/admin/users/change', { body: { ids, change: { kind: 'SEND_RESET' } } });
    expect([reset.changed, reset.refused.map(({ id }) => id)]).toEqual([[active.id], [invited.id]]);
    const [letter] = await lettersTo(database, active.username);
    expect(letter?.body).toContain('An administrator sent you this link');
    expect(await lettersTo(database, invited.username)).toHaveLength(2);
  });
});

test('the sessions of a user are listed with place and time, and one of them can be ended', async () => {
  const { admin, team, other } = await organization();
  const user = await make.user({ team });
  const [first, second] = [await signIn(app, user.username), await signIn(app, user.username)];
  const params = { id: user.id };
  const { sessions, devices } = await admin.call('GET /api/admin/users/:id/sessions', { params });
  expect(sessions).toMatchObject([{ address: '127.0.0.1' }, { address: '127.0.0.1' }]);
  expect(devices).toHaveLength(2);
  const far = await make.user({ team: other });
  expect(await refusal(admin.call('GET /api/admin/users/:id/sessions', { params: { id: far.id } }))).toBe(
    'NOT_PERMITTED',
  );
  const { sessions: own } = await first.call('GET /api/users/profile', {});
  const sessionId = own.find(({ isCurrent }) => isCurrent)?.id ?? '';
  const end = () => admin.call('DELETE /api/admin/users/:id/sessions/:sessionId', { params: { ...params, sessionId } });
  await end();
  expect(await refusal(first.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  await second.call('GET /api/me', {});
  expect(await refusal(end())).toBe('NOT_FOUND');
  const stranger = await organization();
  expect(await refusal(stranger.admin.call('GET /api/admin/users/:id/sessions', { params }))).toBe('NOT_FOUND');
});

test('the administrators are counted for a batch, not for each account, and whoever has to stay stops nobody else', async () => {
  const home = await organization();
  const { adminId, admin, team } = await organization();
  const all: string[] = [];
  for (let at = 0; at < 20; at += 1) all.push((await make.user({ team })).id);
  const change = (kind: 'DISABLE' | 'ENABLE', ids: string[]) => ({ body: { ids, change: { kind } } });
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  expect((await admin.call('POST /api/admin/users/change', change('DISABLE', all))).changed).toEqual(all);
  const counts = sent.mock.calls.filter(([first]) => textOf(first).includes('select distinct u.organization_id'));
  sent.mockRestore();
  expect(counts.length).toBeLessThanOrEqual(4);

  const { username } = await make.user({ team: home.team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, username);
  await operator.call('POST /api/admin/users/change', change('ENABLE', all));
  const mixed = [...all.slice(0, 9), adminId, ...all.slice(9)];
  const { changed, refused } = await operator.call('POST /api/admin/users/change', change('DISABLE', mixed));
  expect(changed).toEqual(all);
  expect(refused).toMatchObject([{ id: adminId, errorKey: 'LAST_ADMINISTRATOR' }]);
});

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? '');

import { expect, test } from 'vitest';
import { userWith } from '#server/testing/account-bodies.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make } = app;
const { organization } = administration(app);

test('the last administrator can neither leave nor be demoted, whichever way they try', async () => {
  const { admin, adminId, granted, team, here } = await organization();
  const params = { id: adminId };
  const self = await admin.call('GET /api/admin/users/:id', { params });
  expect(self.isSelf).toBe(true);
  for (const grants of [
    [],
    [await granted('viewer')],
    [await granted('administrator', { removed: ['canManageUsers'] })],
  ]) {
    expect(await refusal(admin.call('PUT /api/admin/users/:id', { params, body: userWith(self, grants) }))).toBe(
      'LAST_ADMINISTRATOR',
    );
  }
  expect(await refusal(admin.call('POST /api/admin/users/:id/disable', { params }))).toBe('LAST_ADMINISTRATOR');
  const role = await admin.call('POST /api/admin/roles', {
    body: { name: 'Lead', permissions: ['canManageUsers', 'canViewPings'] },
  });
  await admin.call('PUT /api/admin/users/:id', {
    params,
    body: userWith(self, [await granted('', { roleId: role.id })]),
  });
  const demoted = { name: 'Lead', permissions: ['canViewPings' as const] };
  expect(await refusal(admin.call('PUT /api/admin/roles/:id', { params: { id: role.id }, body: demoted }))).toBe(
    'LAST_ADMINISTRATOR',
  );
  const group = await admin.call('POST /api/admin/groups', {
    body: {
      name: 'Annexe',
      type: 'PROGRAM',
      facilityType: null,
      state: 'NY',
      timeZone: 'America/New_York',
      address: null,
      isAutomated: false,
      isPart2Facility: false,
    },
  });
  const body = { name: 'Team', abbreviation: 'T', type: 'PROGRAM' as const, groupIds: [group.id] };
  // The administrator would keep the annexe but lose the first group.
  expect(await refusal(admin.call('PUT /api/admin/teams/:id', { params: { id: team.id }, body }))).toBe(
    'NOT_PERMITTED',
  );
  expect((await admin.call('GET /api/me', {})).user.teams[team.id]?.groups[here.id]?.permissions).toContain(
    'canManageUsers',
  );
});

test('administrators cannot demote themselves even if others could take over', async () => {
  const { admin, adminId, granted, team } = await organization();
  await make.user({ team, role: 'administrator' });
  const params = { id: adminId };
  const self = await admin.call('GET /api/admin/users/:id', { params });
  expect(await refusal(admin.call('POST /api/admin/users/:id/disable', { params }))).toBe('NOT_PERMITTED');
  const body = userWith(self, [await granted('viewer')]);
  expect(await refusal(admin.call('PUT /api/admin/users/:id', { params, body }))).toBe('NOT_PERMITTED');
  expect(await refusal(admin.call('POST /api/admin/users/:id/reset-mfa', { params }))).toBe('NOT_PERMITTED');
});

test('two administrators who demote each other at the same time do not both succeed', async () => {
  const { admin, adminId, granted, team } = await organization();
  const other = await make.user({ team, role: 'administrator' });
  const second = await signIn(app, other.username);
  const viewer = [await granted('viewer')];
  const outcomes = await Promise.all([
    refusal(
      admin.call('PUT /api/admin/users/:id', {
        params: { id: other.id },
        body: userWith({ ...other, title: null }, viewer),
      }),
    ),
    refusal(
      second.call('PUT /api/admin/users/:id', {
        params: { id: adminId },
        body: userWith({ ...other, title: null }, viewer),
      }),
    ),
  ]);
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  expect(outcomes).toContain('NOT_PERMITTED');
});

test('disabling all administrators at once keeps the last one who can sign in, and the others stay disabled', async () => {
  const home = await organization();
  const { adminId, team } = await organization();
  const second = await make.user({ team, role: 'administrator' });
  const { username } = await make.user({ team: home.team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, username);
  const { changed, refused } = await operator.call('POST /api/admin/users/change', {
    body: { ids: [adminId, second.id], change: { kind: 'DISABLE' } },
  });
  expect(changed).toEqual([adminId]);
  expect(refused).toMatchObject([{ id: second.id, errorKey: 'LAST_ADMINISTRATOR' }]);
  await signIn(app, second.username);
});

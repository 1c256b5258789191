import { expect, test } from 'vitest';
import { administration } from '#server/testing/administration.ts';
import { CallError, signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make } = app;
const { organization } = administration(app);

test('an administrator sees who changed what in their own organization, newest first, and nothing of others', async () => {
  const { admin, adminId, team, here, granted } = await organization();
  const stranger = await organization();
  await stranger.admin.call('POST /api/admin/roles', { body: { name: 'elsewhere', permissions: [] } });
  const kofi = await make.user({ team, role: 'viewer', firstName: 'Kofi', lastName: 'Mensah' });
  const grants = [await granted('clinician')];
  await admin.call('PUT /api/admin/users/:id', {
    params: { id: kofi.id },
    body: { firstName: 'Kofi', lastName: 'Mensah-Ito', applicationExperience: 'JANUS', grants },
  });
  await admin.call('POST /api/admin/users/:id/disable', { params: { id: kofi.id } });
  const role = await admin.call('POST /api/admin/roles', { body: { name: 'scribe', permissions: ['canViewPings'] } });
  await admin.call('DELETE /api/admin/roles/:id', { params: { id: role.id } });

  const { changes, total, numPages, hasMore } = await admin.call('GET /api/admin/changes', { query: {} });
  expect(changes.map(({ action, subject }) => [action, subject.name])).toEqual([
    ['role.end', 'scribe'],
    ['role.add', 'scribe'],
    ['user.disable', 'Kofi Mensah-Ito'],
    ['user.change', 'Kofi Mensah-Ito'],
    ['sign-in', expect.any(String)],
  ]);
  expect([total, numPages, hasMore]).toEqual([5, 1, false]);
  expect(changes.every(({ by }) => by?.id === adminId)).toBe(true);
  expect(changes[3]?.detail).toMatchObject({
    changes: { lastName: ['Mensah', 'Mensah-Ito'] },
    after: [{ groupId: here.id }],
  });

  const ofKofi = await admin.call('GET /api/admin/changes', { query: { userId: kofi.id, pageSize: 1 } });
  expect(ofKofi).toMatchObject({ total: 2, numPages: 2, changes: [{ action: 'user.disable' }] });
  expect(await stranger.admin.call('GET /api/admin/changes', { query: { userId: kofi.id } })).toMatchObject({
    total: 0,
  });
});

test('the app role reads the log of the organization that it administers, but not who opened which patient', async () => {
  const { team, organizationId } = await organization();
  const ping = await make.ping({ groupId: team.groupIds[0] });
  const nurse = await signIn(app, (await make.user({ team, role: 'care coordinator' })).username);
  await nurse.call('GET /api/patients/:id', { params: { id: `${ping.rosterPatientId}_${ping.encounterId}` } });
  const subjects = async (db: typeof app.database.app, administers: string) =>
    db.transaction(
      async (tx) =>
        (await tx.query<{ subject: string }>('select distinct subject from audit_entries')).rows.map(
          ({ subject }) => subject,
        ),
      { settings: { 'tidings.administers': administers } },
    );
  expect(await subjects(app.database.pipeline, '')).toContain('patient');
  expect(await subjects(app.database.app, organizationId)).toEqual(['user']);
  expect(await subjects(app.database.app, '')).toEqual([]);
});

test('a late change is refused with who changed the team, and succeeds with that version', async () => {
  const { admin, team, here } = await organization();
  const ben = await make.user({ team, role: 'administrator', firstName: 'Ben', lastName: 'Ito' });
  const other = await signIn(app, ben.username);
  const body = { name: 'Day', abbreviation: 'D', type: 'PROGRAM' as const, groupIds: [here.id] };
  const { id, version } = await admin.call('POST /api/admin/teams', { body });
  await other.call('PUT /api/admin/teams/:id', { params: { id }, body: { ...body, abbreviation: 'DAY', version } });
  const late = { params: { id }, body: { ...body, name: 'Days' } };
  const error = await admin
    .call('PUT /api/admin/teams/:id', { ...late, body: { ...late.body, version } })
    .catch((caught: unknown) => caught);
  if (!(error instanceof CallError)) throw new Error('The call was not refused');
  expect(error.body).toMatchObject({
    errorKey: 'CHANGED_BY_OTHER',
    standing: { version: expect.not.stringMatching(version) as string, last: { name: 'Ben Ito' } },
  });
  const standing = error.body.standing?.version ?? '';
  const saved = await admin.call('PUT /api/admin/teams/:id', { ...late, body: { ...late.body, version: standing } });
  expect(saved).toMatchObject({ name: 'Days', abbreviation: 'D' });
});

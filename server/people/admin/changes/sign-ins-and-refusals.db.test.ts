import { expect, test } from 'vitest';
import { TEAM_HEADER } from '#contract/constants.ts';
import type { RouteInput } from '#contract/routes.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { anonymous, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';

const app = await startApp();
const { make, clock, database } = app;
const { organization, rows } = administration(app);

type Query = RouteInput<'GET /api/admin/changes'>['query'];
const logOf = async (client: Client, query: Query) => (await client.call('GET /api/admin/changes', { query })).changes;

test('administrators see who of their organization signed in, how, and who was refused; no one else’s', async () => {
  const { admin, adminId, team } = await organization();
  const stranger = await organization();
  const kofi = await make.user({ team, firstName: 'Kofi', lastName: 'Mensah' });
  const wrong = anonymous(app).call('POST /api/authenticate', { body: { username: kofi.username, password: 'wrong' } });
  expect(await refusal(wrong)).toBe('WRONG_PASSWORD');
  await signIn(app, kofi.username);
  const seen = await logOf(admin, { kind: 'sign-ins' });
  expect(seen).toMatchObject([
    { action: 'sign-in', by: { id: kofi.id, name: 'Kofi Mensah' }, detail: { way: 'password' }, address: '127.0.0.1' },
    {
      action: 'sign-in.failed',
      by: null,
      subject: { id: kofi.id, name: 'Kofi Mensah' },
      detail: { errorKey: 'WRONG_PASSWORD' },
    },
    { action: 'sign-in', by: { id: adminId } },
  ]);
  expect((await logOf(stranger.admin, {})).map(({ by }) => by?.id)).toEqual([stranger.adminId]);
});

test('a lock after wrong passwords is in the log, with each try', async () => {
  const { admin, team } = await organization();
  const { id, username } = await make.user({ team });
  for (let each = 0; each < 3; each++)
    await refusal(anonymous(app).call('POST /api/authenticate', { body: { username, password: `wrong ${each}` } }));
  const seen = await logOf(admin, { userId: id, kind: 'sign-ins' });
  const tries = ['LOCKED', 'WRONG_PASSWORD', 'WRONG_PASSWORD'];
  expect(seen.flatMap(({ detail }) => detail['errorKey'] ?? [])).toEqual(tries);
  expect(seen.map(({ action }) => action).filter((action) => action === 'sign-in.locked')).toHaveLength(1);
});

test('a refused sign-in without an account is seen by operators only, without what was typed', async () => {
  const { admin, team } = await organization();
  const typed = { username: 'quackenbush@nowhere.example', password: TEST_PASSWORD };
  await refusal(anonymous(app).call('POST /api/authenticate', { body: typed }));
  const operator = await signIn(app, (await make.user({ team, role: 'administrator', isOperator: true })).username);
  const [failed] = await logOf(operator, { kind: 'refused' });
  const unknown = { id: '0', name: 'Unknown' };
  expect(failed).toMatchObject({
    action: 'sign-in.failed',
    by: null,
    subject: { id: null, name: null },
    organization: unknown,
  });
  expect(Object.keys(failed?.detail ?? {})).toEqual(['errorKey']);
  expect(await logOf(admin, { kind: 'refused' })).toEqual([]);
  const signedIn = (await logOf(operator, { kind: 'sign-ins' })).map((entry) => entry.organization?.id);
  expect(signedIn).toContain(team.organizationId);
  expect((await logOf(admin, { kind: 'sign-ins' }))[0]?.organization).toBeNull();
});

test('a refused call is named by what it is for, and not by whose it was', async () => {
  const [here, there] = [await organization(), await organization()];
  const nurse = await make.user({ team: here.team, role: 'viewer', firstName: 'Ines', lastName: 'Roy' });
  const client = await signIn(app, nurse.username);
  const ping = await make.ping({ groupId: there.here.id });
  await refusal(client.call('GET /api/patients/:id', { params: { id: ping.patientId } }));
  await refusal(client.call('GET /api/admin/users', { query: {} }));
  await refusal(here.admin.call('GET /api/admin/users/:id', { params: { id: there.adminId } }));
  await client.fetch('/api/patients/search', { method: 'POST', headers: { [TEAM_HEADER]: there.team.id } });
  const seen = await logOf(here.admin, { kind: 'refused' });
  expect(seen.map(({ by, call, subject, detail }) => [by?.id, call, subject.id, detail['errorKey']])).toEqual([
    [nurse.id, 'Search patients', null, 'NOT_YOUR_TEAM'],
    [here.adminId, expect.any(String), null, 'NOT_FOUND'],
    [nurse.id, expect.any(String), null, 'NOT_PERMITTED'],
    [nurse.id, expect.any(String), null, 'NOT_FOUND'],
  ]);
  expect(seen.every(({ call }) => call !== null && call.length > 0)).toBe(true);
  expect(await logOf(there.admin, { kind: 'refused' })).toEqual([]);
});

test('the log is filtered by who acted, the account it is about, the kind, and days of the reader’s time zone', async () => {
  const { admin, adminId, team } = await organization();
  const kofi = await make.user({ team, role: 'viewer' });
  const client = await signIn(app, kofi.username);
  await refusal(client.call('GET /api/admin/users', { query: {} }));
  await admin.call('POST /api/admin/users/:id/end-sessions', { params: { id: kofi.id } });
  await admin.call('POST /api/admin/roles', { body: { name: 'night', permissions: [] } });
  const actions = async (query: Query) => (await logOf(admin, query)).map(({ action }) => action);
  expect(await actions({ byId: kofi.id })).toEqual(['access.refused', 'sign-in']);
  expect(await actions({ userId: kofi.id })).toEqual(['user.end-sessions', 'sign-in']);
  expect(await actions({ byId: adminId, kind: 'directory' })).toEqual(['role.add']);
  expect(await actions({ byId: adminId, kind: 'accounts' })).toEqual(['user.end-sessions']);
  expect(await actions({ kind: 'access' })).toEqual([]);

  await database.pipeline.query('update users set preferences = preferences || $2 where id = $1', [
    adminId,
    { timeZone: 'Pacific/Auckland' },
  ]);
  const now = clock.now();
  const dayOf = (timeZone: string, plus = 0) =>
    new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(now.getTime() + plus * 86_400_000));
  const today = dayOf('Pacific/Auckland');
  expect(await actions({ kind: 'directory', from: today, to: today })).toEqual(['role.add']);
  expect(await actions({ kind: 'directory', from: dayOf('Pacific/Auckland', 1) })).toEqual([]);
  expect(await actions({ kind: 'directory', to: dayOf('Pacific/Auckland', -1) })).toEqual([]);
  expect(await refusal(logOf(admin, { from: '2026-02-30' }))).toBe('BAD_REQUEST');
});

test('the file has what the filters select, safe for spreadsheets, and its download is in the log', async () => {
  const { admin, adminId, organizationId, team } = await organization();
  await admin.call('POST /api/admin/roles', { body: { name: '=1+2', permissions: [] } });
  const query = new URLSearchParams({ teamId: team.id, kind: 'directory' });
  const response = await admin.fetch(`/api/admin/changes.csv?${query.toString()}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const lines = (await response.text()).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(',added the role =1+2,role.add,127.0.0.1,');
  expect(await rows("select user_id, subject_id, detail from audit_entries where action = 'audit-log.export'")).toEqual(
    [{ user_id: adminId, subject_id: organizationId, detail: { kind: 'directory', rows: 1 } }],
  );
  expect((await logOf(admin, { kind: 'directory' }))[0]?.action).toBe('audit-log.export');
  const viewer = await signIn(app, (await make.user({ team, role: 'viewer' })).username);
  expect((await viewer.fetch(`/api/admin/changes.csv?${query.toString()}`)).status).toBe(403);
});

test('entries are counted and paged up to 10,000', async () => {
  const { admin, adminId } = await organization();
  await database.pipeline.query(
    `insert into audit_entries (at, user_id, action, subject, subject_id, in_log)
     select $2::timestamptz - make_interval(secs => n), $1, 'sign-in', 'user', $1, true from generate_series(1, 10000) n`,
    [adminId, clock.now()],
  );
  const page = (pageNumber: number) => admin.call('GET /api/admin/changes', { query: { pageNumber, pageSize: 100 } });
  expect(await page(100)).toMatchObject({ total: 10_000, numPages: 100, hasMore: true, changes: { length: 100 } });
  expect((await page(101)).changes).toEqual([]);
  const one = await admin.call('GET /api/admin/changes', { query: { kind: 'directory' } });
  expect(one).toMatchObject({ total: 0, hasMore: false });
});

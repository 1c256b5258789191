import { expect, test } from 'vitest';
import type { RouteInput } from '#contract/routes.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, clock } = app;
const { rows, organization } = administration(app);
const DAY = 24 * 60 * 60_000;
const ago = (days: number): Date => new Date(clock.now().getTime() - days * DAY);

type UserQuery = RouteInput<'GET /api/reports/users'>['query'];
type AccessQuery = RouteInput<'GET /api/reports/access-review'>['query'];

/** An organization with an administrator, and people who differ in what the report of users filters by. */
async function office() {
  const own = await organization();
  const { team, organizationId, admin } = own;
  const person = (lastName: string, over: Parameters<typeof make.user>[0] = {}) =>
    make.user({ team, lastName, organizationId, ...over });
  const zoe = await person('Zander', { firstName: 'Zoe', role: 'viewer' });
  const abe = await person('Abbot', { firstName: 'Abe', role: 'clinician', title: '=Chief' });
  const ivy = await person('Ivers', { firstName: 'Ivy', passwordHash: null });
  await rows('update users set current_login_at = $2 where id = $1', [zoe.id, ago(5)]);
  await rows('update users set current_login_at = $2 where id = $1', [abe.id, ago(200)]);
  const report = (query: UserQuery = {}) => admin.call('GET /api/reports/users', { query });
  const names = async (query: UserQuery) => (await report(query)).users.map(({ firstName }) => firstName);
  return { ...own, zoe, abe, ivy, report, names };
}

const file = async (of: Awaited<ReturnType<typeof office>>, path: string) => {
  const answer = await of.admin.fetch(path);
  return {
    status: answer.status,
    lines: (await answer.text()).replace('\u{feff}', '').trimEnd().split('\r\n'),
    answer,
  };
};

test('the user report shows access, sign-ins, second factor and activity of each user', async () => {
  const { report, zoe, here, team } = await office();
  const zoeIn = await signIn(app, zoe.username);
  await zoeIn.call('POST /api/user-events', { body: opened('ping feed') });
  await rows('update users set mfa_opted_in = true where id = $1', [zoe.id]);
  const { users, total, numPages } = await report({ query: 'zander' });
  expect([total, numPages]).toEqual([1, 1]);
  expect(users).toEqual([
    expect.objectContaining({
      id: zoe.id,
      username: zoe.username,
      status: 'ACTIVE',
      teams: [team.name],
      groups: [here.name],
      roles: ['viewer'],
      secondFactor: 'CODE',
      lastActiveDate: clock.now().toISOString(),
      signIns: 1,
      organization: null,
    }),
  ]);
});

test('the user report is filtered by each of its filters, sorted by each of its columns, and paged', async () => {
  const { names, report, team, other, here, there, zoe } = await office();
  await rows('update users set mfa_opted_in = true where id = $1', [zoe.id]);
  expect(await names({ ofTeamId: team.id })).toHaveLength(4);
  expect(await names({ ofTeamId: other.id })).toEqual([]);
  expect(await names({ groupId: here.id, ofTeamId: team.id })).toHaveLength(4);
  expect(await names({ groupId: there.id })).toEqual([]);
  const viewer = await rows<{ id: string }>("select id from roles where organization_id is null and name = 'viewer'");
  expect(await names({ roleId: viewer[0]?.id ?? '' })).toEqual(['Zoe']);
  expect(await names({ status: 'INVITED' })).toEqual(['Ivy']);
  expect(await names({ secondFactor: 'CODE' })).toEqual(['Zoe']);
  expect(await names({ lastSignIn: 'never' })).toEqual(['Ivy']);
  const day = ago(5).toISOString().slice(0, 10);
  expect(await names({ lastSignIn: 'before', lastSignInDay: day })).toEqual(['Abe']);
  expect(await names({ lastSignIn: 'after', lastSignInDay: day })).toContain('Zoe');
  expect(await names({ query: 'Zander, Z' })).toEqual(['Zoe']);

  expect((await names({ sort: 'name' }))[0]).toBe('Abe');
  expect((await names({ sort: 'name', order: 'desc' }))[0]).toBe('Zoe');
  expect((await names({ sort: 'lastSignIn' }))[0]).toBe('Abe');
  expect((await names({ sort: 'signIns', order: 'desc' })).at(0)).not.toBe('Zoe');
  for (const sort of ['email', 'title', 'status', 'teams', 'groups', 'roles', 'secondFactor', 'created'] as const)
    expect(await names({ sort, order: 'desc' })).toHaveLength(4);
  // What is not known comes last either way.
  for (const order of ['asc', 'desc'] as const) {
    expect((await names({ sort: 'lastSignIn', order })).at(-1)).toBe('Ivy');
    expect((await names({ sort: 'activated', order })).at(-1)).toBe('Ivy');
  }
  const first = await report({ pageSize: 3 });
  const second = await report({ pageSize: 3, pageNumber: 2 });
  expect([first.total, first.numPages, first.users.length, second.users.length]).toEqual([4, 2, 3, 1]);
  expect(new Set([...first.users, ...second.users].map(({ id }) => id)).size).toBe(4);
});

test('the user report as a file has the same rows and order, and no formulas', async () => {
  const of = await office();
  const { status, lines, answer } = await file(of, `/api/reports/users.csv?teamId=${of.team.id}&sort=name`);
  expect([status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/^Name,Email,Title,Status,Teams/);
  expect(lines[1]).toContain(`"Abbot, Abe",${of.abe.username},'=Chief,`);
  expect(lines.at(-1)).toContain('Zander');
  const entries = await rows<{ action: string; detail: object }>(
    "select action, detail from audit_entries where user_id = $1 and action = 'report.export'",
    [of.adminId],
  );
  expect(entries).toHaveLength(1);
});

const opened = (currentLocation: string) =>
  ({
    name: 'page-viewed',
    timezone: 'America/Chicago',
    currentLocation,
    previousLocation: null,
    msElapsedSinceLastEvent: null,
    viewportResolution: '1280x720',
  }) as const;

test('the route audit report counts opened pages by page, team and user, and lists those that no one opened', async () => {
  const { admin, team, zoe, abe, other } = await office();
  for (const { username } of [zoe, zoe, abe]) {
    const client = await signIn(app, username);
    await client.call('POST /api/user-events', { body: opened('ping feed') });
    await client.call('POST /api/user-events', { body: opened('patient story') });
  }
  const report = (query: RouteInput<'GET /api/reports/route-audit'>['query']) =>
    admin.call('GET /api/reports/route-audit', { query: { pageSize: 100, ...query } });
  const { pages, teams, locations } = await report({});
  expect(teams.map(({ id }) => id).sort()).toEqual([team.id, other.id].sort());
  expect(pages.map(({ page }) => page).sort()).toEqual([...locations].sort());
  expect(pages.slice(0, 2)).toMatchObject([
    { page: 'patient story', users: 2, uses: 3, team: null, user: null, lastUsedDate: clock.now().toISOString() },
    { page: 'ping feed', users: 2, uses: 3 },
  ]);
  expect(pages.at(-1)).toMatchObject({ users: 0, uses: 0, lastUsedDate: null });
  expect((await report({ use: 'unused' })).total).toBe(locations.length - 2);
  const named = await report({ use: 'unused', sort: 'page', order: 'asc' });
  expect(named.pages.map(({ page }) => page)).toEqual(
    expect.arrayContaining(['admin', 'feeds', 'rosters', 'exports', 'whats new', 'analytics alert-load']),
  );
  // By the names that the navigation has: Admin first, What’s new last.
  expect([named.pages[0]?.page, named.pages.at(-1)?.page]).toEqual(['admin', 'user profile']);

  await (await signIn(app, zoe.username)).call('POST /api/user-events', { body: opened('analytics alert-load') });
  await (await signIn(app, zoe.username)).call('POST /api/user-events', { body: opened('analytics bogus') });
  const spotlights = await report({ page: 'analytics', use: 'used' });
  expect(spotlights.pages).toMatchObject([{ page: 'analytics alert-load', uses: 1 }]);
  await rows("delete from page_uses where location like 'analytics %'");

  const byUser = await report({ by: 'user', use: 'used', sort: 'user', order: 'asc', page: 'ping feed' });
  expect(byUser.pages.map(({ user, team: of, uses }) => [user?.name, of?.name, uses])).toEqual([
    ['Abbot, Abe', team.name, 1],
    ['Zander, Zoe', team.name, 2],
  ]);
  expect(await report({ by: 'team', use: 'used', ofTeamId: other.id })).toMatchObject({ pages: [], total: 0 });
  expect((await report({ query: 'zander', use: 'used' })).pages).toMatchObject([{ uses: 2 }, { uses: 2 }]);
  // A page of an earlier version, and one of a team that is not the user's.
  await rows("update page_uses set location = 'gone' where location = 'ping feed'");
  expect((await report({ use: 'used' })).pages.map(({ page }) => page)).toEqual(['patient story']);
  await rows('update page_uses set day = day - 40');
  expect((await report({ use: 'used' })).total).toBe(0);
  expect((await report({ use: 'used', days: 90 })).total).toBe(1);
});

test('a team that is not the user’s is not recorded', async () => {
  const { team, admin, zoe } = await office();
  const stranger = await organization();
  const client = await signIn(app, zoe.username);
  client.teamId = stranger.team.id;
  await client.call('POST /api/user-events', { body: opened('ping feed') });
  const { pages } = await admin.call('GET /api/reports/route-audit', { query: { by: 'user', use: 'used' } });
  expect(pages).toMatchObject([{ user: { name: 'Zander, Zoe' }, team: null }]);
  expect(team.id).not.toBe(stranger.team.id);
});

test('the access review says what was used, by what it is known, and what is dormant', async () => {
  const { admin, zoe, abe, ivy, team } = await office();
  const review = (query: AccessQuery = {}) => admin.call('GET /api/reports/access-review', { query });
  const of = async (name: string) => (await review({ query: name })).accesses[0];
  const client = await signIn(app, zoe.username);
  await client.call('POST /api/user-events', { body: opened('ping feed') });
  clock.advance(60_000);
  await client.call('POST /api/patients/search', { body: {} });
  const used = await of('zander');
  const permission = (flag: string) => used?.permissions.find((each) => each.flag === flag);
  expect(permission('canViewPatients')).toMatchObject({ lastUsedDate: clock.now().toISOString(), source: 'CALL' });
  expect(permission('canViewPings')).toMatchObject({ source: 'PAGE', isRecorded: true });
  expect(permission('canViewLengthOfStay')).toMatchObject({ lastUsedDate: null, source: null, isRecorded: true });
  expect(permission('canViewHospitalProduct')).toMatchObject({ isRecorded: false, lastUsedDate: null });
  expect(used).toMatchObject({
    id: `${zoe.id}_${team.id}_${team.groupIds[0]}`,
    lastUsedDate: clock.now().toISOString(),
    neverUsed: 2,
    dormant: [],
  });
  // Abe signed in 200 days ago; his account is younger than 90 days, so its permissions are not judged yet.
  expect((await of('abbot'))?.dormant).toEqual(['NO_SIGN_IN']);
  expect((await of('ivers'))?.dormant).toEqual([]);
  await rows('update users set created_at = $2, activated_at = $2 where id = any ($1)', [[abe.id, zoe.id], ago(300)]);
  // That an account was activated lately is no use of it.
  await rows('update users set created_at = $2, activated_at = $3 where id = $1', [ivy.id, ago(91), clock.now()]);
  expect((await of('abbot'))?.dormant).toEqual(['NO_SIGN_IN', 'NEVER_USED']);
  expect((await of('ivers'))?.dormant).toEqual(['NO_SIGN_IN', 'NEVER_USED']);
  const dormant = await review({ dormant: 'true', sort: 'name' });
  expect(dormant.accesses.map(({ user }) => user.firstName)).toEqual(['Abe', 'Ivy']);
  expect(dormant.total).toBe(2);
});

test('the access review is filtered and sorted, and its file says each permission in words', async () => {
  const of = await office();
  const { admin, team, here } = of;
  const review = (query: AccessQuery = {}) => admin.call('GET /api/reports/access-review', { query });
  const names = async (query: AccessQuery) => (await review(query)).accesses.map(({ user }) => user.firstName);
  expect(await names({ permission: 'canUploadRoster' })).toHaveLength(1);
  expect(await names({ permission: 'canViewCcds', sort: 'name' })).toEqual(['Abe', 'Ivy', 'Ama']);
  expect(await names({ status: 'INVITED', ofTeamId: team.id, groupId: here.id })).toEqual(['Ivy']);
  expect((await names({ sort: 'permissions', order: 'desc' }))[0]).toBe('Ama');
  for (const sort of [
    'email',
    'status',
    'team',
    'group',
    'role',
    'lastSignIn',
    'lastUsed',
    'neverUsed',
    'dormant',
  ] as const)
    expect(await names({ sort })).toHaveLength(4);
  expect(await review({ pageNumber: 2, pageSize: 3 })).toMatchObject({ total: 4, numPages: 2, accesses: [{}] });
  const { lines } = await file(of, `/api/reports/access-review.csv?teamId=${team.id}&query=zander`);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('view the ping inbox (never)');
  expect(lines[1]).toContain('use the hospital product (use not recorded)');
});

test('no report shows another organization’s users, and each needs its permission', async () => {
  const here = await office();
  const there = await office();
  const stranger = await signIn(app, there.zoe.username);
  await stranger.call('POST /api/user-events', { body: opened('ping feed') });
  const every = { pageSize: 100 };
  const own = new Set((await here.report(every)).users.map(({ id }) => id));
  expect(own).toEqual(new Set([here.zoe.id, here.abe.id, here.ivy.id, here.adminId]));
  const reviewed = await here.admin.call('GET /api/reports/access-review', { query: every });
  expect(new Set(reviewed.accesses.map(({ user }) => user.id))).toEqual(own);
  const pages = await here.admin.call('GET /api/reports/route-audit', { query: { by: 'user', ...every } });
  expect(pages.pages.filter(({ user }) => user !== null)).toEqual([]);
  expect((await here.report({ ofTeamId: there.team.id })).total).toBe(0);

  const auditor = await make.user({
    team: here.team,
    role: 'viewer',
    added: ['canViewRouteAuditReport'],
    lastName: 'Auditor',
  });
  const reader = await signIn(app, auditor.username);
  expect((await reader.call('GET /api/reports/route-audit', { query: {} })).locations).toContain('ping feed');
  expect(await refusal(reader.call('GET /api/reports/users', { query: {} }))).toBe('NOT_PERMITTED');
  expect(await refusal(reader.call('GET /api/reports/access-review', { query: {} }))).toBe('NOT_PERMITTED');
  expect(await refusal(stranger.call('GET /api/reports/route-audit', { query: {} }))).toBe('NOT_PERMITTED');
});

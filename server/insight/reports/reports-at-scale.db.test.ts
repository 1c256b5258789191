/** The reports for 3,000 users, 400 groups and 60 teams: every page together has what plain loops over the same data say. */
import { beforeAll, expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { STANDARD_ROLES, type StandardRole } from '#contract/permissions.ts';
import type { RouteInput } from '#contract/routes.ts';
import { administration } from '#server/testing/administration.ts';
import { startApp } from '#server/testing/app.ts';

const app = await startApp();
const { clock } = app;
const { rows, organization } = administration(app);
const { organizationId, admin, roleId } = await organization().then(async (own) => ({
  ...own,
  roleId: administration(app).roleId,
}));
const DAY = 24 * 60 * 60_000;
const ROLES = ['viewer', 'clinician', 'care coordinator', 'analyst'] as const satisfies StandardRole[];
const SIGNS = ['ping feed', 'length of stay', 'POST /api/events/search', 'GET /api/tags'] as const;
const SHOWS: Record<(typeof SIGNS)[number], Permission> = {
  'ping feed': 'canViewPings',
  'length of stay': 'canViewLengthOfStay',
  'POST /api/events/search': 'canViewEventFeed',
  'GET /api/tags': 'canViewPatientTags',
};

interface Person {
  id: string;
  /** Days since the last sign-in; null for never. */
  signedIn: number | null;
  teams: number[];
  role: (typeof ROLES)[number];
  used: (typeof SIGNS)[number][];
  opened: number;
}
let people: Person[] = [];
let teams: { id: string; groupIds: string[] }[] = [];

/** Repeatable numbers below `most`. */
const spread = (of: number, by: number, most: number): number => (of * by + ((of * of) % 97)) % most;

const insertIds = async (text: string, values: unknown[]): Promise<string[]> =>
  (await rows<{ id: string }>(text, values)).map(({ id }) => id);

beforeAll(async () => {
  const at = clock.now();
  const groupIds = await insertIds(
    `insert into groups (organization_id, name, type, time_zone, created_at)
     select $1, 'Site ' || n, 'PROGRAM', 'America/New_York', $2 from generate_series(1, 400) n returning id`,
    [organizationId, at],
  );
  const teamIds = await insertIds(
    `insert into teams (organization_id, name, abbreviation, type, created_at)
     select $1, 'Desk ' || n, 'T', 'PROGRAM', $2 from generate_series(1, 60) n returning id`,
    [organizationId, at],
  );
  teams = teamIds.map((id, n) => ({
    id,
    groupIds: groupIds.filter((_, at) => at % 60 === n || at % 60 === (n + 7) % 60),
  }));
  const places = teams.flatMap(({ id, groupIds: of }) => of.map((groupId) => [id, groupId] as const));
  await rows('insert into team_groups (team_id, group_id) select * from unnest($1::bigint[], $2::bigint[])', [
    places.map(([team]) => team),
    places.map(([, group]) => group),
  ]);
  const numbers = Array.from({ length: 3000 }, (_, n) => n);
  const signedIn = numbers.map((n) => (n % 11 === 0 ? null : spread(n, 13, 200)));
  const ids = await insertIds(
    `insert into users (organization_id, username, first_name, last_name, application_experience, created_at, activated_at, current_login_at)
     select $1, 'person' || n || '@scale.example', 'Person', 'No ' || lpad(n::text, 4, '0'), 'JANUS', $2, $2, $3::timestamptz - make_interval(days => d)
     from unnest($4::int[], $5::int[]) as t (n, d) order by n returning id`,
    [organizationId, new Date(at.getTime() - 400 * DAY), at, numbers, signedIn],
  );
  people = ids.map((id, n) => ({
    id,
    signedIn: signedIn[n] ?? null,
    teams: [...new Set([n % 60, spread(n, 7, 60)])],
    role: ROLES[n % ROLES.length] ?? 'viewer',
    used: n % 5 === 0 ? [] : SIGNS.filter((_, at) => spread(n, at + 3, 4) === 0),
    opened: spread(n, 5, 9),
  }));
  await grantAll();
  await useAll();
}, 120_000);

async function grantAll(): Promise<void> {
  const roleIds = Object.fromEntries(await Promise.all(ROLES.map(async (role) => [role, await roleId(role)] as const)));
  const grants = people.flatMap(({ id, teams: of, role }) =>
    of.flatMap((n) => (teams[n]?.groupIds ?? []).map((groupId) => [id, teams[n]?.id, groupId, roleIds[role]])),
  );
  await rows(
    `insert into grants (user_id, team_id, group_id, role_id)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])`,
    [0, 1, 2, 3].map((at) => grants.map((each) => each[at])),
  );
}

async function useAll(): Promise<void> {
  const day = clock.now().toISOString().slice(0, 10);
  const uses = people.flatMap((person) => person.used.map((sign) => [person.id, firstTeam(person), sign]));
  await rows(
    `insert into right_uses (user_id, organization_id, team_id, sign, last_at)
     select u, $1, t, s, $2 from unnest($3::bigint[], $4::bigint[], $5::text[]) as x (u, t, s)`,
    [organizationId, clock.now(), ...[0, 1, 2].map((at) => uses.map((each) => each[at]))],
  );
  const opened = people.filter((person) => person.opened > 0);
  await rows(
    `insert into page_uses (user_id, organization_id, team_id, location, day, uses, last_at)
     select u, $1, t, 'ping feed', $2, n, $3 from unnest($4::bigint[], $5::bigint[], $6::int[]) as x (u, t, n)`,
    [
      organizationId,
      day,
      clock.now(),
      opened.map(({ id }) => id),
      opened.map(firstTeam),
      opened.map((person) => person.opened),
    ],
  );
}

const firstTeam = (person: Person): string => teams[person.teams[0] ?? 0]?.id ?? '';
const teamIdsOf = (person: Person): string[] => person.teams.flatMap((n) => teams[n]?.id ?? []);

/** The rows of a person: one for each team and group. */
const accessesOf = (person: Person) =>
  person.teams.flatMap((n) => (teams[n]?.groupIds ?? []).map((groupId) => ({ person, teamId: teams[n]?.id, groupId })));

const isDormant = ({ person, teamId }: ReturnType<typeof accessesOf>[number]): boolean => {
  const flags: readonly Permission[] = STANDARD_ROLES[person.role];
  const usedAny = teamId === firstTeam(person) && person.used.some((sign) => flags.includes(SHOWS[sign]));
  return (person.signedIn ?? 400) >= 90 || !usedAny;
};

const QUERY = { query: 'scale.example' };

test('every user is on one page, in order, with all teams and groups', async () => {
  const seen = [];
  for (let pageNumber = 1; pageNumber <= 30; pageNumber++) {
    const query = { ...QUERY, pageNumber, pageSize: 100, sort: 'lastSignIn', order: 'desc' } as const;
    const { users, total } = await admin.call('GET /api/reports/users', { query });
    expect(total).toBe(3000);
    seen.push(...users);
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(3000);
  const byId = new Map(people.map((person) => [person.id, person]));
  for (const { id, teams: named, groups, lastSignInDate } of seen) {
    const person = byId.get(id) as Person;
    const groupIds = new Set(accessesOf(person).map(({ groupId }) => groupId));
    expect([id, named.length, groups.length]).toEqual([id, person.teams.length, groupIds.size]);
    expect(lastSignInDate === null).toBe(person.signedIn === null);
  }
  const dates = seen.map(({ lastSignInDate }) => lastSignInDate ?? '');
  expect(dates).toEqual([...dates].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
});

test('filters find as many users as there are', async () => {
  const total = async (query: RouteInput<'GET /api/reports/users'>['query']) =>
    (await admin.call('GET /api/reports/users', { query: { ...QUERY, ...query } })).total;
  const ofTeamId = teams[3]?.id ?? '';
  const members = people.filter((person) => teamIdsOf(person).includes(ofTeamId));
  expect(await total({ ofTeamId })).toBe(members.length);
  expect(await total({ ofTeamId, roleId: await roleId('clinician') })).toBe(
    members.filter(({ role }) => role === 'clinician').length,
  );
  expect(await total({ lastSignIn: 'never' })).toBe(people.filter(({ signedIn }) => signedIn === null).length);
});

test('the access review finds exactly the dormant access', async () => {
  const all = people.flatMap(accessesOf);
  const review = (query: RouteInput<'GET /api/reports/access-review'>['query']) =>
    admin.call('GET /api/reports/access-review', { query: { ...QUERY, ...query } });
  expect((await review({})).total).toBe(all.length);
  const dormant = all.filter(isDormant);
  expect(dormant.length).toBeGreaterThan(1000);
  expect((await review({ dormant: 'true' })).total).toBe(dormant.length);
  const query = new URLSearchParams({ ...QUERY, teamId: admin.teamId ?? '', dormant: 'true' });
  const file = await admin.fetch(`/api/reports/access-review.csv?${query.toString()}`);
  const lines = (await file.text()).trimEnd().split('\r\n').slice(1);
  expect(lines).toHaveLength(dormant.length);
  expect(new Set(lines).size).toBe(dormant.length);
  expect(lines.slice(1).every((line, at) => line.slice(0, 18) >= (lines[at] ?? '').slice(0, 18))).toBe(true);
});

test('page use adds up, by page, by team and by user', async () => {
  const report = (query: RouteInput<'GET /api/reports/route-audit'>['query']) =>
    admin.call('GET /api/reports/route-audit', { query: { use: 'used', pageSize: 100, page: 'ping feed', ...query } });
  const opened = people.filter((person) => person.opened > 0);
  const uses = opened.reduce((sum, person) => sum + person.opened, 0);
  expect((await report({})).pages).toMatchObject([{ users: opened.length, uses }]);
  const byTeam = await report({ by: 'team' });
  expect(byTeam.total).toBe(60);
  expect(byTeam.pages.reduce((sum, page) => sum + page.uses, 0)).toBe(uses);
  expect((await report({ by: 'user' })).total).toBe(opened.length);
});

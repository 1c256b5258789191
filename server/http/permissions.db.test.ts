/**
 * Every route of the contract's table, called by every standard role, for the own team, another's team and none, and by nobody.
 * What has to come out is derived from the contract alone; behind the gate anything may come, but no refusal of the gate.
 */
import { describe, expect, test } from 'vitest';
import { TEAM_HEADER } from '#contract/constants.ts';
import type { ErrorBody, ErrorKey } from '#contract/errors.ts';
import { type Permission, STANDARD_ROLES, type StandardRole } from '#contract/permissions.ts';
import { type RouteKey, routes } from '#contract/routes.ts';
import { createSession } from '#server/accounts/sessions.ts';
import { startApp } from '#server/testing/app.ts';
import { request } from '#server/testing/client.ts';

const app = await startApp();
const { make, database, clock } = app;
const ROLES = Object.keys(STANDARD_ROLES) as StandardRole[];
const TEAMS = ['own', 'foreign', 'missing', 'malformed', 'none'] as const;
type TeamCase = (typeof TEAMS)[number];

const REFUSALS: readonly ErrorKey[] = [
  'NOT_SIGNED_IN',
  'TEAM_REQUIRED',
  'NOT_YOUR_TEAM',
  'NOT_PERMITTED',
  'FOREIGN_ORIGIN',
];

const own = await make.team();
const foreign = await make.team();
const members = new Map(
  await Promise.all(ROLES.map(async (role) => [role, await make.user({ team: own, role })] as const)),
);
/** Somebody of the other team who may do everything there. */
await make.user({ team: foreign, role: 'administrator' });

/** What the contract says of a call: which refusal, or null where the gate has to let it pass. */
function expected(key: RouteKey, role: StandardRole | null, team: TeamCase): ErrorKey | null {
  const { permission } = routes[key];
  if (permission === 'public') return null;
  if (role === null) return 'NOT_SIGNED_IN';
  if (permission === 'signed-in') return null;
  if (team === 'none' || team === 'malformed') return 'TEAM_REQUIRED';
  if (team !== 'own') return 'NOT_YOUR_TEAM';
  return (STANDARD_ROLES[role] as readonly Permission[]).includes(permission) ? null : 'NOT_PERMITTED';
}

const TEAM_IDS: Record<TeamCase, string | undefined> = {
  own: own.id,
  foreign: foreign.id,
  missing: '9223372036854775807',
  malformed: `${own.id} or 1=1`,
  none: undefined,
};

/** Any values for the path: whether the rows are there is not the gate's matter. */
const PARAMS = { id: '1_0', groupId: '1', jobId: '1', kind: 'open' };

const takesTeamInQuery = (key: RouteKey): boolean => {
  const { kind } = routes[key] as { kind?: string };
  return kind === 'stream' || kind === 'download';
};

async function refusalOf(key: RouteKey, token: string | null, teamId: string | undefined, inQuery: boolean) {
  const [path, init] = request(key, { params: PARAMS, query: inQuery ? { teamId } : {}, body: {} });
  const headers = new Headers(init.headers);
  if (token !== null) headers.set('cookie', `tidings_session=${token}`);
  if (teamId !== undefined && !inQuery) headers.set(TEAM_HEADER, teamId);
  const response = await fetch(app.url + path, { ...init, headers });
  // A stream that is let in does not end; its head is all that matters here.
  if (response.ok) await response.body?.cancel();
  const body = response.ok ? null : ((await response.json()) as ErrorBody);
  expect(body === null || body.status === response.status).toBe(true);
  return body !== null && REFUSALS.includes(body.errorKey) ? body.errorKey : null;
}

describe.each(Object.keys(routes) as RouteKey[])('%s', (key) => {
  const inQuery = takesTeamInQuery(key);

  test('is refused to nobody in particular as the contract says', async () => {
    for (const team of TEAMS) {
      for (const token of [null, 'A'.repeat(43), 'x']) {
        expect([team, await refusalOf(key, token, TEAM_IDS[team], inQuery)]).toEqual([team, expected(key, null, team)]);
      }
    }
  });

  test.each(ROLES)('lets pass and refuses the role %s as the contract says', async (role) => {
    for (const team of TEAMS) {
      const token = await createSession(database.app, members.get(role)?.id ?? '', clock.now());
      expect([team, await refusalOf(key, token, TEAM_IDS[team], inQuery)]).toEqual([team, expected(key, role, team)]);
    }
  });

  test('takes the team from its one place only', async () => {
    const token = await createSession(database.app, members.get('administrator')?.id ?? '', clock.now());
    const elsewhere = await refusalOf(key, token, own.id, !inQuery);
    expect(elsewhere).toBe(expected(key, 'administrator', 'none'));
  });
});

test('no route but those of the accounts is open without a flag', () => {
  const open = (Object.keys(routes) as RouteKey[]).filter((key) => /^(public|signed-in)$/.test(routes[key].permission));
  expect(open).toEqual([
    'POST /api/authenticate',
    'POST /api/logout',
    'GET /api/me',
    'PUT /api/users/default-team',
    'GET /api/application-info',
  ]);
});

test('every flag that a route asks for is held by one standard role and not by another', () => {
  const flags = new Set(Object.values(routes).map(({ permission }) => permission));
  for (const flag of flags) {
    if (flag === 'public' || flag === 'signed-in') continue;
    const holders = ROLES.filter((role) => (STANDARD_ROLES[role] as readonly Permission[]).includes(flag));
    expect([flag, holders.length]).not.toEqual([flag, 0]);
  }
});

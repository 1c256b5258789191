/**
 * Every route of the contract's table, called by every standard role, for the own team, another's team and none, and by nobody.
 * What has to come out is derived from the contract alone; behind the gate anything may come, but no refusal of the gate.
 */
import { describe, expect, test } from 'vitest';
import { TEAM_HEADER } from '#contract/constants.ts';
import type { ErrorBody, ErrorKey } from '#contract/errors.ts';
import {
  type Permission,
  type RoutePermission,
  routeFlags,
  STANDARD_ROLES,
  type StandardRole,
} from '#contract/permissions.ts';
import { type RouteKey, routes } from '#contract/routes.ts';
import { createSession } from '#server/people/accounts/sessions/sessions.ts';
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
  const permission: RoutePermission = routes[key].permission;
  if (permission === 'public') return null;
  if (role === null) return 'NOT_SIGNED_IN';
  if (permission === 'signed-in') return null;
  if (team === 'none' || team === 'malformed') return 'TEAM_REQUIRED';
  if (team !== 'own') return 'NOT_YOUR_TEAM';
  if (permission === 'in-team') return null;
  const held: readonly Permission[] = STANDARD_ROLES[role];
  return routeFlags(permission).some((flag) => held.includes(flag)) ? null : 'NOT_PERMITTED';
}

const TEAM_IDS: Record<TeamCase, string | undefined> = {
  own: own.id,
  foreign: foreign.id,
  missing: '9223372036854775807',
  malformed: `${own.id} or 1=1`,
  none: undefined,
};

/** Any values for the path: whether the rows are there is not the gate's matter. */
const PARAMS = { id: '1_0', groupId: '1', jobId: '1', kind: 'open', token: 'x', connection: '1' };

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

/** Written out, so that no route becomes open by a slip in the contract. */
const PUBLIC: RouteKey[] = [
  'POST /api/authenticate',
  'GET /api/application-info',
  'POST /api/authenticate/mfa',
  'POST /api/authenticate/passkey/options',
  'POST /api/authenticate/passkey',
  'POST /api/users/redirectUrl',
  'GET /api/sso/oidc/:connection/start',
  'GET /api/sso/oidc/:connection/callback',
  'GET /api/sso/saml/:connection/start',
  'POST /api/sso/saml/:connection/callback',
  'GET /api/sso/saml/:connection/metadata',
  'GET /api/ehr/launch',
  'GET /api/ehr/callback',
  'GET /api/password/forgot',
  'GET /api/users/tokens/:token',
  'POST /api/password/set',
  'POST /api/registrations',
  'GET /api/registrations/groups',
  'POST /api/users/admin-email',
  'POST /api/user-events/public',
  'POST /api/client-errors',
  'GET /api/demo/mailbox',
];
const SIGNED_IN: RouteKey[] = [
  'POST /api/logout',
  'GET /api/me',
  'PUT /api/users/default-team',
  'PUT /api/users/password',
  'GET /api/users/profile',
  'PUT /api/users/preferences',
  'POST /api/users/optIntoMfa',
  'POST /api/users/mfa/confirm',
  'DELETE /api/users/mfa',
  'POST /api/users/passkeys/options',
  'POST /api/users/passkeys',
  'DELETE /api/users/passkeys/:id',
  'DELETE /api/users/sessions/:id',
  'POST /api/session/activity',
  'POST /api/users/notification-phone',
  'POST /api/users/notification-phone/verify',
  'GET /api/resources/primary-clinical-settings',
  'PUT /api/users/primary-clinical-setting',
  'GET /api/alpha/opt-out',
  'POST /api/alpha/opt-out',
  'POST /api/user-events',
  'GET /api/export/recent-export-jobs',
];

/** What is the user's own. */
const IN_TEAM: RouteKey[] = [
  'GET /api/live',
  'GET /api/patient-search-params',
  'POST /api/patient-search-params',
  'PUT /api/patient-search-params/:id',
  'DELETE /api/patient-search-params/:id',
  'GET /api/patient-search-params/uses',
  'POST /api/patient-search-params/:id/uses',
  'GET /api/patient-search-params/preferences',
  'POST /api/patient-search-params/preferences',
  'DELETE /api/patient-search-params/preferences',
];

test('no route is open to anybody, to anybody signed in, or to a whole team, but these', () => {
  const openTo = (permission: string) =>
    (Object.keys(routes) as RouteKey[]).filter((key) => routes[key].permission === permission);
  expect(openTo('public').sort()).toEqual([...PUBLIC].sort());
  expect(openTo('signed-in').sort()).toEqual([...SIGNED_IN].sort());
  expect(openTo('in-team').sort()).toEqual([...IN_TEAM].sort());
});

test('every flag that a route asks for is held by one standard role and not by another', () => {
  const flags = new Set(Object.values(routes).flatMap(({ permission }) => routeFlags(permission)));
  for (const flag of flags) {
    const holders = ROLES.filter((role) => (STANDARD_ROLES[role] as readonly Permission[]).includes(flag));
    expect([flag, holders.length]).not.toEqual([flag, 0]);
  }
});

/**
 * Calls every route of the contract's table as every standard role for the user's own team, as the role with every permission for another
 * team, a missing one and none, and without a session for each. The expected refusal follows from the contract alone. A call that passes the gate may fail later, but not with a refusal of the gate.
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
/** The other team has a member with every permission, so its data could leak. */
await make.user({ team: foreign, role: 'administrator' });

/** The refusal that the contract demands for a call; null if the gate has to let it pass. */
/** Open to the gate: each asks for a proof of its own, which these calls don't have. */
const OWN_PROOF: Partial<Record<RouteKey, ErrorKey>> = {
  'POST /api/documents': 'NOT_SIGNED_IN',
  'POST /api/text-messages/twilio': 'NOT_PERMITTED',
};

function expected(key: RouteKey, role: StandardRole | null, team: TeamCase): ErrorKey | null {
  if (OWN_PROOF[key]) return OWN_PROOF[key];
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

/** Any ids will do: the gate does not check whether the rows exist. */
const PARAMS = {
  id: '1_0',
  groupId: '1',
  jobId: '1',
  recordId: '1',
  instructionId: '1',
  consentId: '1',
  kind: 'open',
  token: 'x',
  connection: '1',
};

const kindOf = (key: RouteKey): string | undefined => (routes[key] as { kind?: string }).kind;

async function refusalOf(key: RouteKey, token: string | null, teamId: string | undefined, inQuery: boolean) {
  const [path, init] = request(key, { params: PARAMS, query: inQuery ? { teamId } : {}, body: {} });
  const headers = new Headers(init.headers);
  if (token !== null) headers.set('cookie', `tidings_session=${token}`);
  if (teamId !== undefined && !inQuery) headers.set(TEAM_HEADER, teamId);
  const response = await fetch(app.url + path, { ...init, headers });
  // A stream that passes the gate does not end by itself.
  if (response.ok) await response.body?.cancel();
  const body = response.ok ? null : ((await response.json()) as ErrorBody);
  // SCIM writes it as a text, and FHIR not at all.
  expect(body === null || Number(body.status ?? response.status) === response.status).toBe(true);
  return body !== null && REFUSALS.includes(body.errorKey) ? body.errorKey : null;
}

describe.each(Object.keys(routes) as RouteKey[])('%s', (key) => {
  const isDownload = kindOf(key) === 'download';
  const inQuery = isDownload || kindOf(key) === 'stream';

  test('without a session is refused as the contract says', async () => {
    for (const team of TEAMS) {
      for (const token of team === 'own' ? [null, 'A'.repeat(43), 'x'] : [null]) {
        expect([team, await refusalOf(key, token, TEAM_IDS[team], inQuery)]).toEqual([team, expected(key, null, team)]);
      }
    }
  });

  test.each(ROLES)('as %s passes or is refused as the contract says', async (role) => {
    let token: string | null = null;
    // Who may do everything on their own team would be the first to do something on another.
    for (const team of role === 'administrator' ? TEAMS : (['own'] as const)) {
      token ??= await createSession(database.pipeline, members.get(role)?.id ?? '', clock.now());
      const refusal = await refusalOf(key, token, TEAM_IDS[team], inQuery);
      expect([team, refusal]).toEqual([team, expected(key, role, team)]);
      // A call that passes may end its session.
      if (refusal === null) token = null;
    }
  });

  test('reads the team from the query of a stream, the header of a call, and either of a download', async () => {
    const token = await createSession(database.pipeline, members.get('administrator')?.id ?? '', clock.now());
    const elsewhere = await refusalOf(key, token, own.id, !inQuery);
    expect(elsewhere).toBe(expected(key, 'administrator', isDownload ? 'own' : 'none'));
  });
});

test('a download with two teams has none', async () => {
  const token = await createSession(database.pipeline, members.get('administrator')?.id ?? '', clock.now());
  const download = (teamId: string) =>
    fetch(`${app.url}/api/reports/users.csv?teamId=${teamId}`, {
      headers: { cookie: `tidings_session=${token}`, [TEAM_HEADER]: own.id },
    });
  expect((await download(own.id)).status).toBe(200);
  expect(await (await download(foreign.id)).json()).toMatchObject({ errorKey: 'TEAM_REQUIRED' });
});

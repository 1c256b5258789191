import type { FastifyRequest } from 'fastify';
import { BACKGROUND_HEADER, TEAM_HEADER } from '#contract/constants.ts';
import { routeFlags } from '#contract/permissions.ts';
import { id, patientId } from '#contract/primitives.ts';
import type { Route } from '#contract/routes.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { Turns } from '#server/platform/database/turns.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { senderAddress } from '#server/platform/network/sender-address.ts';
import { type Actor, loadActor } from './actor.ts';
import type { Sessions, SessionUser } from './session-user.ts';

export interface Caller {
  user?: SessionUser;
  actor?: Actor;
}

export interface GateDeps {
  db: Queryable;
  sessions: Sessions;
  /** Name of the session cookie (`sessionCookieName`). */
  sessionCookie: string;
  /** Turns of addresses to look a session up: with a cookie of no session, anyone can ask for that. */
  lookUps: Turns;
}

/** A look-up takes a millisecond, so that thousands of users can share an address. */
export const sessionLookUps = (): Turns => new Turns({ most: 4, waiting: 200, patience: 5000 });

/** The fields of a route in the contract's table that decide who may call it. */
export type GuardedRoute = Pick<Route, 'permission' | 'kind' | 'withOldPassword' | 'withoutFactor' | 'fresh'>;

/**
 * Sets the caller of a request, or throws before its body is read. In this order: NOT_SIGNED_IN, or
 * TOO_MANY_REQUESTS if too many calls of the address wait to be recognized; what `recognized` throws;
 * PASSWORD_CHANGE_REQUIRED; SECOND_FACTOR_REQUIRED; REAUTHENTICATION_REQUIRED if the route is `fresh` and the session is not; TEAM_REQUIRED if
 * no team id, or a malformed one, is sent; NOT_YOUR_TEAM, which also covers teams that do not exist; NOT_PERMITTED if the user holds none of
 * the route's flags for any group of the team. A refused request keeps the caller as far as known, for the audit log.
 *
 * @param recognized Runs once the user is known, before anything costly.
 */
export async function passGate(
  deps: GateDeps,
  request: FastifyRequest,
  route: GuardedRoute,
  recognized: (user: SessionUser) => Promise<void>,
): Promise<void> {
  if (route.permission === 'public') return;
  const user = await findUser(deps, request, route.kind !== 'stream' && request.headers[BACKGROUND_HEADER] !== '1');
  request.caller = { user };
  await recognized(user);
  if (user.mustChangePassword) {
    if (route.withOldPassword !== true) throw new ApiError('PASSWORD_CHANGE_REQUIRED');
  } else if (user.mustEnroll && route.withoutFactor !== true) throw new ApiError('SECOND_FACTOR_REQUIRED');
  if (route.fresh === true && !user.isFresh) throw new ApiError('REAUTHENTICATION_REQUIRED');
  if (route.permission === 'signed-in') return;
  const teamId = teamIdOf(request, route.kind);
  const about = patientId.safeParse((request.params as Record<string, unknown>)['id']);
  const actor = await loadActor(deps.db, user.userId, teamId, about.success ? user.at : null);
  if (actor === null) throw new ApiError('NOT_YOUR_TEAM');
  request.caller = { user, actor };
  const flags = routeFlags(route.permission);
  if (flags.length > 0 && !flags.some((flag) => actor.can(flag))) throw new ApiError('NOT_PERMITTED');
}

async function findUser(
  { sessions, sessionCookie, lookUps }: GateDeps,
  request: FastifyRequest,
  active: boolean,
): Promise<SessionUser> {
  const token = request.cookies[sessionCookie];
  if (!token) throw new ApiError('NOT_SIGNED_IN');
  const end = await lookUps.take(senderAddress(request.ip));
  if (end === null) throw new ApiError('TOO_MANY_REQUESTS');
  const user = await sessions.find(token, active).finally(end);
  if (user === null) throw new ApiError('NOT_SIGNED_IN');
  return user;
}

/**
 * A stream names the team in the query, a download there or in the header, and every other call in the header. A header or key that is empty or sent twice is
 * ignored, and two that differ name none.
 */
function teamIdOf(request: FastifyRequest, kind: GuardedRoute['kind']): string {
  const inQuery = (request.query as Record<string, unknown>)['teamId'];
  const inHeader = request.headers[TEAM_HEADER];
  const places = kind === 'stream' ? [inQuery] : kind === 'download' ? [inQuery, inHeader] : [inHeader];
  const [sent, other = sent] = places.filter((each) => each !== undefined && each !== '');
  const parsed = id.safeParse(sent === other ? sent : undefined);
  if (!parsed.success) throw new ApiError('TEAM_REQUIRED');
  return parsed.data;
}

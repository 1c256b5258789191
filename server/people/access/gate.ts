import type { FastifyRequest } from 'fastify';
import { BACKGROUND_HEADER, TEAM_HEADER } from '#contract/constants.ts';
import { type RoutePermission, routeFlags } from '#contract/permissions.ts';
import { id } from '#contract/primitives.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { type Actor, loadActor } from './actor.ts';
import type { Sessions, SessionUser } from './session-user.ts';

export interface Caller {
  user?: SessionUser;
  actor?: Actor;
}

export interface GateDeps {
  db: Queryable;
  sessions: Sessions;
  /** `sessionCookieName()`. */
  sessionCookie: string;
}

/** What the gate goes by: a row of the contract's table. */
export interface Guarded {
  permission: RoutePermission;
  kind?: 'stream' | 'download' | 'multipart' | 'form' | undefined;
  withOldPassword?: true | undefined;
}

/**
 * Lets a call of a route pass or throws, before its body is read. In this order: NOT_SIGNED_IN; PASSWORD_CHANGE_REQUIRED; TEAM_REQUIRED where no team, or
 * none of an id's form, is named; NOT_YOUR_TEAM, also for one that does not exist; NOT_PERMITTED where each of its flags is missing in all groups of it.
 */
export async function passGate(deps: GateDeps, request: FastifyRequest, route: Guarded): Promise<Caller> {
  if (route.permission === 'public') return {};
  const user = await findUser(deps, request, route.kind !== 'stream' && request.headers[BACKGROUND_HEADER] !== '1');
  if (user.mustChangePassword && route.withOldPassword !== true) throw new ApiError('PASSWORD_CHANGE_REQUIRED');
  if (route.permission === 'signed-in') return { user };
  const teamId = namedTeam(request, route.kind === 'stream' || route.kind === 'download');
  const actor = await loadActor(deps.db, user.userId, teamId);
  if (actor === null) throw new ApiError('NOT_YOUR_TEAM');
  const flags = routeFlags(route.permission);
  if (flags.length > 0 && !flags.some((flag) => actor.can(flag))) throw new ApiError('NOT_PERMITTED');
  return { user, actor };
}

async function findUser(
  { sessions, sessionCookie }: GateDeps,
  request: FastifyRequest,
  active: boolean,
): Promise<SessionUser> {
  const token = request.cookies[sessionCookie];
  const user = token ? await sessions.find(token, active) : null;
  if (user === null) throw new ApiError('NOT_SIGNED_IN');
  return user;
}

/** Only one of the two places counts for a route, and a header or key that is there twice counts as none. */
function namedTeam(request: FastifyRequest, inQuery: boolean): string {
  const named = inQuery ? (request.query as Record<string, unknown>)['teamId'] : request.headers[TEAM_HEADER];
  const parsed = id.safeParse(named);
  if (!parsed.success) throw new ApiError('TEAM_REQUIRED');
  return parsed.data;
}

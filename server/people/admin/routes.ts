import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import * as requests from './access-requests/access-requests.ts';
import { findGroupsToJoin } from './access-requests/queries.ts';
import { type AdminDeps, type Deed, look } from './administer.ts';
import { listChanges } from './changes/list-changes.ts';
import { connectionRoutes } from './connections/routes.ts';
import * as directory from './directory/directory.ts';
import * as ends from './directory/end.ts';
import * as queries from './queries.ts';
import { findUsers } from './users/queries.ts';
import * as acts from './users/user-acts.ts';
import { changeUser, getUser, invite } from './users/users.ts';

export interface AdminRouteDeps {
  /** The app role's. */
  db: Database;
  clock: Clock;
  config: Pick<Config, 'publicUrl'>;
}

/** Administration by those who hold canManageUsers, and the public requests to join a group. */
export function adminRoutes({ db, clock, config: { publicUrl } }: AdminRouteDeps): RegisteredRoute[] {
  const deps: AdminDeps = { db, publicUrl };
  const by = ({ actor, request }: { actor: Actor; request: FastifyRequest }): Deed => ({
    actor,
    requestId: request.id,
    now: clock(),
  });
  return [
    ...connectionRoutes({ db, clock, config: { publicUrl } }),
    route('GET /api/admin/users', ({ actor, query }) =>
      look(db, actor, (tx, scope) => findUsers(tx, scope, query, clock())),
    ),
    route('POST /api/users', (call) => invite(deps, by(call), call.body)),
    route('GET /api/admin/users/:id', (call) => getUser(deps, by(call), call.params.id)),
    route('PUT /api/admin/users/:id', (call) => changeUser(deps, by(call), call.params.id, call.body)),
    route('POST /api/admin/users/:id/disable', (call) => acts.disableUser(deps, by(call), call.params.id)),
    route('POST /api/admin/users/disable', (call) => acts.disableUsers(deps, by(call), call.body.ids)),
    route('POST /api/admin/users/:id/enable', (call) => acts.enableUser(deps, by(call), call.params.id)),
    route('POST /api/admin/users/:id/resend-activation', (call) =>
      acts.resendActivation(deps, by(call), call.params.id),
    ),
    route('POST /api/admin/users/:id/end-sessions', (call) => acts.endUserSessions(deps, by(call), call.params.id)),
    route('POST /api/admin/users/:id/reset-mfa', (call) => acts.resetMfa(deps, by(call), call.params.id)),

    route('GET /api/admin/access-requests', ({ actor }) =>
      look(db, actor, (tx, scope) => requests.listRequests({ tx, scope })),
    ),
    route('DELETE /api/admin/access-requests/:id', (call) => requests.decline(deps, by(call), call.params.id)),
    route('POST /api/users/authorize-group', (call) => requests.authorize(deps, by(call), call.query)),

    route('GET /api/admin/teams', ({ actor }) => look(db, actor, queries.listTeams)),
    route('POST /api/admin/teams', (call) => directory.addTeam(deps, by(call), call.body)),
    route('PUT /api/admin/teams/:id', (call) => directory.changeTeam(deps, by(call), call.params.id, call.body)),
    route('DELETE /api/admin/teams/:id', (call) => ends.endTeam(deps, by(call), call.params.id)),
    route('GET /api/admin/groups', ({ actor }) => look(db, actor, queries.listGroups)),
    route('POST /api/admin/groups', (call) => directory.addGroup(deps, by(call), call.body)),
    route('PUT /api/admin/groups/:id', (call) => directory.changeGroup(deps, by(call), call.params.id, call.body)),
    route('DELETE /api/admin/groups/:id', (call) => ends.endGroup(deps, by(call), call.params.id)),
    route('GET /api/admin/groups/ended', ({ actor }) => look(db, actor, ends.listEndedGroups)),
    route('POST /api/admin/groups/:id/reopen', (call) => ends.reopenGroup(deps, by(call), call.params.id)),
    route('GET /api/admin/roles', ({ actor }) => look(db, actor, queries.listRoles)),
    route('POST /api/admin/roles', (call) => directory.addRole(deps, by(call), call.body)),
    route('PUT /api/admin/roles/:id', (call) => directory.changeRole(deps, by(call), call.params.id, call.body)),
    route('DELETE /api/admin/roles/:id', (call) => ends.endRole(deps, by(call), call.params.id)),

    route('GET /api/admin/changes', ({ actor, query }) =>
      look(db, actor, (tx, scope) => listChanges(tx, scope, query)),
    ),

    route('GET /api/registrations/groups', ({ query }) => findGroupsToJoin(db, query.query)),
    route('POST /api/registrations', ({ body }) => requests.register(deps, body, clock())),
    route('POST /api/users/admin-email', ({ query }) => requests.remind(deps, query, clock())),
  ];
}

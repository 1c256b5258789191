import type { Config } from '#server/config.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { SessionConfig } from '#server/people/accounts/sessions/sessions.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import type { OutgoingFetch } from '#server/platform/http/outgoing.ts';
import { senderAddress } from '#server/platform/network/sender-address.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import * as requests from './access-requests/access-requests.ts';
import { findGroupsToJoin } from './access-requests/queries.ts';
import { accessesCsv } from './accesses/accesses-csv.ts';
import { listAccesses } from './accesses/list-accesses.ts';
import { type AdminDeps, readAsAdmin } from './administer.ts';
import { changesCsv } from './changes/changes-csv.ts';
import { listChanges } from './changes/list-changes.ts';
import { beginTest, type TestDeps } from './connections/check-sign-in.ts';
import * as connections from './connections/connections.ts';
import { approveDomain, checkDomain, type DomainDeps, revokeDomain } from './connections/domains.ts';
import { approveFacility } from './directory/approve-facility.ts';
import { findGroup, groupNames, listGroups } from './directory/group-queries.ts';
import * as groups from './directory/groups.ts';
import * as programs from './directory/hl7-programs.ts';
import { changeRecordSettings, recordSettings } from './directory/record-settings.ts';
import { listRoles } from './directory/role-queries.ts';
import * as roles from './directory/roles.ts';
import { changeSignInPolicy, signInPolicy } from './directory/sign-in-policy.ts';
import { findTeam, listTeams, teamNames } from './directory/team-queries.ts';
import * as teams from './directory/teams.ts';
import * as access from './own-access/decide-access.ts';
import * as provisioning from './provisioning/provisioning.ts';
import { existingUsernames, findUsers } from './users/queries.ts';
import { listTakenStays } from './users/taken-stays.ts';
import * as actions from './users/user-actions.ts';
import { changeUser, getUser, inviteUser, listUserSessions } from './users/users.ts';

interface AdminRouteDeps {
  /** Connects with the app role. */
  db: Database;
  clock: Clock;
  config: Pick<Config, 'publicUrl' | 'isProduction' | 'sessionHours'> & Partial<Pick<Config, 'embedHosts'>>;
  secrets: SecretBox;
  lookUpTxt: DomainDeps['lookUpTxt'];
  /** Calls identity providers. */
  outgoing: OutgoingFetch;
}

/** Administration by those who hold canManageUsers, and the public requests to join a group. */
export function adminRoutes({ db, clock, secrets, lookUpTxt, outgoing, config }: AdminRouteDeps): RegisteredRoute[] {
  const { publicUrl, embedHosts = [] } = config;
  const deps = { db, clock, publicUrl, secrets, lookUpTxt, outgoing };
  const by = callAt(clock);
  return [
    ...userRoutes(deps, by, clock, config),
    ...directoryRoutes(deps, by),
    ...connectionRoutes(deps, by),

    route('GET /api/admin/sign-in-policy', ({ actor }) => signInPolicy(db, actor, config)),
    route('PUT /api/admin/sign-in-policy', (call) =>
      changeSignInPolicy({ db, sessionHours: config.sessionHours }, by(call), call.body),
    ),

    route('GET /api/admin/record-settings', ({ actor }) => recordSettings(db, actor)),
    route('PUT /api/admin/record-settings', (call) => changeRecordSettings(db, by(call), call.body, embedHosts)),

    route('GET /api/admin/hl7-programs', ({ actor }) => programs.listPrograms(db, actor)),
    route('GET /api/admin/hl7-programs/facilities', ({ actor, query }) =>
      programs.findFacilities(db, actor, query.query),
    ),
    route('POST /api/admin/hl7-programs', (call) => programs.addProgram(deps, by(call), call.body)),
    route('PUT /api/admin/hl7-programs/:id', (call) =>
      programs.changeProgram(deps, by(call), call.params.id, call.body),
    ),
    route('DELETE /api/admin/hl7-programs/:id', (call) => programs.endProgram(deps, by(call), call.params.id)),

    route('GET /api/admin/access-requests', ({ actor }) => readAsAdmin(db, actor, requests.listRequests)),
    route('DELETE /api/admin/access-requests/:id', (call) => requests.declineRequest(deps, by(call), call.params.id)),
    route('POST /api/users/authorize-group', (call) => requests.approveRequest(deps, by(call), call.query)),

    route('GET /api/admin/pending-grants', ({ actor }) =>
      readAsAdmin(db, actor, (tx, scope) => access.listPending(tx, scope, clock())),
    ),
    route('POST /api/admin/pending-grants/:id/confirm', (call) =>
      access.confirmAccess(deps, by(call), call.params.id, call.body.version),
    ),
    route('DELETE /api/admin/pending-grants/:id', (call) => access.declineAccess(deps, by(call), call.params.id)),

    route('GET /api/admin/changes', ({ actor, query }) =>
      readAsAdmin(db, actor, (tx, scope) => listChanges(tx, { scope, timeZone: actor.timeZone }, query)),
    ),
    route('GET /api/admin/changes.csv', async ({ query: { teamId: _, ...filters }, ...call }) =>
      call.reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit-log.csv"')
        .send(await changesCsv(db, by(call), filters)),
    ),

    route('GET /api/patients/:id/accesses.csv', async (call) =>
      call.reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="patient-access.csv"')
        .send(await accessesCsv(db, by(call), call.params.id)),
    ),
    route('GET /api/patients/:id/accesses', (call) => listAccesses(db, by(call), call.params.id, call.query)),

    route('GET /api/registrations/groups', ({ query }) => findGroupsToJoin(db, query.query)),
    route('POST /api/registrations', ({ body, request }) =>
      requests.requestAccess(deps, { ...body, address: senderAddress(request.ip) }, clock()),
    ),
    route('POST /api/users/admin-email', ({ query }) => requests.remindAdministrator(deps, query, clock())),
  ];
}

type CallOf = ReturnType<typeof callAt>;

const userRoutes = (deps: AdminDeps, by: CallOf, clock: Clock, config: SessionConfig): RegisteredRoute[] => [
  route('GET /api/admin/users', ({ actor, query }) =>
    readAsAdmin(deps.db, actor, (tx, scope) => findUsers(tx, scope, query, clock())),
  ),
  route('POST /api/users', (call) => inviteUser(deps, by(call), call.body)),
  route('GET /api/admin/users/:id', (call) => getUser(deps, by(call), call.params.id)),
  route('PUT /api/admin/users/:id', (call) => changeUser(deps, by(call), call.params.id, call.body)),
  route('POST /api/admin/users/:id/disable', (call) => actions.disableUser(deps, by(call), call.params.id)),
  route('POST /api/admin/users/existing', ({ actor, body }) =>
    readAsAdmin(deps.db, actor, (tx, scope) => existingUsernames(tx, scope, body.usernames)),
  ),
  route('POST /api/admin/users/stays', (call) => listTakenStays(deps, by(call), call.body.ids)),
  route('POST /api/admin/users/change', (call) => actions.changeUsers(deps, by(call), call.body)),
  route('POST /api/admin/users/:id/enable', (call) => actions.enableUser(deps, by(call), call.params.id)),
  route('POST /api/admin/users/:id/resend-activation', (call) =>
    actions.resendActivation(deps, by(call), call.params.id),
  ),
  route('POST /api/admin/users/:id/send-unlock', (call) => actions.sendUnlock(deps, by(call), call.params.id)),
  route('POST /api/admin/users/:id/send-reset', (call) => actions.sendReset(deps, by(call), call.params.id)),
  route('GET /api/admin/users/:id/sessions', (call) => listUserSessions(deps, by(call), call.params.id, config)),
  route('DELETE /api/admin/users/:id/sessions/:sessionId', (call) =>
    actions.endUserSession(deps, by(call), call.params),
  ),
  route('POST /api/admin/users/:id/end-sessions', (call) => actions.endUserSessions(deps, by(call), call.params.id)),
  route('POST /api/admin/users/:id/reset-mfa', (call) => actions.resetMfa(deps, by(call), call.params.id)),
];

const connectionRoutes = (deps: TestDeps & DomainDeps, by: CallOf): RegisteredRoute[] => [
  route('GET /api/admin/sso-connections', (call) => connections.listConnections(deps, by(call))),
  route('POST /api/admin/sso-connections', (call) => connections.addConnection(deps, by(call), call.body)),
  route('PUT /api/admin/sso-connections/:id', (call) =>
    connections.changeConnection(deps, by(call), call.params.id, call.body),
  ),
  route('POST /api/admin/sso-connections/:id/test', ({ request, reply, ...call }) =>
    beginTest(deps, call, call.params.id, { request, reply, returnTo: call.body.returnTo }),
  ),
  route('POST /api/admin/sso-connections/:id/check-domain', (call) =>
    checkDomain(deps, by(call), call.params.id, call.body.domain),
  ),
  route('POST /api/admin/sso-connections/:id/approve-domain', (call) =>
    approveDomain(deps, by(call), call.params.id, call.body.domain),
  ),
  route('POST /api/admin/sso-connections/:id/revoke-domain', (call) =>
    revokeDomain(deps, by(call), call.params.id, call.body.domain),
  ),
  route('DELETE /api/admin/sso-connections/:id', (call) =>
    connections.removeConnection(deps, by(call), call.params.id),
  ),
  route('GET /api/admin/sso-connections/:id/provisioning', (call) =>
    provisioning.readProvisioning(deps, by(call), call.params.id),
  ),
  route('POST /api/admin/sso-connections/:id/scim-tokens', (call) =>
    provisioning.issueToken(deps, by(call), call.params.id),
  ),
  route('DELETE /api/admin/sso-connections/:id/scim-tokens/:tokenId', (call) =>
    provisioning.revokeToken(deps, by(call), call.params.id, call.params.tokenId),
  ),
  route('PUT /api/admin/sso-connections/:id/provider-groups/:groupId', (call) =>
    provisioning.changeGroupAccess(deps, by(call), call.params, call.body.access),
  ),
  route('PUT /api/admin/sso-connections/:id/new-users', (call) =>
    provisioning.changeNewUsers(deps, by(call), call.params.id, call.body.newUsers),
  ),
];

const directoryRoutes = (deps: AdminDeps, by: CallOf): RegisteredRoute[] => [
  route('GET /api/admin/directory', ({ actor }) =>
    readAsAdmin(deps.db, actor, async (tx, scope) => ({
      teams: await teamNames(tx, scope),
      groups: await groupNames(tx, scope),
    })),
  ),
  route('GET /api/admin/teams', ({ actor, query }) =>
    readAsAdmin(deps.db, actor, (tx, scope) => listTeams(tx, scope, query)),
  ),
  route('GET /api/admin/teams/:id', ({ actor, params }) =>
    readAsAdmin(deps.db, actor, (tx, scope) => findTeam(tx, scope, params.id)),
  ),
  route('POST /api/admin/teams', (call) => teams.addTeam(deps, by(call), call.body)),
  route('PUT /api/admin/teams/:id', (call) => teams.changeTeam(deps, by(call), call.params.id, call.body)),
  route('DELETE /api/admin/teams/:id', (call) => teams.closeTeam(deps, by(call), call.params.id)),
  route('GET /api/admin/groups', ({ actor, query }) =>
    readAsAdmin(deps.db, actor, (tx, scope) => listGroups(tx, scope, query)),
  ),
  route('GET /api/admin/groups/:id', ({ actor, params }) =>
    readAsAdmin(deps.db, actor, (tx, scope) => findGroup(tx, scope, params.id)),
  ),
  route('POST /api/admin/groups', (call) => groups.addGroup(deps, by(call), call.body)),
  route('PUT /api/admin/groups/:id', (call) => groups.changeGroup(deps, by(call), call.params.id, call.body)),
  route('POST /api/admin/groups/:id/approve', (call) =>
    approveFacility(deps, by(call), call.params.id, call.body.version),
  ),
  route('DELETE /api/admin/groups/:id', (call) => groups.closeGroup(deps, by(call), call.params.id)),
  route('GET /api/admin/groups/ended', ({ actor }) => readAsAdmin(deps.db, actor, groups.listClosedGroups)),
  route('POST /api/admin/groups/:id/reopen', (call) => groups.reopenGroup(deps, by(call), call.params.id)),
  route('GET /api/admin/roles', ({ actor }) => readAsAdmin(deps.db, actor, listRoles)),
  route('POST /api/admin/roles', (call) => roles.addRole(deps, by(call), call.body)),
  route('PUT /api/admin/roles/:id', (call) => roles.changeRole(deps, by(call), call.params.id, call.body)),
  route('DELETE /api/admin/roles/:id', (call) => roles.closeRole(deps, by(call), call.params.id)),
];

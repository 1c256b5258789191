/**
 * The API in one table: method and path, who may call it, what goes in and what comes out. Server, client, documentation and the
 * test of every route × role × foreign team derive from it. A route that is not here does not exist.
 */
import { z } from 'zod';
import { applicationInfo, credentials, me, signInAnswer } from './accounts.ts';
import {
  accessRequest,
  adminGroup,
  adminRole,
  adminTeam,
  adminUser,
  disabledUsers,
  endedGroup,
  groupFields,
  newUser,
  roleFields,
  ssoConnection,
  ssoConnectionFields,
  teamFields,
  USER_STATUSES,
  userFields,
  versionRead,
} from './admin.ts';
import { adminChange } from './admin-changes.ts';
import { LARGEST_PAGE_SIZE } from './constants.ts';
import { EVENT_CODES } from './event-codes.ts';
import { PRIMARY_CLINICAL_SETTINGS, type PrimaryClinicalSetting } from './experiences.ts';
import { exportJob } from './exports.ts';
import {
  feed,
  feedAsSet,
  feedFields,
  message,
  messageFilters,
  messagePreview,
  newFeed,
  unknownSender,
} from './feeds.ts';
import { patient, patientResults } from './patients.ts';
import type { RoutePermission } from './permissions.ts';
import { managementStatusRecord, statusChange } from './pings.ts';
import { id, instant, instantOrDay, patientId } from './primitives.ts';
import { rosterJob } from './rosters.ts';
import {
  filterPreview,
  filterUse,
  SEARCH_MODULES,
  savedFilter,
  savedFilterFields,
  searchPreference,
} from './saved-filters.ts';
import {
  facetCounts,
  facetOption,
  pingSearchParameters,
  rangeCounts,
  rangeCountsQuery,
  searchParameters,
} from './search.ts';
import { patientOption, TYPEAHEAD_KINDS, typeaheadQuery } from './typeahead.ts';
import { clientError, usageEvent } from './usage.ts';
import {
  mfaEnrolment,
  newPassword,
  newUsername,
  OPT_OUT_FEATURES,
  passkey,
  preferences,
  profile,
  tokenInfo,
  username,
} from './users.ts';

interface Route {
  permission: RoutePermission;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What a 200 answers; absent where it is a stream, a download or nothing (204). */
  answer?: z.ZodType;
  /**
   * 'stream' and 'download' take the team in the query; 'multipart' reads a file; 'form' is an HTML form that a page of another site
   * has the browser post (a SAML answer): the one kind of change that may come from a foreign origin.
   */
  kind?: 'stream' | 'download' | 'multipart' | 'form';
  status?: 200 | 202 | 204;
  /** Open to a session that has to change its password first; no other is. */
  withOldPassword?: true;
  /** The same call under another path (the specification names it so). */
  alias?: string;
}

const byConnection = z.object({ connection: z.uuid() });
/** How many messages wait, or were put back into the queue. */
const messageCount = z.object({ messages: z.number().int() });
const searchResults = patientResults.extend({ facets: facetCounts });
const byPatient = z.object({ id: patientId });
const byGroup = z.object({ groupId: id });
const byJob = z.object({ jobId: id });
const page = {
  pageNumber: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
};

export const routes = {
  // accounts
  'POST /api/authenticate': {
    permission: 'public',
    summary: 'Sign in by password',
    body: credentials,
    answer: signInAnswer,
  },
  'POST /api/logout': { permission: 'signed-in', summary: 'End the session', status: 204, withOldPassword: true },
  'GET /api/me': {
    permission: 'signed-in',
    summary: 'The current user, teams and permissions',
    answer: me,
  },
  'PUT /api/users/default-team': {
    permission: 'signed-in',
    summary: 'Remember the selected team',
    query: z.object({ teamId: id }),
    status: 204,
  },
  'GET /api/application-info': {
    permission: 'public',
    summary: 'Version, names, contacts, limits',
    answer: applicationInfo,
  },

  // accounts: other ways in
  'POST /api/authenticate/mfa': {
    permission: 'public',
    summary: 'Second factor: a time-based or a recovery code',
    body: z.object({ code: z.string().trim().min(6).max(20) }),
    answer: signInAnswer,
  },
  'POST /api/authenticate/passkey/options': {
    permission: 'public',
    summary: 'Begin to sign in by passkey',
    answer: z.record(z.string(), z.unknown()),
  },
  'POST /api/authenticate/passkey': {
    permission: 'public',
    summary: 'Sign in by passkey',
    body: z.object({ response: z.record(z.string(), z.unknown()) }),
    answer: signInAnswer,
  },
  'POST /api/users/redirectUrl': {
    permission: 'public',
    summary: 'Where this username signs in; null: here, by password',
    body: z.object({ username }),
    answer: z.object({
      redirectUrl: z.string().nullable(),
      kind: z.enum(['enterprise', 'identity-provider']).nullish(),
    }),
  },
  'GET /api/sso/oidc/:connection/start': {
    permission: 'public',
    summary: 'To an identity provider (OpenID Connect, code flow with PKCE)',
    params: byConnection,
    query: z.object({ returnTo: z.string().max(500).optional(), username: z.string().max(254).optional() }),
    kind: 'download',
  },
  'GET /api/sso/oidc/:connection/callback': {
    permission: 'public',
    summary: 'Back from it',
    params: byConnection,
    query: z.record(z.string(), z.string()),
    kind: 'download',
  },
  'GET /api/sso/saml/:connection/start': {
    permission: 'public',
    summary: 'To an enterprise identity provider (SAML 2.0)',
    params: byConnection,
    query: z.object({ returnTo: z.string().max(500).optional() }),
    kind: 'download',
  },
  'POST /api/sso/saml/:connection/callback': {
    permission: 'public',
    summary: 'Back from it with a signed assertion',
    params: byConnection,
    body: z.object({ SAMLResponse: z.string(), RelayState: z.string().max(200) }),
    kind: 'form',
  },
  'GET /api/sso/saml/:connection/metadata': {
    permission: 'public',
    summary: 'Our side of the connection, as XML',
    params: byConnection,
    kind: 'download',
  },
  'GET /api/ehr/launch': {
    permission: 'public',
    summary: 'SMART App Launch from an EHR',
    query: z.object({ iss: z.string().max(500), launch: z.string().max(2000) }),
    kind: 'download',
  },
  'GET /api/ehr/callback': {
    permission: 'public',
    summary: 'Back from the EHR: opens the patient, or the inbox',
    query: z.record(z.string(), z.string()),
    kind: 'download',
  },

  // accounts: life of an account
  'GET /api/password/forgot': {
    permission: 'public',
    summary: 'Mail a link to set a new password, or to activate or unlock the account (also as GET /password/forgot)',
    query: z.object({ username }),
    answer: z.object({ message: z.string() }),
    alias: '/password/forgot',
  },
  'GET /api/users/tokens/:token': {
    permission: 'public',
    summary: 'What a mailed token is for',
    params: z.object({ token: z.string().max(100) }),
    answer: tokenInfo,
  },
  'POST /api/password/set': {
    permission: 'public',
    summary: 'Set a password by a mailed token',
    body: z.object({ token: z.string().max(100), password: newPassword }),
    status: 204,
  },
  'PUT /api/users/password': {
    permission: 'signed-in',
    summary: "Change one's password",
    body: z.object({ currentPassword: z.string().max(1024), newPassword }),
    status: 204,
    withOldPassword: true,
  },
  'POST /api/registrations': {
    permission: 'public',
    summary: 'Ask for an account in a group; its administrators are mailed',
    body: z.object({
      username: newUsername,
      firstName: z.string().trim().min(1).max(100),
      lastName: z.string().trim().min(1).max(100),
      title: z.string().trim().max(100).nullish(),
      groupId: id,
    }),
    status: 204,
  },
  'GET /api/registrations/groups': {
    permission: 'public',
    summary: 'Groups that one can ask to join, by the beginning of a name',
    query: z.object({ query: z.string().trim().min(2).max(100) }),
    answer: z.array(z.object({ id, name: z.string(), organizationName: z.string() })),
  },
  'POST /api/users/admin-email': {
    permission: 'public',
    summary: 'Remind an administrator of a request to join',
    query: z.object({ username, groupId: id, adminUsername: username }),
    status: 204,
  },
  'POST /api/users/authorize-group': {
    permission: 'canManageUsers',
    summary: 'Let somebody who asked into a group',
    query: z.object({ username, groupId: id }),
    status: 204,
  },

  // accounts: one's own
  'GET /api/users/profile': { permission: 'signed-in', summary: "One's own account", answer: profile },
  'PUT /api/users/preferences': {
    permission: 'signed-in',
    summary: 'Time zone, density, shortcuts',
    body: preferences,
    status: 204,
  },
  'POST /api/users/optIntoMfa': {
    permission: 'signed-in',
    summary: 'Begin to enrol a second factor',
    answer: mfaEnrolment,
  },
  'POST /api/users/mfa/confirm': {
    permission: 'signed-in',
    summary: 'Confirm it by a code; answers recovery codes, once',
    body: z.object({ code: z.string().trim().length(6) }),
    answer: z.object({ recoveryCodes: z.array(z.string()) }),
  },
  'DELETE /api/users/mfa': {
    permission: 'signed-in',
    summary: 'Remove the second factor',
    body: z.object({ password: z.string().max(1024) }),
    status: 204,
  },
  'POST /api/users/passkeys/options': {
    permission: 'signed-in',
    summary: 'Begin to add a passkey',
    answer: z.record(z.string(), z.unknown()),
  },
  'POST /api/users/passkeys': {
    permission: 'signed-in',
    summary: 'Add a passkey',
    body: z.object({ name: z.string().trim().min(1).max(100), response: z.record(z.string(), z.unknown()) }),
    answer: passkey,
  },
  'DELETE /api/users/passkeys/:id': {
    permission: 'signed-in',
    summary: 'Remove a passkey',
    params: z.object({ id }),
    status: 204,
  },
  'DELETE /api/users/sessions/:id': {
    permission: 'signed-in',
    summary: "End one of one's sessions",
    params: z.object({ id: z.string().max(100) }),
    status: 204,
  },
  'POST /api/session/activity': {
    permission: 'signed-in',
    summary: 'The user is active: the session goes on',
    answer: z.object({ endsAt: instant }),
  },
  'POST /api/users/notification-phone': {
    permission: 'signed-in',
    summary: 'Send a code to a number; answers an opaque request id',
    body: z.object({ phone: z.string().trim().max(30) }),
    answer: z.object({ notificationPhone: z.string() }),
  },
  'POST /api/users/notification-phone/verify': {
    permission: 'signed-in',
    summary: 'Confirm the number by its code',
    body: z.object({ notificationPhone: z.string().max(100), code: z.string().trim().length(6) }),
    status: 204,
  },
  'GET /api/resources/primary-clinical-settings': {
    permission: 'signed-in',
    summary: 'The settings to choose from',
    answer: z.array(z.object({ code: z.string(), label: z.string() })),
  },
  'PUT /api/users/primary-clinical-setting': {
    permission: 'signed-in',
    summary: 'Choose one',
    query: z.object({
      primaryClinicalSetting: z.enum(Object.keys(PRIMARY_CLINICAL_SETTINGS) as [PrimaryClinicalSetting]),
    }),
    status: 204,
  },
  'GET /api/alpha/opt-out': {
    permission: 'signed-in',
    summary: 'Features that the user has left',
    answer: z.array(z.enum(OPT_OUT_FEATURES)),
  },
  'POST /api/alpha/opt-out': {
    permission: 'signed-in',
    summary: 'Leave a feature',
    query: z.object({ feature: z.enum(OPT_OUT_FEATURES) }),
    status: 204,
  },
  'POST /api/user-events': { permission: 'signed-in', summary: 'Usage tracking', body: usageEvent, status: 204 },
  'POST /api/user-events/public': {
    permission: 'public',
    summary: 'Usage tracking before sign-in; needs a username',
    body: usageEvent.required({ username: true }),
    status: 204,
  },
  'POST /api/client-errors': {
    permission: 'public',
    summary: 'An error in the browser',
    body: clientError,
    status: 204,
  },
  'GET /api/export/recent-export-jobs': {
    permission: 'signed-in',
    summary: "The user's recent exports",
    answer: z.array(exportJob),
  },
  'GET /api/demo/mailbox': {
    permission: 'public',
    summary: 'Mails and text messages of a demo installation; elsewhere not found',
    answer: z.array(
      z.object({
        id,
        sentAt: instant,
        to: z.string(),
        channel: z.enum(['e-mail', 'text']),
        subject: z.string(),
        body: z.string(),
      }),
    ),
  },

  // administration
  'GET /api/admin/users': {
    permission: 'canManageUsers',
    summary: 'Users of the organisation',
    query: z.object({ query: z.string().max(100).optional(), status: z.enum(USER_STATUSES).optional(), ...page }),
    answer: z.object({ users: z.array(adminUser), total: z.number().int(), numPages: z.number().int() }),
  },
  'POST /api/users': { permission: 'canManageUsers', summary: 'Invite a user', body: newUser, answer: adminUser },
  'GET /api/admin/users/:id': {
    permission: 'canManageUsers',
    summary: 'One user',
    params: z.object({ id }),
    answer: adminUser,
  },
  'PUT /api/admin/users/:id': {
    permission: 'canManageUsers',
    summary: 'Change a user',
    params: z.object({ id }),
    body: userFields.extend(versionRead),
    answer: adminUser,
  },
  'POST /api/admin/users/:id/disable': {
    permission: 'canManageUsers',
    summary: 'Disable: sessions and streams end at once',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/disable': {
    permission: 'canManageUsers',
    summary: 'Disable several; who cannot be is told, and the others are',
    body: z.object({ ids: z.array(id).min(1).max(500) }),
    answer: disabledUsers,
  },
  'POST /api/admin/users/:id/enable': {
    permission: 'canManageUsers',
    summary: 'Enable again',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/:id/resend-activation': {
    permission: 'canManageUsers',
    summary: 'Mail the activation link again',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/:id/end-sessions': {
    permission: 'canManageUsers',
    summary: 'End all sessions of a user',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/:id/reset-mfa': {
    permission: 'canManageUsers',
    summary: 'Remove the second factor and passkeys of a user',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/access-requests': {
    permission: 'canManageUsers',
    summary: 'Who asked to join a group',
    answer: z.array(accessRequest),
  },
  'DELETE /api/admin/access-requests/:id': {
    permission: 'canManageUsers',
    summary: 'Decline a request',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/teams': {
    permission: 'canManageUsers',
    summary: 'Teams of the organisation',
    answer: z.array(adminTeam),
  },
  'POST /api/admin/teams': { permission: 'canManageUsers', summary: 'Add a team', body: teamFields, answer: adminTeam },
  'PUT /api/admin/teams/:id': {
    permission: 'canManageUsers',
    summary: 'Change a team',
    params: z.object({ id }),
    body: teamFields.extend(versionRead),
    answer: adminTeam,
  },
  'DELETE /api/admin/teams/:id': {
    permission: 'canManageUsers',
    summary: 'End a team that nobody is in',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/groups': {
    permission: 'canManageUsers',
    summary: 'Groups of the organisation',
    answer: z.array(adminGroup),
  },
  'POST /api/admin/groups': {
    permission: 'canManageUsers',
    summary: 'Add a group',
    body: groupFields,
    answer: adminGroup,
  },
  'PUT /api/admin/groups/:id': {
    permission: 'canManageUsers',
    summary: 'Change a group',
    params: z.object({ id }),
    body: groupFields.extend(versionRead),
    answer: adminGroup,
  },
  'DELETE /api/admin/groups/:id': {
    permission: 'canManageUsers',
    summary: 'End a group that nobody needs any more',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/groups/ended': {
    permission: 'canManageUsers',
    summary: 'Groups that have ended and that the administrator may open again, the last one first',
    answer: z.array(endedGroup),
  },
  'POST /api/admin/groups/:id/reopen': {
    permission: 'canManageUsers',
    summary: 'Open a group again that has ended, in the selected team',
    params: z.object({ id }),
    answer: adminGroup,
  },
  'GET /api/admin/roles': {
    permission: 'canManageUsers',
    summary: 'Roles: the standard ones and those of the organisation',
    answer: z.array(adminRole),
  },
  'POST /api/admin/roles': { permission: 'canManageUsers', summary: 'Add a role', body: roleFields, answer: adminRole },
  'PUT /api/admin/roles/:id': {
    permission: 'canManageUsers',
    summary: 'Change a role of the organisation',
    params: z.object({ id }),
    body: roleFields.extend(versionRead),
    answer: adminRole,
  },
  'DELETE /api/admin/roles/:id': {
    permission: 'canManageUsers',
    summary: 'End a role that nobody holds',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/changes': {
    permission: 'canManageUsers',
    summary: 'Who changed what in accounts, teams, groups, roles, connections and feeds, newest first',
    query: z.object({ userId: id.optional(), ...page }),
    answer: z.object({ changes: z.array(adminChange), total: z.number().int(), numPages: z.number().int() }),
  },
  'GET /api/admin/sso-connections': {
    permission: 'canManageUsers',
    summary: 'Connections to identity providers and EHRs',
    answer: z.array(ssoConnection),
  },
  'POST /api/admin/sso-connections': {
    permission: 'canManageUsers',
    summary: 'Add a connection',
    body: ssoConnectionFields,
    answer: ssoConnection,
  },
  'PUT /api/admin/sso-connections/:id': {
    permission: 'canManageUsers',
    summary: 'Change a connection',
    params: z.object({ id }),
    body: ssoConnectionFields.extend(versionRead),
    answer: ssoConnection,
  },
  'DELETE /api/admin/sso-connections/:id': {
    permission: 'canManageUsers',
    summary: 'Remove a connection',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/feeds': {
    permission: 'canManageUsers',
    summary: 'Set up a feed; says how many messages of its sender wait in quarantine',
    body: newFeed,
    answer: messageCount.extend({ id }),
  },
  'GET /api/admin/feeds/:id/settings': {
    permission: 'canManageUsers',
    summary: "A feed's name and sender, and how it writes",
    params: z.object({ id }),
    answer: feedAsSet,
  },
  'PUT /api/admin/feeds/:id/settings': {
    permission: 'canManageUsers',
    summary: 'Change it',
    params: z.object({ id }),
    body: feedFields.extend(versionRead),
    answer: feedAsSet,
  },
  'POST /api/admin/feeds/:id/pause': {
    permission: 'canManageUsers',
    summary: 'Keep the messages of a feed in quarantine until it is resumed',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/feeds/:id/resume': {
    permission: 'canManageUsers',
    summary: 'Take a feed up again, and process what waits in its quarantine',
    params: z.object({ id }),
    answer: messageCount,
  },
  'DELETE /api/admin/feeds/:id': {
    permission: 'canManageUsers',
    summary: 'End a feed: messages of its sender are of no feed from then on',
    params: z.object({ id }),
    status: 204,
  },

  // pings
  'POST /api/pings': {
    permission: 'canViewPings',
    summary: 'A page of the inbox: one row a person and encounter with pings',
    body: pingSearchParameters,
    answer: searchResults,
  },
  'GET /api/pings/count/:kind': {
    permission: 'canViewPings',
    summary: 'How many pings are open (NEW, IN_PROGRESS) or resolved (RESOLVED, DISMISSED)',
    params: z.object({ kind: z.enum(['open', 'resolved']) }),
    answer: z.object({ count: z.number().int() }),
  },
  'POST /api/pings-result-hashes': {
    permission: 'canViewPings',
    summary: 'One hash a row of that page, in order, and one for the whole',
    body: pingSearchParameters,
    answer: z.object({ hashes: z.array(z.string()), hash: z.string() }),
  },
  'POST /api/patients/:id/events/management-status': {
    permission: 'canManagePings',
    summary: 'Change the management status of a ping, for all groups of the team',
    params: byPatient,
    body: statusChange,
    answer: managementStatusRecord,
  },
  'POST /api/patients/:id/events/management-status-history': {
    permission: 'canViewPings',
    summary: 'The statuses that a ping has had, newest first',
    params: byPatient,
    body: z.object({ eventIdentifier: id }),
    answer: z.array(managementStatusRecord),
  },

  // search
  'POST /api/patients/search': {
    permission: 'canViewPatients',
    summary: 'A page of patients, one row a person, with the counts of the filter panel',
    body: searchParameters,
    answer: searchResults,
  },
  'GET /api/patients/count': {
    permission: 'canViewPatients',
    summary: 'How many patients there are without any filter',
    answer: z.object({ count: z.number().int() }),
  },
  'POST /api/patients/range-counts': {
    permission: 'canViewPatients',
    summary: 'How many patients of a list are in each of some ranges: of ages, visit durations or lengths of stay',
    body: rangeCountsQuery,
    answer: rangeCounts,
  },
  'POST /api/patients/similar-names': {
    permission: ['canViewPatients', 'canViewPings'],
    summary: 'Which of these patients one may take for somebody else in the lists of the team',
    body: z.object({ patientIds: z.array(patientId).max(LARGEST_PAGE_SIZE) }),
    answer: z.object({ patientIds: z.array(patientId) }),
  },
  'POST /api/events/search': {
    permission: 'canViewEventFeed',
    summary: 'A page of events, one row each, with the counts of the filter panel',
    body: searchParameters,
    answer: searchResults,
  },
  'POST /api/typeahead/patients': {
    permission: ['canViewPatients', 'canViewPings'],
    summary: 'Patients whose name or identifier begins so, or nearly so',
    body: typeaheadQuery,
    answer: z.array(patientOption),
  },
  'POST /api/typeahead/:kind': {
    permission: ['canViewPatients', 'canViewPings'],
    summary: 'Values of a facet that begin so, or nearly so, with their counts',
    params: z.object({ kind: z.enum(TYPEAHEAD_KINDS) }),
    body: typeaheadQuery,
    answer: z.array(facetOption),
  },

  // saved filters
  'GET /api/patient-search-params': {
    permission: 'in-team',
    summary: "One's saved filters in the selected team, in order",
    answer: z.array(savedFilter),
  },
  'POST /api/patient-search-params': {
    permission: 'in-team',
    summary: 'Save a filter',
    body: savedFilterFields,
    answer: savedFilter,
  },
  'PUT /api/patient-search-params/:id': {
    permission: 'in-team',
    summary: 'Change, rename or move it',
    params: z.object({ id }),
    body: savedFilterFields,
    answer: savedFilter,
  },
  'DELETE /api/patient-search-params/:id': {
    permission: 'in-team',
    summary: 'Delete it; later ones move up',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/patient-search-params/uses': {
    permission: 'in-team',
    summary: 'When each was last used, and how many rows it finds now',
    answer: z.array(filterUse),
  },
  'POST /api/patient-search-params/:id/uses': {
    permission: 'in-team',
    summary: 'A list was opened with it',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/patient-search-params/preview': {
    permission: 'canViewPings',
    summary: 'How many pings a filter would have brought in the last 30 days',
    body: searchParameters,
    answer: filterPreview,
  },
  'GET /api/patient-search-params/preferences': {
    permission: 'in-team',
    summary: 'Which filter is the default of which module',
    answer: z.array(searchPreference),
  },
  'POST /api/patient-search-params/preferences': {
    permission: 'in-team',
    summary: 'Make a filter the default of a module',
    query: z.object({ filterId: id, moduleName: z.enum(SEARCH_MODULES) }),
    status: 204,
  },
  'DELETE /api/patient-search-params/preferences': {
    permission: 'in-team',
    summary: 'Back to the default that everybody has',
    query: z.object({ moduleName: z.enum(SEARCH_MODULES) }),
    status: 204,
  },

  // patients
  'GET /api/patients/:id': {
    permission: 'canViewPatients',
    summary: 'One patient',
    params: byPatient,
    answer: patient,
  },
  'POST /api/patients/:id/events': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter an event by hand (facilities without a feed)',
    params: byPatient,
    body: z.object({
      status: z.enum(EVENT_CODES),
      eventDate: instantOrDay,
      dischargedTo: z.string().max(200).nullish(),
    }),
    answer: z.object({ patientId }),
  },
  'POST /api/cohort/:groupId/patients': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter a patient and his or her first event at a facility without a feed',
    params: byGroup,
    body: z.object({
      firstName: z.string().trim().min(1).max(100),
      middleName: z.string().trim().max(100).nullish(),
      lastName: z.string().trim().min(1).max(100),
      nameSuffix: z.string().trim().max(20).nullish(),
      dateOfBirth: z.string(),
      gender: z.enum(['Male', 'Female', 'Other', 'Unknown']),
      recordNumber: z.string().trim().max(60).nullish(),
      address1: z.string().max(200).nullish(),
      city: z.string().max(100).nullish(),
      state: z.string().max(30).nullish(),
      zip: z.string().max(10).nullish(),
      homePhone: z.string().max(30).nullish(),
      ssnLast4: z
        .string()
        .regex(/^\d{4}$/)
        .nullish(),
      medicareId: z.string().max(20).nullish(),
      status: z.enum(EVENT_CODES),
      eventDate: instantOrDay,
    }),
    answer: z.object({ patientId }),
  },

  // live
  'GET /api/live': {
    permission: 'in-team',
    summary:
      'Server-sent events of a team: the end of the session; for those who may see them pings, counts, roster progress',
    query: z.object({ teamId: id }),
    kind: 'stream',
  },

  // rosters
  'GET /api/rosters/template.csv': {
    permission: 'canUploadRoster',
    summary: 'The columns, with an example row',
    query: z.object({ teamId: id }),
    kind: 'download',
  },
  'POST /api/rosters/:groupId/uploads': {
    permission: 'canUploadRoster',
    summary: 'Upload a roster file (multipart, field "file")',
    params: byGroup,
    kind: 'multipart',
    answer: rosterJob,
    status: 202,
  },
  'GET /api/rosters/:groupId/uploads/latest': {
    permission: 'canUploadRoster',
    summary: 'The newest upload of a group, null where there is none',
    params: byGroup,
    answer: rosterJob.nullable(),
  },
  'GET /api/rosters/uploads/:jobId': {
    permission: 'canUploadRoster',
    summary: 'One upload',
    params: byJob,
    answer: rosterJob,
  },
  'GET /api/rosters/uploads/:jobId/errors.csv': {
    permission: 'canUploadRoster',
    summary: 'The rows with errors, one line an error',
    params: byJob,
    query: z.object({ teamId: id }),
    kind: 'download',
  },
  'POST /api/rosters/uploads/:jobId/confirm': {
    permission: 'canUploadRoster',
    summary: 'Apply it although it removes many',
    params: byJob,
    answer: rosterJob,
  },
  'POST /api/rosters/uploads/:jobId/cancel': {
    permission: 'canUploadRoster',
    summary: 'Do not apply it',
    params: byJob,
    answer: rosterJob,
  },

  // feeds
  'GET /api/feeds': { permission: 'canManageUsers', summary: 'Feeds and their health', answer: z.array(feed) },
  'GET /api/feeds/unknown-senders': {
    permission: 'canManageUsers',
    summary: 'Who sends and is of no feed; for operators, empty for everybody else',
    answer: z.array(unknownSender),
  },
  'POST /api/feeds/:id/replay': {
    permission: 'canManageUsers',
    summary: "Process again all that stands in a feed's quarantine",
    params: z.object({ id }),
    answer: messageCount,
  },
  'GET /api/feeds/messages': {
    permission: 'canManageUsers',
    summary: 'Received messages, newest first',
    query: messageFilters,
    answer: z.object({ messages: z.array(message), total: z.number().int(), numPages: z.number().int() }),
  },
  'GET /api/feeds/messages/:id': {
    permission: 'canManageUsers',
    summary: 'One received message with its text',
    params: z.object({ id }),
    answer: message.extend({ text: z.string().nullable() }),
  },
  'POST /api/feeds/messages/:id/replay': {
    permission: 'canManageUsers',
    summary: 'Process a message again, after a setting was mended',
    params: z.object({ id }),
    answer: message,
  },
  'POST /api/feeds/preview': {
    permission: 'canManageUsers',
    summary: 'What would this message do? Changes nothing',
    body: z.object({ feedId: id, text: z.string().min(1).max(1_000_000) }),
    answer: messagePreview,
  },
  'GET /api/feeds/reviews': {
    permission: 'canManageUsers',
    summary: 'Identities that wait for a person to decide',
    query: z.object(page),
    answer: z.object({
      reviews: z.array(
        z.object({
          id,
          facilityName: z.string(),
          createdDate: z.string(),
          ruleId: z.string().nullable(),
          candidates: z.array(z.object({ personId: id, evidence: z.record(z.string(), z.unknown()) })),
        }),
      ),
      total: z.number().int(),
    }),
  },
  'POST /api/feeds/reviews/:id': {
    permission: 'canManageUsers',
    summary: 'Decide a review: link to one of its candidates, or keep apart',
    params: z.object({ id }),
    body: z.object({ personId: id.nullable() }),
    status: 204,
  },
  'POST /api/feeds/reviews/:id/undo': {
    permission: 'canManageUsers',
    summary: 'Take a decision back',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies Record<string, Route>;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;

type In<T> = T extends z.ZodType ? z.input<T> : never;
type Field<R, K extends string> = R extends Record<K, infer S> ? S : never;

/** What a caller of a route hands in; only the parts that the route has. */
export type RouteInput<K extends RouteKey> = ([Field<Routes[K], 'params'>] extends [never]
  ? unknown
  : { params: In<Field<Routes[K], 'params'>> }) &
  ([Field<Routes[K], 'query'>] extends [never] ? unknown : { query: In<Field<Routes[K], 'query'>> }) &
  ([Field<Routes[K], 'body'>] extends [never] ? unknown : { body: In<Field<Routes[K], 'body'>> });

/** What a route answers; void where it answers nothing. */
export type RouteAnswer<K extends RouteKey> = [Field<Routes[K], 'answer'>] extends [never]
  ? void
  : z.output<Field<Routes[K], 'answer'> & z.ZodType>;

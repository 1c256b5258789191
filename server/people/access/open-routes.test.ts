import { expect, test } from 'vitest';
import { type Permission, routeFlags, STANDARD_ROLES, type StandardRole } from '#contract/permissions.ts';
import { type RouteKey, routes } from '#contract/routes.ts';

/** Written out, so that a slip in the contract opens no route unnoticed. */
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
  'POST /api/text-messages/twilio',
  'POST /api/facility-links/open',
  'POST /api/facility-links/upload',
  'POST /api/facility-links/answer',
  // With the token of a document feed.
  'POST /api/documents',
  'GET /api/documents/:id',
  // As FHIR has it: the same for everyone, and nothing about anyone.
  'GET /fhir/metadata',
  // With the token of a FHIR feed.
  'POST /fhir/$process-message',
  // With the token of a connection.
  'GET /api/scim/v2/ServiceProviderConfig',
  'GET /api/scim/v2/ResourceTypes',
  'GET /api/scim/v2/ResourceTypes/:id',
  'GET /api/scim/v2/Schemas',
  'GET /api/scim/v2/Schemas/:id',
  'GET /api/scim/v2/Users',
  'POST /api/scim/v2/Users',
  'GET /api/scim/v2/Users/:id',
  'PUT /api/scim/v2/Users/:id',
  'PATCH /api/scim/v2/Users/:id',
  'DELETE /api/scim/v2/Users/:id',
  'GET /api/scim/v2/Groups',
  'POST /api/scim/v2/Groups',
  'GET /api/scim/v2/Groups/:id',
  'PUT /api/scim/v2/Groups/:id',
  'PATCH /api/scim/v2/Groups/:id',
  'DELETE /api/scim/v2/Groups/:id',
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
  'POST /api/authenticate/again',
  'POST /api/users/mfa/recovery-codes',
  'DELETE /api/users/mfa',
  'POST /api/users/passkeys/options',
  'POST /api/users/passkeys',
  'DELETE /api/users/passkeys/:id',
  'DELETE /api/users/sessions/:id',
  'POST /api/session/activity',
  'POST /api/users/notification-phone',
  'POST /api/users/notification-phone/verify',
  'DELETE /api/users/notification-phone',
  'GET /api/notification-settings',
  'PUT /api/notification-settings',
  'GET /api/notification-deliveries',
  'GET /api/notifications/:uuid',
  'GET /api/resources/primary-clinical-settings',
  'PUT /api/users/primary-clinical-setting',
  'GET /api/alpha/opt-out',
  'POST /api/alpha/opt-out',
  'DELETE /api/alpha/opt-out',
  'POST /api/user-events',
  'GET /api/export/recent-export-jobs',
  'DELETE /api/export/jobs/:jobId',
];

/** These routes reach only the user's own data. */
const IN_TEAM: RouteKey[] = [
  'GET /api/live',
  'GET /api/patient-search-params',
  'POST /api/patient-search-params',
  'PUT /api/patient-search-params/:id',
  'PUT /api/patient-search-params/:id/shared',
  'DELETE /api/patient-search-params/:id',
  'GET /api/patient-search-params/uses',
  'POST /api/patient-search-params/:id/uses',
  'GET /api/patient-search-params/preferences',
  'POST /api/patient-search-params/preferences',
  'DELETE /api/patient-search-params/preferences',
  'GET /api/notification-filter-preferences',
  'PUT /api/notification-filter-preferences',
];

test('only these routes are open to the public, to every signed-in user, or to a whole team', () => {
  const openTo = (permission: string) =>
    (Object.keys(routes) as RouteKey[]).filter((key) => routes[key].permission === permission);
  expect(openTo('public').sort()).toEqual([...PUBLIC].sort());
  expect(openTo('signed-in').sort()).toEqual([...SIGNED_IN].sort());
  expect(openTo('in-team').sort()).toEqual([...IN_TEAM].sort());
});

/** Given to users one by one. */
const PILOTS: readonly Permission[] = ['canUseWishinPulse', 'canViewSpotlightsWithTableau'];

test('every flag that a route asks for is held by some standard role', () => {
  const flags = new Set(Object.values(routes).flatMap(({ permission }) => routeFlags(permission)));
  const roles = Object.keys(STANDARD_ROLES) as StandardRole[];
  for (const flag of flags) {
    if (PILOTS.includes(flag)) continue;
    const holders = roles.filter((role) => (STANDARD_ROLES[role] as readonly Permission[]).includes(flag));
    expect([flag, holders.length]).not.toEqual([flag, 0]);
  }
});

/** Administration by those who hold canManageUsers: users, teams, groups, roles, single sign-on, feeds. */
import { z } from 'zod';
import { APPLICATION_EXPERIENCES } from './experiences.ts';
import { FACILITY_TYPES, GROUP_TYPES } from './groups.ts';
import { PERMISSION_FLAGS } from './permissions.ts';
import { id, instant } from './primitives.ts';
import { newUsername } from './users.ts';

/** Whose it is: told to operators, who see several organisations; null for everybody else. */
const organization = z.object({ id, name: z.string() }).nullable();
/** Of what can be edited: it is another one after each change. */
const version = z.string();
/**
 * In a change: the version that was read. Where another one stands by now, the change is refused with CHANGED_BY_OTHER; left out,
 * whatever stands is replaced.
 */
export const versionRead = { version: version.max(100).optional() };

export const USER_STATUSES = ['ACTIVE', 'INVITED', 'LOCKED', 'DISABLED'] as const;

/** What a user may do in a team for one of its groups: a role, and single flags added or taken away. */
export const grant = z.object({
  teamId: id,
  groupId: id,
  roleId: id,
  added: z.array(z.enum(PERMISSION_FLAGS)).default([]),
  removed: z.array(z.enum(PERMISSION_FLAGS)).default([]),
});
export type Grant = z.infer<typeof grant>;

export const userFields = z.object({
  firstName: z.string().trim().min(1, 'Enter the first name.').max(100),
  lastName: z.string().trim().min(1, 'Enter the last name.').max(100),
  title: z.string().trim().max(100).nullish(),
  applicationExperience: z.enum(APPLICATION_EXPERIENCES).default('JANUS'),
  grants: z.array(grant).max(500),
});

/** A person to invite; he or she gets a mail with a link that activates the account. */
export const newUser = userFields.extend({ username: newUsername });
export type NewUser = z.input<typeof newUser>;

export const adminUser = z.object({
  id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  title: z.string().nullable(),
  status: z.enum(USER_STATUSES),
  applicationExperience: z.enum(APPLICATION_EXPERIENCES),
  isSSO: z.boolean(),
  mfaOptedIn: z.boolean(),
  createdDate: instant,
  lastSignInDate: instant.nullable(),
  lastActivationEmailDate: instant.nullable(),
  grants: z.array(grant),
  /** The signed-in administrator: cannot take his or her own rights away. */
  isSelf: z.boolean(),
  organization,
  version,
});
export type AdminUser = z.infer<typeof adminUser>;

/** What became of several accounts that were to be disabled at once. */
export const disabledUsers = z.object({
  disabled: z.array(id),
  refused: z.array(z.object({ id, errorKey: z.string(), message: z.string() })),
});

export const adminTeam = z.object({
  id,
  name: z.string(),
  abbreviation: z.string(),
  type: z.enum(GROUP_TYPES),
  groupIds: z.array(id),
  memberCount: z.number().int(),
  organization,
  version,
});
export type AdminTeam = z.infer<typeof adminTeam>;
export const teamFields = z.object({
  name: z.string().trim().min(1, 'Enter the name.').max(200),
  abbreviation: z.string().trim().min(1, 'Enter an abbreviation.').max(20),
  type: z.enum(GROUP_TYPES),
  groupIds: z.array(id).min(1, 'Choose at least one group.').max(500),
});
export type TeamFields = z.infer<typeof teamFields>;

export const adminGroup = z.object({
  id,
  name: z.string(),
  type: z.enum(GROUP_TYPES),
  facilityType: z.enum(FACILITY_TYPES).nullable(),
  state: z.string().nullable(),
  timeZone: z.string(),
  address: z.string().nullable(),
  isAutomated: z.boolean(),
  isPart2Facility: z.boolean(),
  organization,
  version,
});
export type AdminGroup = z.infer<typeof adminGroup>;
export const groupFields = adminGroup.omit({ id: true, organization: true, version: true }).extend({
  name: z.string().trim().min(1, 'Enter the name.').max(200),
  state: z.string().trim().max(30).nullable(),
  timeZone: z.string().max(60),
  address: z.string().trim().max(300).nullable(),
});
export type GroupFields = z.infer<typeof groupFields>;

/** A group that has ended, as it is offered to be opened again. */
export const endedGroup = adminGroup
  .pick({ id: true, name: true, type: true, facilityType: true })
  .extend({ endedDate: instant });
export type EndedGroup = z.infer<typeof endedGroup>;

export const adminRole = z.object({
  id,
  name: z.string(),
  permissions: z.array(z.enum(PERMISSION_FLAGS)),
  /** One of the five that every organisation has; it cannot be changed. */
  isStandard: z.boolean(),
  userCount: z.number().int(),
  /** Null of a standard role. */
  organization,
  version,
});
export type AdminRole = z.infer<typeof adminRole>;
export const roleFields = z.object({
  name: z.string().trim().min(1, 'Enter the name.').max(100),
  permissions: z.array(z.enum(PERMISSION_FLAGS)),
});
export type RoleFields = z.infer<typeof roleFields>;

/** Somebody who asked to join a group, and waits for an administrator. */
export const accessRequest = z.object({
  id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  groupId: id,
  groupName: z.string(),
  createdDate: instant,
  organization,
});
export type AccessRequest = z.infer<typeof accessRequest>;

export const SSO_KINDS = ['OIDC', 'SAML', 'SMART'] as const;
/** A connection to an identity provider or an EHR. Secrets go in and never come out: `hasSecret` says that one is there. */
export const ssoConnection = z.object({
  id,
  kind: z.enum(SSO_KINDS),
  name: z.string(),
  isEnabled: z.boolean(),
  /** E-mail domains whose users sign in here, e.g. 'lakeshore.example'. */
  domains: z.array(z.string()),
  /** OIDC and SMART: the issuer; SAML: the entity id of the identity provider. */
  issuer: z.string(),
  clientId: z.string().nullable(),
  hasSecret: z.boolean(),
  /** SAML: where to send the user, and the certificates (PEM) that sign assertions. */
  entryPoint: z.string().nullable(),
  certificates: z.array(z.string()),
  /** SMART: origins that may frame us. */
  allowedOrigins: z.array(z.string()),
  /** The experience of users who come this way. */
  applicationExperience: z.enum(APPLICATION_EXPERIENCES),
  /** What the other side must be told: callback, entity id or metadata address. */
  callbackUrl: z.string(),
  metadataUrl: z.string().nullable(),
  version,
});
export type SsoConnection = z.infer<typeof ssoConnection>;
export const ssoConnectionFields = ssoConnection
  .omit({ id: true, hasSecret: true, callbackUrl: true, metadataUrl: true, version: true })
  .extend({ clientSecret: z.string().max(2000).nullish() });
export type NewSsoConnection = z.input<typeof ssoConnectionFields>;

/** What administrators, who hold canManageUsers, read and change: users, teams, groups, roles, single sign-on. */
import { z } from 'zod';
import {
  CLIENT_SECRET_MAX,
  CONNECTION_TEXTS,
  GROUP_TEXTS,
  ROLE_TEXTS,
  TEAM_GROUPS_REQUIRED,
  TEAM_TEXTS,
  type TextRule,
  USER_TEXTS,
  USER_TITLE_MAX,
} from './admin-fields.ts';
import { APPLICATION_EXPERIENCES } from './experiences.ts';
import { FACILITY_TYPES, GROUP_TYPES } from './groups.ts';
import { PERMISSION_FLAGS } from './permissions.ts';
import { id, instant, mailedText } from './primitives.ts';
import { US_STATES } from './states.ts';
import { USER_STATUSES } from './user-statuses.ts';
import { newUsername } from './users.ts';

/** The organization it belongs to, for operators, who see several; null for everyone else. */
const organization = z.object({ id, name: z.string() }).nullable();
/** Changes whenever the record changes. */
const version = z.string();
/**
 * In a change: the version that was read. If the record has another version by now, the change is refused with CHANGED_BY_OTHER. Without
 * it, the record is replaced in any case.
 */
export const versionRead = { version: version.max(100).optional() };

export { USER_STATUSES };

const requiredText = ({ max, required }: TextRule) => z.string().trim().min(1, required).max(max);

/** What a user may do on a team for one of its groups: a role, with single flags added or removed. */
export const grant = z.object({
  teamId: id,
  groupId: id,
  roleId: id,
  added: z.array(z.enum(PERMISSION_FLAGS)).default([]),
  removed: z.array(z.enum(PERMISSION_FLAGS)).default([]),
});
export type Grant = z.infer<typeof grant>;
/** A grant as stored. `isProvisioned`: it follows from a group of the identity provider, and cannot be changed here. */
export const heldGrant = grant.extend({ isProvisioned: z.literal(true).optional() });

export const userFields = z.object({
  firstName: mailedText(requiredText(USER_TEXTS.firstName)),
  lastName: mailedText(requiredText(USER_TEXTS.lastName)),
  title: mailedText(z.string().trim().max(USER_TITLE_MAX)).nullish(),
  applicationExperience: z.enum(APPLICATION_EXPERIENCES).default('JANUS'),
  grants: z.array(grant).max(500),
});

/** A person to invite. They get a mail with a link that activates the account. Without grants, access can be given later. */
export const newUser = userFields.extend({ username: newUsername, grants: z.array(grant).max(500).default([]) });

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
  hasPasskey: z.boolean(),
  createdDate: instant,
  lastSignInDate: instant.nullable(),
  lastActivationEmailDate: instant.nullable(),
  grants: z.array(heldGrant),
  /** What they asked for themselves and another administrator has not confirmed yet. */
  waitingGrants: z.array(grant),
  /** Whether this is the signed-in administrator, who cannot remove their own rights. */
  isSelf: z.boolean(),
  organization,
  version,
});
export type AdminUser = z.infer<typeof adminUser>;

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
  /** Mails with a link for a facility repeat it. */
  name: mailedText(requiredText(TEAM_TEXTS.name)),
  abbreviation: requiredText(TEAM_TEXTS.abbreviation),
  type: z.enum(GROUP_TYPES),
  groupIds: z.array(id).min(1, TEAM_GROUPS_REQUIRED).max(500),
});
export type TeamFields = z.infer<typeof teamFields>;

export const adminGroup = z.object({
  id,
  name: z.string(),
  type: z.enum(GROUP_TYPES),
  facilityType: z.enum(FACILITY_TYPES).nullable(),
  state: z.enum(US_STATES, { error: 'Choose a US state or territory.' }).nullable(),
  timeZone: z.string(),
  address: z.string().nullable(),
  isAutomated: z.boolean(),
  isPart2Facility: z.boolean(),
  /** Whether it is a facility without a feed where no one may enter patients yet, because no operator has approved it. */
  waitsForApproval: z.boolean(),
  /** Whether the signed-in administrator may approve it now. */
  canApprove: z.boolean(),
  /** Whether it has a 42 CFR Part 2 mark that the signed-in administrator may remove, being an operator. */
  canLiftPart2: z.boolean(),
  /** For operators: the administrator who asked for the approval; null if that is not recorded. */
  askedBy: z.string().nullable(),
  organization,
  version,
});
export type AdminGroup = z.infer<typeof adminGroup>;
export const groupFields = adminGroup
  .omit({
    id: true,
    waitsForApproval: true,
    canApprove: true,
    canLiftPart2: true,
    askedBy: true,
    organization: true,
    version: true,
  })
  .extend({
    name: requiredText(GROUP_TEXTS.name),
    facilityType: adminGroup.shape.facilityType.default(null),
    timeZone: z.string().max(60),
    address: z.string().trim().max(300).nullable(),
  });
export type GroupFields = z.infer<typeof groupFields>;
export const newGroup = groupFields.extend({
  state: adminGroup.shape.state.default(null),
  address: groupFields.shape.address.default(null),
  isAutomated: z.boolean().default(false),
  isPart2Facility: z.boolean().default(false),
});

/** What forms choose from: every team and group by name, without what only their own pages show. */
export const directory = z.object({
  teams: z.array(adminTeam.pick({ id: true, name: true, groupIds: true, organization: true })),
  groups: z.array(adminGroup.pick({ id: true, name: true, type: true, timeZone: true, organization: true })),
});
export type DirectoryTeam = z.infer<typeof directory>['teams'][number];
export type DirectoryGroup = z.infer<typeof directory>['groups'][number];

/** A closed group that can be reopened. */
export const endedGroup = adminGroup
  .pick({ id: true, name: true, type: true, facilityType: true })
  .extend({ endedDate: instant });
export type EndedGroup = z.infer<typeof endedGroup>;

export const adminRole = z.object({
  id,
  name: z.string(),
  permissions: z.array(z.enum(PERMISSION_FLAGS)),
  /** Whether it is one of the five roles that every organization has, which cannot be changed. */
  isStandard: z.boolean(),
  userCount: z.number().int(),
  /** Null for a standard role. */
  organization,
  version,
});
export type AdminRole = z.infer<typeof adminRole>;
export const roleFields = z.object({
  name: requiredText(ROLE_TEXTS.name),
  permissions: z.array(z.enum(PERMISSION_FLAGS)),
});
export type RoleFields = z.infer<typeof roleFields>;

/** A pending request to join a group. */
export const accessRequest = z.object({
  id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  title: z.string().nullable(),
  groupId: id,
  groupName: z.string(),
  createdDate: instant,
  organization,
});
export type AccessRequest = z.infer<typeof accessRequest>;

/** Access that an administrator asked for themselves. Another administrator of the group, or an operator, confirms it. */
export const pendingGrant = grant.extend({
  added: z.array(z.enum(PERMISSION_FLAGS)),
  removed: z.array(z.enum(PERMISSION_FLAGS)),
  id,
  userId: id,
  userName: z.string(),
  teamName: z.string(),
  groupName: z.string(),
  roleName: z.string(),
  /** The permissions that they don't have there yet. */
  adds: z.array(z.enum(PERMISSION_FLAGS)),
  isOwn: z.boolean(),
  canConfirm: z.boolean(),
  createdDate: instant,
  organization,
  version,
});
export type PendingGrant = z.infer<typeof pendingGrant>;

export const SSO_KINDS = ['OIDC', 'SAML', 'SMART'] as const;
/** A connection to an identity provider or an EHR. A secret is stored but never returned: `hasSecret` says whether there is one. */
export const ssoConnection = z.object({
  id,
  kind: z.enum(SSO_KINDS),
  name: z.string(),
  isEnabled: z.boolean(),
  /** Whether someone of the organization has signed in through the provider as it is set up now. Only then can the connection be enabled. */
  isTested: z.boolean(),
  /** People with these email domains sign in here once the domain is verified, e.g. 'lakeshore.example'. */
  domains: z.array(z.string()),
  /** For each domain the TXT record that verifies it, and how it was verified; null while it is pending. */
  domainStates: z.array(
    z.object({ domain: z.string(), record: z.string(), verifiedBy: z.enum(['DNS', 'OPERATOR']).nullable() }),
  ),
  /** Whether everyone of the organization has to sign in with single sign-on, and only this connection lets them: it can't be given up then. */
  isOnlyWayIn: z.boolean(),
  /** Whether the signed-in administrator is an operator, who may approve domains. */
  canApproveDomains: z.boolean(),
  /** OIDC and SMART: the issuer; SAML: the entity ID of the identity provider. */
  issuer: z.string(),
  clientId: z.string().nullable(),
  hasSecret: z.boolean(),
  /** SAML: the sign-in URL, and below the certificates (PEM) that sign assertions. */
  entryPoint: z.string().nullable(),
  certificates: z.array(z.string()),
  /** SMART: origins that may show our pages in a frame. */
  allowedOrigins: z.array(z.string()),
  /** The experience of users who sign in this way. */
  applicationExperience: z.enum(APPLICATION_EXPERIENCES),
  /** What the identity provider or EHR has to know about us. */
  callbackUrl: z.string(),
  metadataUrl: z.string().nullable(),
  organization,
  version,
});
export type SsoConnection = z.infer<typeof ssoConnection>;
export const ssoConnectionFields = ssoConnection
  .omit({
    id: true,
    isTested: true,
    domainStates: true,
    isOnlyWayIn: true,
    canApproveDomains: true,
    hasSecret: true,
    callbackUrl: true,
    metadataUrl: true,
    organization: true,
    version: true,
  })
  .extend({
    name: z.string().max(CONNECTION_TEXTS.name.max),
    domains: z.array(z.string().max(253)).max(100),
    issuer: z.string().max(1024),
    clientId: z.string().max(1024).nullable(),
    entryPoint: z.string().max(2000).nullable(),
    certificates: z.array(z.string().max(20_000)).max(10),
    allowedOrigins: z.array(z.string().max(300)).max(20),
    clientSecret: z.string().max(CLIENT_SECRET_MAX).nullish(),
  });
export type NewSsoConnection = z.input<typeof ssoConnectionFields>;

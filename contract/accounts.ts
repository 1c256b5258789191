/** Signing in, the current user, and what the pages need to know before anyone has signed in. */
import { z } from 'zod';
import { APPLICATION_EXPERIENCES, PRIMARY_CLINICAL_SETTINGS, type PrimaryClinicalSetting } from './experiences.ts';
import { GROUP_TYPES } from './groups.ts';
import { PERMISSION_FLAGS } from './permissions.ts';
import { id, instant } from './primitives.ts';
import { searchPreference } from './saved-filters.ts';
import { preferences } from './users.ts';

export const credentials = z.object({
  username: z.string().trim().toLowerCase().min(1, 'Enter your username.').max(254),
  password: z.string().min(1, 'Enter your password.').max(1024),
});

export const signInAnswer = z.object({ next: z.enum(['home', 'mfa', 'change-password', 'enroll']) });

export const teamGroup = z.object({
  id,
  name: z.string(),
  state: z.string().nullable(),
  type: z.enum(GROUP_TYPES),
  isAutomated: z.boolean(),
  timeZone: z.string(),
  permissions: z.array(z.enum(PERMISSION_FLAGS)),
});

export const team = z.object({
  id,
  createdDate: instant,
  abbreviation: z.string(),
  name: z.string(),
  type: z.enum(GROUP_TYPES),
  /** Keyed by group id. */
  groups: z.record(z.string(), teamGroup),
  organization: z.object({ id: z.string(), name: z.string(), createdDate: instant.nullable() }),
  /** Every flag that the user holds for at least one of the groups. */
  permissions: z.array(z.enum(PERMISSION_FLAGS)),
});
export type Team = z.infer<typeof team>;

export const user = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  title: z.string().nullable(),
  userTypeTitle: z.string().nullable(),
  username: z.string(),
  previousSuccessfulLogin: instant.nullable(),
  /** Keyed by team id. */
  teams: z.record(z.string(), team),
  createdDate: instant,
  currentLoginDate: instant.nullable(),
  firstLoginDate: instant.nullable(),
  usersFirstLogin: z.boolean(),
  numberSuccessfulLogins: z.number().int(),
  primaryClinicalSetting: z.enum(Object.keys(PRIMARY_CLINICAL_SETTINGS) as [PrimaryClinicalSetting]).nullable(),
  lastActivationEmailDate: instant.nullable(),
  isSSO: z.boolean(),
  isAuth0: z.boolean(),
  applicationExperience: z.enum(APPLICATION_EXPERIENCES),
  /** The patient that an EHR launch opened; null in every other session. */
  patientId: z.string().nullable(),
  ehrPatientIdentifier: z.string().nullable(),
  needPatientBanner: z.boolean(),
  mfaOptedIn: z.boolean(),
});
export type User = z.infer<typeof user>;

export const me = z.object({
  daysUntilPasswordExpiration: z.number().int().nullable(),
  previousSuccessfulLogin: instant.nullable(),
  numberSuccessfulLogins: z.number().int(),
  mfaOptedIn: z.boolean(),
  user,
  defaultTeam: id.nullable(),
  /** Here, and not only in the profile, because the first page depends on them: so its rows can be asked for at once. */
  preferences,
  /** The default filter of each module in the default team, for the same reason. */
  defaultFilters: z.array(searchPreference),
  /** When the session ends, however active the user is. */
  sessionEndsAt: instant,
  /** Minutes without activity after which the session ends. */
  inactivityMinutes: z.number().int(),
  /**
   * Encrypts unsaved drafts in the browser while it leaves to sign in with an identity provider, so that only the same user can read
   * them afterwards (docs/decisions/0022).
   */
  draftKey: z.string(),
});
export type Me = z.infer<typeof me>;

export const applicationInfo = z.object({
  version: z.string(),
  productName: z.string(),
  companyName: z.string(),
  support: z.object({ email: z.string().nullable(), phone: z.string().nullable(), link: z.string().nullable() }),
  features: z.object({
    /** The support widget's script, its hash, and whether pages with patients load it too (docs/support-widget.md); null without a widget. */
    supportWidget: z.object({ url: z.string(), integrity: z.string(), onPatientPages: z.boolean() }).nullable(),
    /** Accounts listed on the sign-in page; empty except on a demo installation. */
    demoAccounts: z.array(z.object({ username: z.string(), password: z.string(), about: z.string() })),
  }),
  limits: z.object({ rosterRows: z.number().int(), rosterBytes: z.number().int() }),
});
export type ApplicationInfo = z.infer<typeof applicationInfo>;

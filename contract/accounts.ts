/** Sign-in and the current user (specification, first file, sections 3 and 7). */
import { z } from 'zod';
import { APPLICATION_EXPERIENCES, PRIMARY_CLINICAL_SETTINGS, type PrimaryClinicalSetting } from './experiences.ts';
import { GROUP_TYPES } from './groups.ts';
import { PERMISSION_FLAGS } from './permissions.ts';
import { id, instant } from './primitives.ts';

export const credentials = z.object({
  username: z.string().trim().toLowerCase().min(1, 'Enter your username.').max(254),
  password: z.string().min(1, 'Enter your password.').max(1024),
});

export const signInAnswer = z.object({ next: z.enum(['home', 'mfa', 'change-password']) });

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
  /** The union over the groups. */
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
  /** In an EHR launch with a patient: who was opened. */
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
  /** Of the clock that the user reads times on (IANA). */
  timeZone: z.string(),
  /** With it the browser closes what the user has half written before it leaves for a sign-in elsewhere; only the same user opens it. */
  draftKey: z.string(),
});
export type Me = z.infer<typeof me>;

export const applicationInfo = z.object({
  version: z.string(),
  productName: z.string(),
  companyName: z.string(),
  support: z.object({ email: z.string().nullable(), phone: z.string().nullable(), link: z.string().nullable() }),
  features: z.object({
    /** The script of a product-updates and support widget, which is handed the data of docs/support-widget.md; null: our own page. */
    supportWidgetUrl: z.string().nullable(),
    /** Accounts that the sign-in page names, on a demo installation only. */
    demoAccounts: z.array(z.object({ username: z.string(), password: z.string(), about: z.string() })),
  }),
  limits: z.object({ rosterRows: z.number().int(), rosterBytes: z.number().int() }),
});
export type ApplicationInfo = z.infer<typeof applicationInfo>;

/** A user's own account: password, two-step verification, passkeys, sessions, preferences. */
import { z } from 'zod';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './constants.ts';
import { INBOX_LIST_CODES } from './inbox-lists.ts';
import { id, instant } from './primitives.ts';

export const TOKEN_PURPOSES = ['ACCOUNT_ACTIVATION', 'PASSWORD_RESET', 'ACCOUNT_UNLOCK'] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

/**
 * Returns the path of the page that a mailed token opens. The token follows the `#`, so that browsers send it to no server and put it into
 * no referrer.
 */
export const tokenPath = (purpose: TokenPurpose, token: string): string =>
  `${purpose === 'ACCOUNT_ACTIVATION' ? '/registration' : '/password/set'}#token=${encodeURIComponent(token)}`;

export const username = z.string().trim().toLowerCase().min(1, 'Enter your username.').max(254);
/** A new account's username is an email address, because its mail goes there. */
export const newUsername = username.check(z.email('Enter an email address.'));
export const newPassword = z
  .string()
  .min(PASSWORD_MIN_LENGTH, `Use at least ${PASSWORD_MIN_LENGTH} characters.`)
  .max(PASSWORD_MAX_LENGTH, `Use at most ${PASSWORD_MAX_LENGTH} characters.`);

/** A signed-in user's password, a verification or recovery code, or a passkey's answer to `POST /api/authenticate/passkey/options`. */
export const identityProof = z.union([
  z.object({ password: z.string().min(1, 'Enter your password.').max(1024) }),
  z.object({ code: z.string().trim().min(6).max(20) }),
  z.object({ response: z.record(z.string().max(100), z.unknown()) }),
]);

/** A browser that the user has signed in from. */
export const knownDevice = z.object({
  /** E.g. 'Chrome on Windows'; empty if it was not recorded. */
  name: z.string(),
  lastUsedDate: instant,
});
export type KnownDevice = z.infer<typeof knownDevice>;

export const passkey = z.object({ id, name: z.string(), createdDate: instant, lastUsedDate: instant.nullable() });
export type Passkey = z.infer<typeof passkey>;

/** What a mailed token is for; its page asks first. An unknown, used or expired token is NOT_FOUND. */
export const tokenInfo = z.object({
  purpose: z.enum(TOKEN_PURPOSES),
  username: z.string(),
  firstName: z.string(),
  expiresAt: instant,
  /** What opens the account, or is known to it, beside the password: removed with the new password unless they are kept. */
  passkeys: z.array(passkey.omit({ id: true })),
  devices: z.array(knownDevice),
});

/** An enrollment that is not confirmed yet. `qrCode` is a data URL with an SVG image of `otpauthUrl`. */
export const mfaEnrolment = z.object({ secret: z.string(), otpauthUrl: z.string(), qrCode: z.string() });

export const session = z.object({
  /** Opaque; not the session's token. */
  id: z.string(),
  createdDate: instant,
  lastSeenDate: instant,
  /** Browser and operating system, e.g. 'Chrome on Windows'. */
  device: z.string(),
  /** The address of the browser at sign-in; empty if it wasn't recorded. */
  address: z.string(),
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const DENSITIES = ['comfortable', 'compact'] as const;
export { TIME_ZONE_LABELS } from './time-zones.ts';

const columns = z.array(z.string().regex(/^\w{1,40}$/)).max(40);

export const preferences = z.object({
  /** IANA name. */
  timeZone: z.string().max(60),
  density: z.enum(DENSITIES),
  singleKeyShortcuts: z.boolean(),
  /** Codes of the columns shown in the patient list, the list of stays and that of rising risk, in any order; the default columns if left out. */
  patientColumns: columns.optional(),
  stayColumns: columns.optional(),
  riskColumns: columns.optional(),
  /** The list of the inbox that the user chose last; the unresolved pings if left out. */
  inboxList: z.enum(INBOX_LIST_CODES).optional(),
});
export type Preferences = z.infer<typeof preferences>;
export const DEFAULT_PREFERENCES: Preferences = {
  timeZone: 'America/New_York',
  density: 'comfortable',
  singleKeyShortcuts: true,
};

export const profile = z.object({
  preferences,
  /** The last four digits; null if no number is confirmed. */
  notificationPhone: z.string().nullable(),
  mfaOptedIn: z.boolean(),
  recoveryCodesLeft: z.number().int(),
  passkeys: z.array(passkey),
  sessions: z.array(session),
  /** Null if the account has no password. */
  daysUntilPasswordExpiration: z.number().int().nullable(),
  hasPassword: z.boolean(),
  /** The organization signs the user in: this account's own password, passkeys and codes are not used, and none can be set up. */
  isManagedElsewhere: z.boolean(),
});
export type Profile = z.infer<typeof profile>;

/** Features that a user can opt out of. */
export const OPT_OUT_FEATURES = ['DISCHARGE_SUMMARY_MIHIN', 'PALETTE_ACTIONS'] as const;

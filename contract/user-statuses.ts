/**
 * The status of an account, as administrators see it. CREATED: the identity provider created it, nobody was mailed, and its owner has not signed in
 * there yet. LOCKED: its owner has to set a new password by mail.
 */
export const USER_STATUSES = ['ACTIVE', 'INVITED', 'CREATED', 'LOCKED', 'DISABLED'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** Filters of the list of users. NEVER: they have not signed in yet; OVER_30_DAYS and OVER_90_DAYS: not for so long, including never. */
export const LAST_SIGN_INS = ['NEVER', 'OVER_30_DAYS', 'OVER_90_DAYS'] as const;
export type LastSignIn = (typeof LAST_SIGN_INS)[number];
/** How they sign in: SSO; by password and a code, or by passkey; with nothing but a password. */
export const SIGN_IN_WAYS = ['SSO', 'SECOND_FACTOR', 'PASSWORD_ONLY'] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];
/** LAST_SIGN_IN has the latest first, LONGEST_AWAY those who have not signed in for longest or never, CREATED the newest. */
export const USER_SORTS = ['NAME', 'LAST_SIGN_IN', 'LONGEST_AWAY', 'CREATED'] as const;
export type UserSort = (typeof USER_SORTS)[number];

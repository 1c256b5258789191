/** The status of an account, as administrators see it. LOCKED: its owner has to set a new password by mail. */
export const USER_STATUSES = ['ACTIVE', 'INVITED', 'LOCKED', 'DISABLED'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

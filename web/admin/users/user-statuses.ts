import type { AdminUser } from '#contract/admin.ts';

export type UserStatus = AdminUser['status'];
/** As the contract's USER_STATUSES, without loading its schemas. */
export const USER_STATUS_CODES = ['ACTIVE', 'INVITED', 'LOCKED', 'DISABLED'] as const satisfies readonly UserStatus[];

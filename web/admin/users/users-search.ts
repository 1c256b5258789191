import { USER_STATUSES, type UserStatus } from '#contract/user-statuses.ts';

/** The part of the user list's state that is in the URL: status and page. A typed name is not. */
export interface UsersSearch {
  status?: UserStatus;
  p?: number;
}

/** Reads the state from a URL, ignoring what is invalid. */
export const usersSearch = (search: Record<string, unknown>): UsersSearch => {
  const status = USER_STATUSES.find((code) => code === search['status']);
  const p = Number(search['p']);
  return { ...(status ? { status } : {}), ...(Number.isInteger(p) && p > 1 ? { p } : {}) };
};

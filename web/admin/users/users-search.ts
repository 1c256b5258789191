import { USER_STATUS_CODES, type UserStatus } from './user-statuses.ts';

/** What of the list of users stands in the URL: the status and the page. A typed name does not. */
export interface UsersSearch {
  status?: UserStatus;
  p?: number;
}

/** Reads it from a URL that anybody may have typed. */
export const usersSearch = (search: Record<string, unknown>): UsersSearch => {
  const status = USER_STATUS_CODES.find((code) => code === search['status']);
  const p = Number(search['p']);
  return { ...(status ? { status } : {}), ...(Number.isInteger(p) && p > 1 ? { p } : {}) };
};

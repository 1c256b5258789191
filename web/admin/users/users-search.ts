import { USER_STATUSES, type UserStatus } from '#contract/user-statuses.ts';
import { type PagedSearch, pagedSearch } from '../paging/paged-search.ts';

/** The part of the user list's state that is in the URL: status, page, and a user to open. A typed name is not. */
export interface UsersSearch extends PagedSearch {
  status?: UserStatus;
  /** A user whose drawer opens. */
  user?: number;
}

/** Reads the state from a URL, ignoring what is invalid. */
export const usersSearch = (search: Record<string, unknown>): UsersSearch => {
  const status = USER_STATUSES.find((code) => code === search['status']);
  const user = Number(search['user']);
  return {
    ...(status ? { status } : {}),
    ...(user > 0 ? { user } : {}),
    ...pagedSearch(search),
  };
};

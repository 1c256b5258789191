import { USER_STATUSES, type UserStatus } from '#contract/user-statuses.ts';
import { type PagedSearch, pagedSearch } from '../paging/paged-search.ts';

/** The part of the user list's state that is in the URL: status and page. A typed name is not. */
export interface UsersSearch extends PagedSearch {
  status?: UserStatus;
}

/** Reads the state from a URL, ignoring what is invalid. */
export const usersSearch = (search: Record<string, unknown>): UsersSearch => {
  const status = USER_STATUSES.find((code) => code === search['status']);
  return { ...(status ? { status } : {}), ...pagedSearch(search) };
};

import {
  LAST_SIGN_INS,
  type LastSignIn,
  SIGN_IN_WAYS,
  type SignInWay,
  USER_SORTS,
  USER_STATUSES,
  type UserSort,
  type UserStatus,
} from '#contract/user-statuses.ts';
import { oneOf, wholeIn } from '../../router/search-values.ts';
import { type PagedSearch, pagedSearch } from '../paging/paged-search.ts';

/** What limits and orders the list of users, besides a typed name. Ids are those of teams, groups and roles. */
export interface UserFilterValues {
  status?: UserStatus;
  team?: number;
  group?: number;
  role?: number;
  away?: LastSignIn;
  by?: SignInWay;
  sort?: UserSort;
}

/** The part of the user list's state that is in the URL: filters, page, and a user to open. A typed name is not. */
export interface UsersSearch extends PagedSearch, UserFilterValues {
  /** A user whose drawer opens. */
  user?: number;
}

/** Reads the filters from a URL, ignoring what is invalid. */
export const userFiltersIn = (search: Record<string, unknown>): UserFilterValues => {
  const status = oneOf(search['status'], USER_STATUSES);
  const away = oneOf(search['away'], LAST_SIGN_INS);
  const by = oneOf(search['by'], SIGN_IN_WAYS);
  const sort = USER_SORTS.find((code) => code !== 'NAME' && code === search['sort']);
  const [team, group, role] = [wholeIn(search['team']), wholeIn(search['group']), wholeIn(search['role'])];
  return {
    ...(status ? { status } : {}),
    ...(team ? { team } : {}),
    ...(group ? { group } : {}),
    ...(role ? { role } : {}),
    ...(away ? { away } : {}),
    ...(by ? { by } : {}),
    ...(sort ? { sort } : {}),
  };
};

/** Reads the state from a URL, ignoring what is invalid. */
export const usersSearch = (search: Record<string, unknown>): UsersSearch => {
  const user = wholeIn(search['user']);
  return { ...userFiltersIn(search), ...(user ? { user } : {}), ...pagedSearch(search) };
};

/** Returns the filters as the API takes them. */
export const userQueryOf = ({ status, team, group, role, away, by, sort }: UserFilterValues) => ({
  ...(status ? { status } : {}),
  ...(team ? { teamId: String(team) } : {}),
  ...(group ? { groupId: String(group) } : {}),
  ...(role ? { roleId: String(role) } : {}),
  ...(away ? { lastSignIn: away } : {}),
  ...(by ? { signsInBy: by } : {}),
  ...(sort ? { sort } : {}),
});
export type UserQuery = ReturnType<typeof userQueryOf>;

import { queryOptions } from '@tanstack/react-query';
import type { Me, Team } from '#contract/accounts.ts';
import type { ErrorKey } from '#contract/errors.ts';
import { call, callForTeam } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetAll } from '../ui/forget.ts';
import { apply } from './apply-preferences.ts';
import { forgetDrafts, restoreDrafts } from './drafts.ts';
import { keepTabTeam, tabTeam } from './tab-team.ts';
import { postToTabs } from './tabs.ts';
import { restoreTyped } from './typed-memory.ts';

/** The user who has seen pages in this document, also after the session has ended. */
let lastUserId: string | null = null;
export const userOfDocument = (): string | null => lastUserId;

/** Loads a new document for a user other than the last: of the last one nothing may remain, neither address nor drafts. */
const openAfresh = (userId: string): Promise<never> => {
  forgetAll();
  forgetDrafts();
  postToTabs({ kind: 'signed-in', userId });
  location.replace('/');
  return new Promise(() => {});
};

/** Key of the default filters, which come with the user too. */
export const SEARCH_PREFERENCES_KEY = ['search-preferences'] as const;

const UNFINISHED: ReadonlySet<ErrorKey> = new Set(['PASSWORD_CHANGE_REQUIRED', 'SECOND_FACTOR_REQUIRED']);

/** Returns the user with the team of this tab as the selected one, for which every later call is made; the tab keeps it. */
const inTabTeam = (me: Me): Me => {
  const mine = tabTeam(me.user.id);
  const here = mine !== null && mine in me.user.teams ? { ...me, defaultTeam: mine } : me;
  const team = selectedTeam(here);
  callForTeam(team?.id ?? null);
  if (team) keepTabTeam(me.user.id, team.id);
  return here;
};

/** Returns the current user; null when signed out. */
export const fetchMe = async (): Promise<Me | null> => {
  try {
    const saved = await call('GET /api/me');
    if (lastUserId !== null && lastUserId !== saved.user.id) return await openAfresh(saved.user.id);
    lastUserId = saved.user.id;
    const me = inTabTeam(saved);
    apply(me.preferences);
    // They are those of the saved team.
    if (selectedTeam(me) === selectedTeam(saved)) queryClient.setQueryData(SEARCH_PREFERENCES_KEY, me.defaultFilters);
    const owner = { userId: me.user.id, draftKey: me.draftKey };
    await restoreDrafts(owner);
    await restoreTyped(owner);
    return me;
  } catch (error) {
    // With an expired password, or without a second factor that is required, the user isn't signed in until that is mended.
    if (error instanceof ApiError && (error.status === 401 || UNFINISHED.has(error.errorKey))) return null;
    throw error;
  }
};

/** The current user; null when signed out. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: fetchMe });

/** Version, names, contacts and limits of this installation. */
export const applicationInfoQuery = queryOptions({
  queryKey: ['application-info'],
  queryFn: () => call('GET /api/application-info'),
});

/** Returns the team of this tab, which `fetchMe` has put in the place of the user's default team; or else the first. */
export const selectedTeam = ({ user, defaultTeam }: Me): Team | undefined =>
  (defaultTeam ? user.teams[defaultTeam] : undefined) ?? Object.values(user.teams)[0];

const KEPT = new Set<unknown>([meQuery.queryKey[0], applicationInfoQuery.queryKey[0]]);

/**
 * Removes everything that was loaded for a user and team. `queryClient.clear()` won't do: the observers of `meQuery` would stay
 * attached to a query that no longer exists, and miss the next user or team.
 */
export const clearLoadedData = (): void => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
  queryClient.getMutationCache().clear();
};

/** Removes what no page on the screen shows, and loads the rest again. */
export const removeUnusedData = (): void => {
  const isLoaded = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => !KEPT.has(queryKey[0]);
  queryClient.removeQueries({ type: 'inactive', predicate: isLoaded });
  void queryClient.invalidateQueries({ predicate: isLoaded });
};

/** Key of the access that administrators asked for, which a change of rights may have decided. */
export const PENDING_GRANTS_KEY = ['admin-pending-grants'] as const;

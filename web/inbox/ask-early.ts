import { queryClient } from '../api/query-client.ts';
import { criteriaAt, hasCriteria } from '../filters/filter-search.ts';
import { searchPreferencesQuery } from '../filters/saved-filter-queries.ts';
import { parametersIn } from '../filters/use-filters.ts';
import type { Requested } from '../router/routes.ts';
import { meQuery } from '../session/queries.ts';
import { pingsQuery } from './inbox-queries.ts';
import { type InboxSearch, inboxKind, listCodeOf, sharedFilters } from './inbox-search.ts';

/** When the inbox was opened last, in epoch milliseconds. */
let openedAt = 0;

/**
 * Asks for the rows with which the inbox opens, before it is rendered: on a slow machine that takes as long as the answer. The page asks for
 * the same, and joins this call. What opens with a saved filter, typed text or the filter panel is left to the page.
 */
export const askEarly = ({ location: { state }, search: found, params }: Requested): void => {
  openedAt = Date.now();
  const me = queryClient.getQueryData(meQuery.queryKey);
  const search = found as InboxSearch;
  if (!me || state.typed || search.showFilters || 'filterId' in params) return;
  const kind = inboxKind(listCodeOf(search, me.preferences), sharedFilters(search, me.user.id));
  const defaultFilters = queryClient.getQueryData(searchPreferencesQuery.queryKey);
  const hasDefault = defaultFilters?.some(({ moduleName }) => moduleName === kind.module) ?? true;
  if (hasDefault && !hasCriteria(search, {})) return;
  void queryClient.prefetchQuery(pingsQuery(parametersIn(kind, search, criteriaAt(search, {}, kind.defaults))));
};

/** Whether rows were loaded before the inbox was opened; if not, they are those that were asked for early. */
export const isFromBefore = ({ state }: { state: { dataUpdatedAt: number } }): boolean =>
  state.dataUpdatedAt <= openedAt;

import { useQuery } from '@tanstack/react-query';
import type { InboxListCode } from '#contract/inbox-lists.ts';
import { queryClient } from '../api/query-client.ts';
import { useSearch } from '../router/hooks.ts';
import { profileQuery, savePreferences } from '../session/preferences.ts';
import type { InboxSearch } from './inbox-search.ts';

/** Returns the list in the URL, or else the one that the user chose last; null until that is known. The first visit opens the unresolved pings. */
export const useListCode = (): InboxListCode | null => {
  const { status } = useSearch() as InboxSearch;
  const { data, isPending } = useQuery({ ...profileQuery, retry: false, enabled: status === undefined });
  if (status) return status;
  return isPending ? null : (data?.preferences.inboxList ?? 'NEW');
};

/** Remembers the list for the next visit. Without an answer, the next visit opens the one before. */
export const rememberList = (inboxList: InboxListCode): void => {
  const preferences = queryClient.getQueryData(profileQuery.queryKey)?.preferences;
  if (preferences && preferences.inboxList !== inboxList)
    void savePreferences({ ...preferences, inboxList }).catch(() => {});
};

import type { QueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { pingsQuery, type SearchResults, shownRows } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import { whenSaved } from './status-change.ts';
import type { useArrivals } from './use-arrivals.ts';

interface Comparison {
  client: QueryClient;
  parameters: InboxList['parameters'];
  arrivals: ReturnType<typeof useArrivals>;
  /** Whether the page still shows this list. */
  isShown: () => boolean;
}

/** Returns the ways to compare a list on the page with the server's. */
export const comparison = ({ client, parameters, arrivals, isShown }: Comparison) => {
  const { queryKey } = pingsQuery(parameters);
  /** Asks for the list again. Takes the answer over if every row keeps its place; otherwise offers it. */
  const compare = async (): Promise<void> => {
    // The first answer comes first: it is older than the one asked for below and must not replace it.
    if (!client.getQueryData(queryKey)) await client.fetchQuery(pingsQuery(parameters));
    await whenSaved();
    const next = await call('POST /api/pings', { body: parameters });
    if (!isShown()) return;
    const ids = shownRows(client, parameters).map(({ id }) => id);
    const nextIds = next.patients.map(({ id }) => id);
    const same = ids.length === nextIds.length && ids.every((id, place) => id === nextIds[place]);
    if (same || ids.length === 0) client.setQueryData(queryKey, next);
    else {
      arrivals.wait(nextIds.filter((id) => !ids.includes(id)));
      arrivals.markChanged();
    }
  };
  /** After an interruption: asks for the list again only if it is another one than on the page. */
  const compareIfChanged = async (): Promise<void> => {
    const shown = client.getQueryData<SearchResults>(queryKey) ?? (await client.fetchQuery(pingsQuery(parameters)));
    const now = await call('POST /api/pings-result-hashes', { body: parameters }).catch(() => null);
    if (!isShown() || (now !== null && now.hash === shown.hash)) return;
    await compare();
  };
  return { compare, compareIfChanged };
};

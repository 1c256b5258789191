import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { reportError } from '../errors/report.ts';
import { RETRY_PAUSE, RETRY_TRIES } from '../errors/retry.ts';
import { ApiError, isUnavailable } from './error.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `isPage`: without its data there is no page to show. */
    queryMeta: { isPage?: boolean };
  }
}

/** Whether this document has shown a page, which may hold what its user typed. */
let hasShownPage = false;

/** `call` reports failed calls (ApiError), and a missing answer (TypeError of fetch) is nothing to report; anything else is a bug in the page. */
const report = (error: unknown): void => {
  if (!(error instanceof ApiError) && !(error instanceof TypeError)) reportError('redux', error);
};

/** Goes to the error page if the server is unavailable and there is no page to show yet. Later, a call fails where it was made. */
const onQueryError = (error: unknown, { meta }: Query<unknown, unknown, unknown>): void => {
  report(error);
  if (meta?.isPage && !hasShownPage && isUnavailable(error)) location.assign('/error');
};
const onQuerySuccess = (_: unknown, { meta }: Query<unknown, unknown, unknown>): void => {
  if (meta?.isPage) hasShownPage = true;
};

/**
 * Lists never refetch by themselves: the live stream says what changed, and rows must not move while someone reads them. Only a
 * call without an answer is retried.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onQueryError, onSuccess: onQuerySuccess }),
  mutationCache: new MutationCache({ onError: report }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
      retry: (tries, error) => !(error instanceof ApiError) && tries < RETRY_TRIES - 1,
      retryDelay: RETRY_PAUSE,
    },
    mutations: { networkMode: 'always' },
  },
});

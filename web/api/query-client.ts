import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reportError } from '../errors/report.ts';
import { RETRY_PAUSE, RETRY_TRIES } from '../errors/retry.ts';
import { ApiError } from './error.ts';

/** `call` reports failed calls (ApiError), and a missing answer (TypeError of fetch) is nothing to report; anything else is a bug in the page. */
const onError = (error: unknown): void => {
  if (!(error instanceof ApiError) && !(error instanceof TypeError)) reportError('redux', error);
};

/**
 * Lists never refetch by themselves: the live stream says what changed, and rows must not move while someone reads them. Only a
 * call without an answer is retried, and what could not be loaded at all is loaded once the browser is back online.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: ({ state }) => (state.status === 'error' && state.data === undefined ? 'always' : false),
      networkMode: 'always',
      retry: (tries, error) => !(error instanceof ApiError) && tries < RETRY_TRIES - 1,
      retryDelay: RETRY_PAUSE,
    },
    mutations: { networkMode: 'always' },
  },
});

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { RETRY_PAUSE, RETRY_TRIES } from '#contract/constants.ts';
import { reportError } from '../errors/report.ts';
import { ApiError } from './error.ts';

/** Calls report their own failures, and no answer (TypeError of fetch) is none; what remains is a mistake in what the page keeps. */
const onError = (error: unknown): void => {
  if (!(error instanceof ApiError) && !(error instanceof TypeError)) reportError('redux', error);
};

/**
 * Lists never refetch by themselves: the live stream says what changed, and what changed may not move what somebody reads. Only
 * a call that got no answer is tried again.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
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

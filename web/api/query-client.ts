import { QueryClient } from '@tanstack/react-query';
import { RETRY_PAUSE, RETRY_TRIES } from '#contract/constants.ts';
import { ApiError } from './error.ts';

/**
 * Lists never refetch by themselves: the live stream says what changed, and what changed may not move what somebody reads. Only
 * a call that got no answer is tried again.
 */
export const queryClient = new QueryClient({
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

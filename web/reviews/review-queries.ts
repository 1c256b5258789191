import { queryOptions, skipToken } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** How many reviews a page has, as the route pages them by default. */
export const REVIEWS_PER_PAGE = 20;

/** Starts the key of every page of reviews. */
export const REVIEWS_KEY = ['feed-reviews'];

/** A page of records of patients, so it is dropped from the cache once the list is closed. */
export const reviewsQuery = (pageNumber: number) =>
  queryOptions({
    queryKey: [...REVIEWS_KEY, pageNumber],
    queryFn: () => call('GET /api/feeds/reviews', { query: { pageNumber } }),
    staleTime: 0,
    gcTime: 0,
  });

/** How many matches the user may review. The live stream sends it. */
export const reviewCountQuery = queryOptions<number>({ queryKey: ['review-count'], queryFn: skipToken });

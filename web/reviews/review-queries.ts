import { queryOptions, skipToken } from '@tanstack/react-query';
import type { LiveEvents } from '#contract/live.ts';
import type { ReviewOrder } from '#contract/reviews.ts';
import { call } from '../api/call.ts';

/** How many reviews a page has, as the routes page them by default. */
export const REVIEWS_PER_PAGE = 20;

/** Starts the key of every page of reviews and of decisions. */
export const REVIEWS_KEY = ['feed-reviews'];

/** A page of records of patients, so it is dropped from the cache once the list is closed. */
export const reviewsQuery = (pageNumber: number, order: ReviewOrder) =>
  queryOptions({
    queryKey: [...REVIEWS_KEY, 'open', order, pageNumber],
    queryFn: () => call('GET /api/feeds/reviews', { query: { pageNumber, order } }),
    staleTime: 0,
    gcTime: 0,
  });

/** A page of decisions, dropped from the cache like the open ones. */
export const decidedQuery = (pageNumber: number) =>
  queryOptions({
    queryKey: [...REVIEWS_KEY, 'decided', pageNumber],
    queryFn: () => call('GET /api/feeds/reviews/decided', { query: { pageNumber } }),
    staleTime: 0,
    gcTime: 0,
  });

/** How many matches the user may review, and what changes with each. The live stream sends it. */
export const reviewCountQuery = queryOptions<LiveEvents['reviews']>({ queryKey: ['review-count'], queryFn: skipToken });

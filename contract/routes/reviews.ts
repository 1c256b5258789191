import { z } from 'zod';
import { id } from '../primitives.ts';
import { candidateId, decidedReview, REVIEW_ORDERS, review, reviewVersion } from '../reviews.ts';
import { pageQuery, type RouteTable } from './route.ts';

export const reviewsRoutes = {
  'GET /api/feeds/reviews': {
    permission: 'canManageUsers',
    summary: 'List matches to review, most likely or oldest first, with the records to compare',
    audit: 'match-review.list',
    query: z.object({ ...pageQuery, order: z.enum(REVIEW_ORDERS).default('likeliest') }),
    answer: z.object({
      reviews: z.array(review),
      total: z.number().int(),
      /** When the oldest open match came; null if there is none. */
      oldestDate: z.string().nullable(),
      /** Changes with each open match, of all pages. */
      revision: z.string(),
    }),
  },
  'GET /api/feeds/reviews/decided': {
    permission: 'canManageUsers',
    summary: 'List decisions about matches of the last 30 days, newest first',
    audit: 'match-review.list-decided',
    query: z.object(pageQuery),
    answer: z.object({ reviews: z.array(decidedReview), total: z.number().int() }),
  },
  'POST /api/feeds/reviews/:id': {
    permission: 'canManageUsers',
    summary: 'Decide a match: link to a candidate, or not the same person',
    audit: 'match-review.decide',
    params: z.object({ id }),
    body: z.object({
      /** Null: not the same person as any of them. */
      candidateId: candidateId.nullable(),
      /** The version of the match that was compared. Refuses with REVIEW_CHANGED if another one would be shown now. */
      version: reviewVersion,
      /** Refuses with NOT_CLEAR unless the match is still clear; for matches that are linked together, without comparing each. */
      onlyIfClear: z.boolean().default(false),
    }),
    status: 204,
  },
  'POST /api/feeds/reviews/:id/undo': {
    permission: 'canManageUsers',
    summary: 'Undo a decision about a match',
    audit: 'match-review.undo',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/feeds/messages/:id/take-apart': {
    permission: 'canManageUsers',
    summary:
      'Take an automatic match apart, from a message: what came from it is retracted, and someone decides about it',
    audit: 'match-review.take-apart',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies RouteTable;

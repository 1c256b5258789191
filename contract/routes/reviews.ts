import { z } from 'zod';
import { id } from '../primitives.ts';
import { candidateId, review } from '../reviews.ts';
import { pageQuery, type RouteTable } from './route.ts';

export const reviewsRoutes = {
  'GET /api/feeds/reviews': {
    permission: 'canManageUsers',
    summary: 'List matches to review, most likely first, with the records to compare',
    audit: 'match-review.list',
    query: z.object(pageQuery),
    answer: z.object({
      reviews: z.array(review),
      total: z.number().int(),
      /** When the oldest open match came; null if there is none. */
      oldestDate: z.string().nullable(),
    }),
  },
  'POST /api/feeds/reviews/:id': {
    permission: 'canManageUsers',
    summary: 'Decide a match: link to a candidate, or not the same person',
    audit: 'match-review.decide',
    params: z.object({ id }),
    body: z.object({
      /** Null: not the same person as any of them. */
      candidateId: candidateId.nullable(),
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
} as const satisfies RouteTable;

import { z } from 'zod';
import { id } from '../primitives.ts';
import { candidateId, MOST_CLEAR_LINKS, review } from '../reviews.ts';
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
  'POST /api/feeds/reviews/link-clear': {
    permission: 'canManageUsers',
    summary: 'Link several clear matches to their first candidates, each on its own',
    audit: 'match-review.link-clear',
    body: z.object({ reviews: z.array(z.object({ id, candidateId })).min(1).max(MOST_CLEAR_LINKS) }),
    answer: z.object({
      /** In the order asked. `message`: why the match was not linked; null if it was. */
      results: z.array(z.object({ id, message: z.string().nullable() })),
    }),
  },
  'POST /api/feeds/reviews/:id': {
    permission: 'canManageUsers',
    summary: 'Decide a match: link to a candidate, or not the same person',
    audit: 'match-review.decide',
    params: z.object({ id }),
    body: z.object({ candidateId: candidateId.nullable() }),
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

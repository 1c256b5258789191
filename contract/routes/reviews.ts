import { z } from 'zod';
import { id } from '../primitives.ts';
import { pageQuery, type RouteTable } from './route.ts';

export const reviewsRoutes = {
  'GET /api/feeds/reviews': {
    permission: 'canManageUsers',
    summary: 'List matches to review',
    audit: 'match-review.list',
    query: z.object(pageQuery),
    answer: z.object({
      reviews: z.array(
        z.object({
          id,
          facilityName: z.string(),
          createdDate: z.string(),
          ruleId: z.string().nullable(),
          candidates: z.array(z.object({ personId: id, evidence: z.record(z.string(), z.unknown()) })),
        }),
      ),
      total: z.number().int(),
    }),
  },
  'POST /api/feeds/reviews/:id': {
    permission: 'canManageUsers',
    summary: 'Decide a match: link to a candidate, or not the same person',
    audit: 'match-review.decide',
    params: z.object({ id }),
    body: z.object({ personId: id.nullable() }),
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

import { z } from 'zod';
import { id } from '../primitives.ts';
import { pageQuery, type RouteTable } from './route.ts';

const candidateId = z.string().regex(/^[0-9a-f]{32}$/, 'Must be the id of a candidate.');

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
          /** The rule of the most likely candidate; null if that one is not shown. */
          ruleId: z.string().nullable(),
          /** The people that the reviewer's organization knows; for operators, all. `id` names the candidate within this review only. */
          candidates: z.array(z.object({ id: candidateId, evidence: z.record(z.string(), z.unknown()) })),
          /** A possible match exists outside the reviewer's organization. Always false for operators, who see it as a candidate. */
          hasOutsideCandidate: z.boolean(),
          /** The reviewer uploaded or entered this patient, so someone else decides. */
          isOwnEntry: z.boolean(),
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

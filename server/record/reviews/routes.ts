import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { decidedFor, decideReview, type ReviewDeps, reviewsFor, undoReview } from './reviewer-actions.ts';
import { separateRecordOfMessage } from './separate-record.ts';

/** Match reviews, for administrators of the groups concerned and for operators. */
export function reviewRoutes(deps: ReviewDeps & { clock: Clock }): RegisteredRoute[] {
  const { clock } = deps;
  return [
    route('GET /api/feeds/reviews', ({ actor, query }) => reviewsFor(deps, actor, query)),

    route('GET /api/feeds/reviews/decided', ({ actor, query }) => decidedFor(deps, actor, query, clock())),

    route('POST /api/feeds/reviews/:id', ({ actor, params, body, request }) =>
      decideReview(deps, { actor, reviewId: params.id, now: clock(), requestId: request.id }, body),
    ),

    route('POST /api/feeds/reviews/:id/undo', ({ actor, params, request }) =>
      undoReview(deps, { actor, reviewId: params.id, now: clock(), requestId: request.id }),
    ),

    route('POST /api/feeds/messages/:id/take-apart', ({ actor, params, request }) =>
      separateRecordOfMessage(deps, params.id, { actor, now: clock(), requestId: request.id }),
    ),
  ];
}

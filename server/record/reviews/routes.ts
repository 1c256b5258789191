import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { listReviews } from './match-reviews.ts';
import { decideReview, groupsToReview, type ReviewDeps, undoReview } from './reviewer-actions.ts';

/** Match reviews, for administrators of the groups concerned and for operators. */
export function reviewRoutes(deps: ReviewDeps & { clock: Clock }): RegisteredRoute[] {
  const { db, clock } = deps;
  return [
    route('GET /api/feeds/reviews', ({ actor, query }) =>
      asActor(db, actor, 'canManageUsers', async (tx) => listReviews(tx, await groupsToReview(tx), query)),
    ),

    route('POST /api/feeds/reviews/:id', ({ actor, params, body, request }) =>
      decideReview(deps, { actor, reviewId: params.id, now: clock(), requestId: request.id }, body.personId),
    ),

    route('POST /api/feeds/reviews/:id/undo', ({ actor, params, request }) =>
      undoReview(deps, { actor, reviewId: params.id, now: clock(), requestId: request.id }),
    ),
  ];
}

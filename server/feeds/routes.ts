import type { Actor } from '#server/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/access/door.ts';
import { writeAudit } from '#server/audit/write.ts';
import type { Clock } from '#server/clock.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { listReviews } from '#server/matching/reviews.ts';
import { checkWholeFeed, listFeeds, listUnknownSenders } from './health.ts';
import { findMessage, listMessages, textOf } from './messages.ts';
import { type PreviewDeps, preview } from './preview.ts';
import { type ReplayDeps, replay, replayFeed } from './replay.ts';
import { decide, type ReviewDeps, undo } from './reviews.ts';
import { groupsToReview } from './scope.ts';

export interface FeedDeps extends ReplayDeps, ReviewDeps, PreviewDeps {
  clock: Clock;
}

/** What came in, what became of it, and who it is: for administrators and operators (`scope.ts`). */
export function feedRoutes(deps: FeedDeps): RegisteredRoute[] {
  const { db, clock } = deps;
  const asAdministrator = <T>(actor: Actor, fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canManageUsers', fn);

  return [
    route('GET /api/feeds', ({ actor }) => asAdministrator(actor, (tx) => listFeeds(tx, clock()))),

    route('GET /api/feeds/unknown-senders', ({ actor }) => asAdministrator(actor, listUnknownSenders)),

    route('POST /api/feeds/:id/replay', ({ actor, params, request }) =>
      replayFeed(deps, actor, params.id, { now: clock(), requestId: request.id }),
    ),

    route('GET /api/feeds/messages', ({ actor, query }) => asAdministrator(actor, (tx) => listMessages(tx, query))),

    route('GET /api/feeds/messages/:id', ({ actor, params: { id }, request }) =>
      asAdministrator(actor, async (tx) => {
        const message = await findMessage(tx, id);
        const text = await textOf(tx, id);
        const subject = { action: 'message.view', subject: 'message', subjectId: id } as const;
        await writeAudit(tx, { ...subject, now: clock(), requestId: request.id });
        return { ...message, text };
      }),
    ),

    route('POST /api/feeds/messages/:id/replay', ({ actor, params, request }) =>
      replay(deps, actor, params.id, { now: clock(), requestId: request.id }),
    ),

    route('POST /api/feeds/preview', async ({ actor, body }) => {
      await asAdministrator(actor, (tx) => checkWholeFeed(tx, body.feedId));
      return preview(deps, body.feedId, body.text, clock());
    }),

    route('GET /api/feeds/reviews', ({ actor, query }) =>
      asAdministrator(actor, async (tx) => listReviews(tx, await groupsToReview(tx), query)),
    ),

    route('POST /api/feeds/reviews/:id', ({ actor, params, body, request }) =>
      decide(deps, { actor, reviewId: params.id, now: clock(), requestId: request.id }, body.personId),
    ),

    route('POST /api/feeds/reviews/:id/undo', ({ actor, params, request }) =>
      undo(deps, { actor, reviewId: params.id, now: clock(), requestId: request.id }),
    ),
  ];
}

import { checkWholeFeed } from '#server/intake/feeds/list-feeds.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { dismiss, undismiss } from './dismiss.ts';
import { findMessage, listMessages, messageText, notePatientsOf } from './list-messages.ts';
import type { PreviewMessage, TrySettings } from './preview-thread.ts';
import { type ReplayDeps, replay, replayFeed } from './replay.ts';

interface MessageDeps extends ReplayDeps {
  clock: Clock;
  preview: PreviewMessage;
  trySettings: TrySettings;
}

/** Received messages and what became of them, for administrators of their facilities and operators (`feeds/feed-scope.ts`). */
export function messageRoutes(deps: MessageDeps): RegisteredRoute[] {
  const { db, clock } = deps;
  const asAdministrator = <T>(actor: Actor, fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canManageUsers', fn);

  return [
    route('POST /api/feeds/:id/replay', ({ actor, params, request }) =>
      replayFeed(deps, actor, params.id, { now: clock(), requestId: request.id }),
    ),

    route('GET /api/feeds/messages', ({ actor, query }) => asAdministrator(actor, (tx) => listMessages(tx, query))),

    route('GET /api/feeds/messages/:id', ({ actor, params: { id } }) =>
      asAdministrator(actor, async (tx) => {
        const message = await findMessage(tx, id);
        await notePatientsOf(tx, id);
        return { ...message, text: await messageText(tx, id) };
      }),
    ),

    route('POST /api/feeds/messages/:id/replay', ({ actor, params, request }) =>
      replay(deps, actor, params.id, { now: clock(), requestId: request.id }),
    ),

    route('POST /api/feeds/messages/:id/dismiss', ({ actor, params, body, request }) =>
      dismiss(db, actor, params.id, body, { now: clock(), requestId: request.id }),
    ),

    route('POST /api/feeds/messages/:id/undismiss', ({ actor, params, request }) =>
      undismiss(db, actor, params.id, { now: clock(), requestId: request.id }),
    ),

    route('POST /api/feeds/:id/try-settings', async ({ actor, params, body }) => {
      await asAdministrator(actor, (tx) => checkWholeFeed(tx, params.id));
      const facilities = Object.fromEntries(body.facilities.map(({ identifier, groupId }) => [identifier, groupId]));
      return deps.trySettings(params.id, { settings: body.settings, facilities });
    }),

    route('POST /api/feeds/preview', async ({ actor, body }) => {
      await asAdministrator(actor, (tx) => checkWholeFeed(tx, body.feedId));
      const { patientIds, ...previewed } = await deps.preview(body.feedId, body.text);
      notePatients(patientIds);
      // For anyone else, it would answer guesses: whether a person with these details is known, and how many groups list them.
      return actor.isOperator ? previewed : { ...previewed, matching: null, recipients: null };
    }),
  ];
}

import { asActor } from '#server/people/access/door.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { AdminDeps } from '#server/people/admin/administer.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { approveFeed, declineFeed } from './approve-feeds.ts';
import { listFeeds, listOutpatientCodes, listRefusedSenders, listUnknownSenders } from './list-feeds.ts';
import * as manage from './manage-feeds.ts';
import { healthOf } from './read-health.ts';

/** Feeds, their settings and their health, for administrators and operators (`feed-scope.ts`). */
export function feedRoutes(deps: AdminDeps & { clock: Clock }): RegisteredRoute[] {
  const { db, clock } = deps;
  const by = callAt(clock);
  return [
    route('GET /api/feeds', ({ actor }) => asActor(db, actor, 'canManageUsers', (tx) => listFeeds(tx, clock()))),
    route('GET /api/feeds/:id/health', ({ actor, params }) =>
      asActor(db, actor, 'canManageUsers', (tx) => healthOf(tx, params.id, clock())),
    ),
    route('GET /api/feeds/unknown-senders', ({ actor }) => asActor(db, actor, 'canManageUsers', listUnknownSenders)),
    route('GET /api/feeds/refused-senders', ({ actor }) =>
      asActor(db, actor, 'canManageUsers', (tx) => listRefusedSenders(tx, clock())),
    ),
    route('POST /api/admin/feeds', (call) => manage.addFeed(deps, by(call), call.body)),
    route('GET /api/admin/feeds/:id/settings', (call) => manage.getFeed(deps, by(call), call.params.id)),
    route('PUT /api/admin/feeds/:id/settings', (call) => manage.changeFeed(deps, by(call), call.params.id, call.body)),
    route('GET /api/admin/feeds/:id/outpatient-codes', ({ actor, params }) =>
      asActor(db, actor, 'canManageUsers', (tx) => listOutpatientCodes(tx, params.id, clock())),
    ),
    route('POST /api/admin/feeds/:id/pause', (call) => manage.pauseFeed(deps, by(call), call.params.id)),
    route('POST /api/admin/feeds/:id/resume', (call) => manage.resumeFeed(deps, by(call), call.params.id)),
    route('POST /api/admin/feeds/:id/approve', (call) =>
      approveFeed(deps, by(call), call.params.id, call.body.version),
    ),
    route('POST /api/admin/feeds/:id/decline', (call) =>
      declineFeed(deps, by(call), call.params.id, call.body.version),
    ),
    route('DELETE /api/admin/feeds/:id', (call) => manage.endFeed(deps, by(call), call.params.id)),
  ];
}

import { asActor } from '#server/access/door.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/database/pool.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { countOpen, countResolved, inboxHashes, searchInbox } from './inbox.ts';

export function searchRoutes({ db, clock }: { db: Database; clock: Clock }): RegisteredRoute[] {
  return [
    route('POST /api/pings', ({ actor, body }) =>
      asActor(db, actor, 'canViewPings', (tx) => searchInbox(tx, body, clock())),
    ),
    route('GET /api/pings/count/:kind', async ({ actor, params }) => ({
      count: await asActor(db, actor, 'canViewPings', params.kind === 'open' ? countOpen : countResolved),
    })),
    route('POST /api/pings-result-hashes', ({ actor, body }) =>
      asActor(db, actor, 'canViewPings', (tx) => inboxHashes(tx, body, clock())),
    ),
  ];
}

import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { followUpsOf } from './follow-ups.ts';

export interface FollowUpDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

export function followUpRoutes({ db, clock }: FollowUpDeps): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id/follow-ups', ({ actor, params }) =>
      asActor(db, actor, 'canViewPings', (tx) => followUpsOf(tx, params.id, clock()), { readOnly: true, byKeys: true }),
    ),
  ];
}

import { asActor } from '#server/access/door.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/database/pool.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { changeStatus, statusHistory } from './status.ts';

export function pingRoutes({ db, clock }: { db: Database; clock: Clock }): RegisteredRoute[] {
  return [
    route('POST /api/patients/:id/events/management-status', ({ actor, params, body, request }) =>
      // Again after a deadlock: the pipeline may be at the same pings.
      asActor(
        db,
        actor,
        'canManagePings',
        (tx) => changeStatus(tx, { patientId: params.id, ...body }, clock(), request.id),
        { retries: 3 },
      ),
    ),
    route('POST /api/patients/:id/events/management-status-history', ({ actor, params, body }) =>
      asActor(db, actor, 'canViewPings', (tx) => statusHistory(tx, params.id, body.eventIdentifier)),
    ),
  ];
}

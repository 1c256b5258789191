import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { changeStatus, statusHistory } from './change-status.ts';

export function pingRoutes({ db, clock }: { db: Database; clock: Clock }): RegisteredRoute[] {
  return [
    route('POST /api/patients/:id/events/management-status', ({ actor, params, body, request }) =>
      // Retried after a deadlock, because the pipeline may be writing the same pings.
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

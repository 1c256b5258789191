import { asActor } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { changeStatus, changeStatuses, statusHistory } from './change-status.ts';
import { noteView } from './queries.ts';

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
    route('POST /api/patients/:id/events/management-status/bulk', ({ actor, params, body, request }) =>
      asActor(
        db,
        actor,
        'canManagePings',
        (tx) => changeStatuses(tx, { patientId: params.id, ...body }, clock(), request.id),
        { retries: 3 },
      ),
    ),
    route('POST /api/patients/:id/events/seen', ({ actor, params, body }) =>
      asActor(db, actor, 'canViewPings', async (tx) => {
        const { encounterId } = await resolvePatient(tx, params.id);
        if (encounterId !== null) await noteView(tx, encounterId, body.until, clock());
      }),
    ),
    route('POST /api/patients/:id/events/management-status-history', ({ actor, params, body }) =>
      asActor(db, actor, 'canViewPings', (tx) => statusHistory(tx, params.id, body.eventIdentifier)),
    ),
  ];
}

import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { explainPing } from './explain.ts';
import { missingPings } from './missing-pings.ts';

export interface ExplainDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

export function explainRoutes({ db, clock }: ExplainDeps): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id/events/:eventId/explanation', ({ actor, params: { id: patientId, eventId } }) =>
      explainPing(db, actor, { patientId, eventId }, clock()),
    ),
    route('GET /api/patients/:id/missing-pings', ({ actor, params, query }) =>
      asActor(db, actor, 'canManageUsers', (tx) => missingPings(tx, { patientId: params.id, ...query }, clock()), {
        readOnly: true,
      }),
    ),
  ];
}

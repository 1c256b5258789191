import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { explainPing } from './explain.ts';
import { missingPings } from './missing-pings.ts';
import { type TakeApartDeps, takeMatchApart } from './take-apart.ts';

export interface ExplainDeps extends TakeApartDeps {
  clock: Clock;
}

export function explainRoutes({ db, pipeline, clock }: ExplainDeps): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id/events/:eventId/explanation', ({ actor, params: { id: patientId, eventId } }) =>
      explainPing(db, actor, { patientId, eventId }, clock()),
    ),
    route('POST /api/patients/:id/events/:eventId/take-apart', ({ actor, params: { id, eventId }, request }) =>
      takeMatchApart(
        { db, pipeline },
        { actor, asked: { patientId: id, eventId }, now: clock(), requestId: request.id },
      ),
    ),
    route('GET /api/patients/:id/missing-pings', ({ actor, params, query }) =>
      asActor(db, actor, 'canManageUsers', (tx) => missingPings(tx, { patientId: params.id, ...query }, clock()), {
        readOnly: true,
      }),
    ),
  ];
}

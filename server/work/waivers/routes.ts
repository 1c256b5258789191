import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { getWaiver, setWaiver } from './waivers.ts';

export interface WaiverDeps {
  db: Database;
  clock: Clock;
}

export function waiverRoutes({ db, clock }: WaiverDeps): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id/encounters/:encounterId/three-day-waiver', ({ actor, params, query }) => {
      const ids = { patientId: params.id, encounterId: params.encounterId };
      return asActor(db, actor, 'canViewPatients', (tx) => getWaiver(tx, ids, query.rule, clock()), { readOnly: true });
    }),
    route('PUT /api/patients/:id/encounters/:encounterId/three-day-waiver', ({ actor, params, body, request }) => {
      const ids = { patientId: params.id, encounterId: params.encounterId };
      const change = { now: clock(), requestId: request.id };
      return asActor(db, actor, 'canUpdateThreeDayWaiver', (tx) => setWaiver(tx, ids, body, change));
    }),
  ];
}

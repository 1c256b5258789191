import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { dischargeEvidence } from './evidence.ts';

export interface EvidenceDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

export function evidenceRoutes({ db, clock }: EvidenceDeps): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id/events/:eventId/evidence', ({ actor, params: { id: patientId, eventId } }) =>
      dischargeEvidence(db, actor, { patientId, eventId }, clock()),
    ),
  ];
}

import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { contactAttempts, recordAttempt, takeBackAttempt } from './contact-attempts.ts';

export interface ContactAttemptDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

export function contactAttemptRoutes({ db, clock }: ContactAttemptDeps): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id/contact-attempts', ({ actor, params }) =>
      asActor(db, actor, 'canViewPings', (tx) => contactAttempts(tx, params.id), { readOnly: true }),
    ),
    route('POST /api/patients/:id/contact-attempts', ({ actor, params, body, request }) =>
      asActor(db, actor, 'canManagePings', (tx) =>
        recordAttempt(tx, params.id, body, { now: clock(), requestId: request.id }),
      ),
    ),
    route('DELETE /api/patients/:id/contact-attempts/:attemptId', ({ actor, params, request }) =>
      asActor(db, actor, 'canManagePings', (tx) =>
        takeBackAttempt(
          tx,
          { patientId: params.id, attemptId: params.attemptId },
          { now: clock(), requestId: request.id },
        ),
      ),
    ),
  ];
}

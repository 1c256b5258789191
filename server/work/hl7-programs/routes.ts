import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { previewProgram } from './preview.ts';

/** `db`: the app role's. */
export function hl7ProgramRoutes({ db, clock }: { db: Database; clock: Clock }): RegisteredRoute[] {
  return [
    route('POST /api/hl7-programs/preview', ({ actor, body }) => {
      if (!actor.can('canViewPatients')) throw new ApiError('NOT_PERMITTED');
      return previewProgram(db, actor, body, clock());
    }),
  ];
}

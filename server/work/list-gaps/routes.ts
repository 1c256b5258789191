import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { listGaps } from './list-gaps.ts';

/** Facilities that a team's lists don't hear from. */
export function listGapRoutes({ db }: { db: Database }): RegisteredRoute[] {
  return [route('GET /api/list-gaps', ({ actor }) => listGaps(db, actor))];
}

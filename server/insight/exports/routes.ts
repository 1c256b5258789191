import type { ExportJob } from '#contract/exports.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { findRecentJobs } from './queries.ts';

/** Lists a user's exports. Exports themselves are not implemented yet. */
export function exportRoutes({ db }: { db: Database }): RegisteredRoute[] {
  return [
    route('GET /api/export/recent-export-jobs', ({ user }): Promise<ExportJob[]> => findRecentJobs(db, user.userId)),
  ];
}

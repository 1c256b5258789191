import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { type CountEvents, previewOf } from './preview.ts';
import * as filters from './saved-filters.ts';

export interface SavedFilterDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
  /** Implemented by the search, like `countFound`. */
  countEvents: CountEvents;
  countFound: filters.CountFound;
}

export function savedFilterRoutes({ db, clock, countEvents, countFound }: SavedFilterDeps): RegisteredRoute[] {
  const callOf = callAt(clock);
  const by = (context: Parameters<typeof callOf>[0]): filters.ChangeContext => ({ db, ...callOf(context) });
  return [
    route('GET /api/patient-search-params', ({ actor }) => filters.list(db, actor)),
    route('POST /api/patient-search-params', (call) => filters.create(by(call), call.body)),
    route('PUT /api/patient-search-params/:id', (call) => filters.save(by(call), call.params.id, call.body)),
    route('DELETE /api/patient-search-params/:id', (call) => filters.remove(by(call), call.params.id)),
    route('PUT /api/patient-search-params/:id/shared', (call) =>
      filters.share(by(call), call.params.id, call.body.shared),
    ),
    route('GET /api/patient-search-params/uses', ({ actor }) => filters.uses(db, actor, countFound)),
    route('POST /api/patient-search-params/:id/uses', (call) => filters.recordUse(by(call), call.params.id)),
    route('POST /api/patient-search-params/preview', ({ actor, body }) => previewOf(countEvents, actor, body, clock())),
    route('GET /api/patient-search-params/preferences', ({ actor }) => filters.listDefaults(db, actor)),
    route('POST /api/patient-search-params/preferences', (call) => filters.makeDefault(by(call), call.query)),
    route('DELETE /api/patient-search-params/preferences', (call) =>
      filters.clearDefault(by(call), call.query.moduleName),
    ),
  ];
}

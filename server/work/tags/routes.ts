import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { tagsOfTeam } from './queries.ts';
import { changeTags, createTag, patientTags } from './tags.ts';

export interface TagDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

export function tagRoutes({ db, clock }: TagDeps): RegisteredRoute[] {
  return [
    route('GET /api/tags', ({ actor }) => asActor(db, actor, 'canViewPatientTags', tagsOfTeam, { readOnly: true })),
    route('POST /api/tags', ({ actor, body, request }) =>
      asActor(db, actor, 'canEditPatientTags', (tx) =>
        createTag(tx, body.name, { now: clock(), requestId: request.id }),
      ),
    ),
    route('GET /api/patients/:id/tags', ({ actor, params }) =>
      asActor(db, actor, 'canViewPatientTags', (tx) => patientTags(tx, params.id), { readOnly: true }),
    ),
    route('PUT /api/patients/:id/tags', ({ actor, params, body, request }) =>
      asActor(db, actor, 'canEditPatientTags', (tx) =>
        changeTags(tx, params.id, body, { now: clock(), requestId: request.id }),
      ),
    ),
  ];
}

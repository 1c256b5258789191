import type { MessageStore } from '#server/intake/messages/message-store.ts';
import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { linkTo } from './links-out.ts';
import { enterEvent, enterPatient } from './manual-entry.ts';
import { withSimilarPatients } from './similar-patients.ts';

export interface PatientDeps {
  db: Database;
  clock: Clock;
  /** The web process's message store, because a manual entry is stored as a message. */
  store: MessageStore;
}

const LISTS = ['canViewPatients', 'canViewPings'] as const;

export function patientRoutes({ db, clock, store }: PatientDeps): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id/pulse-link', ({ actor, params }) =>
      asActor(db, actor, 'canUseWishinPulse', (tx) => linkTo(tx, params.id, 'PULSE'), { readOnly: true }),
    ),
    route('GET /api/patients/:id/vynca-link', ({ actor, params }) =>
      asActor(db, actor, 'canViewPatients', (tx) => linkTo(tx, params.id, 'VYNCA'), { readOnly: true }),
    ),
    route('POST /api/patients/similar-names', async ({ actor, body: { patientIds } }) => {
      // Rows of both lists get warnings, from every list that the actor may see.
      const flags = LISTS.filter((flag) => actor.can(flag));
      const scopes = new Map(flags.map((flag) => [[...actor.groupsWith(flag)].sort().join(), flag]));
      const found = await Promise.all(
        [...scopes.values()].map((flag) =>
          asActor(db, actor, flag, (tx) => withSimilarPatients(tx, patientIds), { readOnly: true }),
        ),
      );
      const warned = new Set(found.flat());
      return { patientIds: patientIds.filter((id) => warned.has(id)) };
    }),
    route('POST /api/patients/:id/events', ({ actor, params, body, request }) =>
      enterEvent({ db, store }, { actor, now: clock(), requestId: request.id }, params.id, body),
    ),
    route('POST /api/cohort/:groupId/patients', ({ actor, params, body, request }) =>
      enterPatient({ db, store }, { actor, now: clock(), requestId: request.id }, params.groupId, body),
    ),
  ];
}

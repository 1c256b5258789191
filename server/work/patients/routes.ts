import type { MessageStore } from '#server/intake/messages/message-store.ts';
import { asActor } from '#server/people/access/door.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { linkTo } from './links-out.ts';
import { changeEvent, changePatient, deleteEncounter, deleteEvent } from './manual-change.ts';
import { enterEvent, enterPatient } from './manual-entry.ts';
import { notePrinted } from './printed.ts';
import { withSimilarPatients } from './similar-patients.ts';

export interface PatientDeps {
  db: Database;
  pipeline: Database;
  clock: Clock;
  /** The web process's message store, because a manual entry is stored as a message. */
  store: MessageStore;
}

const LISTS = ['canViewPatients', 'canViewPings'] as const;

export function patientRoutes({ db, pipeline, clock, store }: PatientDeps): RegisteredRoute[] {
  return [
    route('POST /api/prints', ({ actor, body }) => notePrinted(db, actor, body.patientIds)),
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
    ...entryRoutes({ db, pipeline, clock, store }),
  ];
}

/** What staff of a facility without a feed enter, correct and delete. */
function entryRoutes({ db, pipeline, clock, store }: PatientDeps): RegisteredRoute[] {
  const deps = { db, pipeline, store };
  const by = callAt(clock);
  return [
    route('POST /api/cohort/:groupId/patients', (call) => enterPatient(deps, by(call), call.params.groupId, call.body)),
    route('PATCH /api/patients/:id', (call) => changePatient(deps, by(call), call.params.id, call.body)),
    route('POST /api/patients/:id/events', (call) => enterEvent(deps, by(call), call.params.id, call.body)),
    route('PATCH /api/patients/:id/events/:eventId', (call) =>
      changeEvent(deps, by(call), { patientId: call.params.id, eventId: call.params.eventId }, call.body),
    ),
    route('DELETE /api/patients/:id/events/:eventId', (call) =>
      deleteEvent(deps, by(call), { patientId: call.params.id, eventId: call.params.eventId }),
    ),
    route('DELETE /api/patients/:id/encounters/:encounterId', (call) =>
      deleteEncounter(deps, by(call), { patientId: call.params.id, encounterId: call.params.encounterId }),
    ),
  ];
}

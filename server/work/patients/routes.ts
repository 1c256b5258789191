import type { FastifyRequest } from 'fastify';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { linkTo } from './links-out.ts';
import { changeEvent, changePatient, deleteEncounter, deleteEvent } from './manual-change.ts';
import { enterEvent, enterPatient } from './manual-entry.ts';
import { notePrinted } from './printed.ts';
import { withSimilarPatients } from './similar-patients.ts';
import type { EntryCall } from './store-entry.ts';

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
  const callOf = (actor: Actor, request: FastifyRequest): EntryCall => ({ actor, now: clock(), requestId: request.id });
  return [
    route('POST /api/cohort/:groupId/patients', ({ actor, params, body, request }) =>
      enterPatient(deps, callOf(actor, request), params.groupId, body),
    ),
    route('PATCH /api/patients/:id', ({ actor, params, body, request }) =>
      changePatient(deps, callOf(actor, request), params.id, body),
    ),
    route('POST /api/patients/:id/events', ({ actor, params, body, request }) =>
      enterEvent(deps, callOf(actor, request), params.id, body),
    ),
    route('PATCH /api/patients/:id/events/:eventId', ({ actor, params: { id: patientId, eventId }, body, request }) =>
      changeEvent(deps, callOf(actor, request), { patientId, eventId }, body),
    ),
    route('DELETE /api/patients/:id/events/:eventId', ({ actor, params: { id: patientId, eventId }, request }) =>
      deleteEvent(deps, callOf(actor, request), { patientId, eventId }),
    ),
    route('DELETE /api/patients/:id/encounters/:encounterId', ({ actor, params: { id, encounterId }, request }) =>
      deleteEncounter(deps, callOf(actor, request), { patientId: id, encounterId }),
    ),
  ];
}

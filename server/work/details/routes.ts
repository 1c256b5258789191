import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { agreementsOf } from '#server/record/reviews/agreement.ts';
import { type Details, getDetailsOfPing, getPatientDetails } from './patient-details.ts';
import { linksOf } from './queries.ts';

export interface DetailsDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

/** The route of a single patient. */
export function detailsRoutes({ db, clock }: DetailsDeps): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id', async ({ actor, params }) => {
      const { personId, patient } = await readDetails(db, actor, params.id, clock());
      if (!actor.can('canManageUsers')) return patient;
      const links = await asActor(db, actor, 'canManageUsers', (tx) => linksOf(tx, personId), {
        readOnly: true,
        byKeys: true,
      });
      return {
        ...patient,
        links: links.map(({ evidence: { fields }, ...link }) => ({
          ...link,
          agreement: fields ? agreementsOf(fields) : null,
        })),
      };
    }),
  ];
}

/**
 * Reads a patient as someone who views patients, or else as someone who views pings: of groups for which the actor holds canViewPings alone, a
 * patient about whom they got a ping. Errors: NOT_FOUND.
 */
async function readDetails(db: Database, actor: Actor, patientId: string, now: Date): Promise<Details> {
  const patients = new Set(actor.groupsWith('canViewPatients'));
  const hasMorePings = actor.groupsWith('canViewPings').some((groupId) => !patients.has(groupId));
  if (patients.size > 0) {
    const found = await asActor(db, actor, 'canViewPatients', (tx) => getPatientDetails(tx, patientId, now), {
      readOnly: true,
      byKeys: true,
    }).catch((error: unknown) => {
      if (hasMorePings && error instanceof ApiError && error.key === 'NOT_FOUND') return null;
      throw error;
    });
    if (found) return found;
  }
  return asActor(db, actor, 'canViewPings', (tx) => getDetailsOfPing(tx, patientId, now), {
    readOnly: true,
    byKeys: true,
  });
}

import { asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { agreementsOf } from '#server/record/reviews/agreement.ts';
import { getPatientDetails } from './patient-details.ts';
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
      const { personId, patient } = await asActor(
        db,
        actor,
        'canViewPatients',
        (tx) => getPatientDetails(tx, params.id, clock()),
        { readOnly: true },
      );
      if (!actor.can('canManageUsers')) return patient;
      const links = await asActor(db, actor, 'canManageUsers', (tx) => linksOf(tx, personId), { readOnly: true });
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

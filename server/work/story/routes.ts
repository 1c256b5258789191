import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { careOf } from '#server/work/details/care.ts';
import { programsOfMessages } from '#server/work/details/patient-details.ts';
import { getPatient } from '#server/work/patients/get.ts';
import { summarizeDiagnoses } from './diagnoses.ts';
import { listEncounters, listHhaCoverage, summarizeEncounters } from './visits.ts';

export interface StoryDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

/** Routes of a patient's story. */
export function storyRoutes({ db, clock }: StoryDeps): RegisteredRoute[] {
  const asReader = <T>(actor: Actor, fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canViewPatients', fn, { readOnly: true, byKeys: true });
  return [
    route('GET /api/patients/:id/encounters', ({ actor, params, query }) =>
      asReader(actor, (tx) =>
        listEncounters(tx, params.id, { ...query, includeHHA: query.includeHHA === 'true' }, clock()),
      ),
    ),
    route('GET /api/patients/:id/hha-coverage', ({ actor, params, query }) =>
      asReader(actor, (tx) => listHhaCoverage(tx, params.id, query, clock())),
    ),
    route('GET /api/patients/:id/encounters/summary', ({ actor, params }) =>
      asReader(actor, (tx) => summarizeEncounters(tx, params.id)),
    ),
    route('GET /api/patients/:id/diagnosis-summary', ({ actor, params }) =>
      asReader(actor, (tx) => summarizeDiagnoses(tx, params.id)),
    ),
    route('GET /api/patients/:id/community-of-care', ({ actor, params }) =>
      asReader(actor, async (tx) => {
        const care = await careOf(tx, await getPatient(tx, params.id, clock()));
        return care.communityOfCare;
      }),
    ),
    route('GET /api/patients/:id/hl7-based-programs', ({ actor, params }) =>
      asReader(actor, async (tx) => programsOfMessages(await getPatient(tx, params.id, clock()))),
    ),
  ];
}

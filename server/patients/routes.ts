import { asActor } from '#server/access/door.ts';
import { writeAudit } from '#server/audit/write.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/database/pool.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { getPatient } from './get.ts';

export function patientRoutes({ db, clock }: { db: Database; clock: Clock }): RegisteredRoute[] {
  return [
    route('GET /api/patients/:id', ({ actor, params, request }) =>
      asActor(db, actor, 'canViewPatients', async (tx) => {
        const patient = await getPatient(tx, params.id, clock());
        const [rosterPatientId = ''] = params.id.split('_');
        await writeAudit(tx, { action: 'patient.view', subject: 'patient', subjectId: rosterPatientId, now: clock(), requestId: request.id });
        return patient;
      }),
    ),
  ];
}

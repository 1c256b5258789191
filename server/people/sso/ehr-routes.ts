import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { findEhrPatient } from './ehr-patient.ts';
import { userOf } from './find-or-link-user.ts';
import { begin, enabled, orToLogin, resume, type SsoDeps, searchOf, signIn } from './flow.ts';
import { findById, findEhr } from './queries.ts';
import { smartLaunch, smartStart } from './smart.ts';

/** The launch from an EHR and the way back from its authorization server. */
export function ehrRoutes(deps: SsoDeps): RegisteredRoute[] {
  const {
    db,
    clock,
    config: { publicUrl },
  } = deps;
  return [
    route('GET /api/ehr/launch', ({ query: { iss, launch }, request, reply }) =>
      orToLogin(request, reply, async () => {
        // Nothing is fetched from a server that only the caller names.
        const connection = enabled(await findEhr(db, iss.replace(/\/+$/, '')));
        const challenge = await begin(deps, connection, { request, reply }, '/ehr/inbox');
        return (await smartStart(connection, challenge, { publicUrl, launch })).href;
      }),
    ),
    route('GET /api/ehr/callback', ({ query, request, reply }) =>
      orToLogin(request, reply, async () => {
        const challenge = await resume(deps, 'SMART', query['state'], request);
        const connection = enabled(await findById(db, 'SMART', challenge.connectionId));
        const launched = await smartLaunch(connection, challenge, { publicUrl, search: searchOf(request) });
        const now = clock();
        const userId = await db.transaction((tx) =>
          userOf(tx, connection, launched.identity, { requestId: request.id, now }),
        );
        const { patient, needPatientBanner } = launched;
        const patientId = patient === null ? null : await findEhrPatient(db, userId, patient);
        const launch = { patientId, identifier: patient?.recordNumbers[0] ?? null, needPatientBanner };
        await signIn(deps, connection, { request, reply }, async () => ({ userId, launch }));
        return patientId === null ? challenge.returnTo : `/ehr/patients/${patientId}`;
      }),
    ),
  ];
}

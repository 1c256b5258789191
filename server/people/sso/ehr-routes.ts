import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { withoutTrailingSlashes } from '#server/platform/text/trailing-slashes.ts';
import { findEhrPatient } from './ehr-patient.ts';
import { findOrLinkUser } from './find-or-link-user.ts';
import { begin, isFramed, redirectOrRefuse, requireEnabled, resume, type SsoDeps, searchOf, signIn } from './flow.ts';
import { type Connection, findById, findEhr } from './queries.ts';
import { smartLaunch, smartStart } from './smart.ts';
import { LAUNCH_FAILED } from './sso-urls.ts';

/** The routes of an EHR launch: its start, and the return from the authorization server. */
export function ehrRoutes(deps: SsoDeps): RegisteredRoute[] {
  const {
    db,
    clock,
    config: { publicUrl },
    outgoing,
  } = deps;
  return [
    route('GET /api/ehr/launch', ({ query: { iss, launch }, request, reply }) =>
      launchOrRefuse(request, reply, async (known) => {
        // Only connected servers are contacted, never one that only the caller names.
        const connection = known(requireEnabled(deps, await findEhr(db, withoutTrailingSlashes(iss))));
        const pending = await begin(deps, connection, { request, reply }, { returnTo: '/ehr/inbox' });
        return (await smartStart(connection, pending, { publicUrl, outgoing, launch })).href;
      }),
    ),
    route('GET /api/ehr/callback', ({ query, request, reply }) =>
      launchOrRefuse(request, reply, async (known) => {
        const pending = await resume(deps, 'SMART', query['state'], request);
        const connection = known(requireEnabled(deps, await findById(db, 'SMART', pending.connectionId)));
        const launched = await smartLaunch(connection, pending, { publicUrl, outgoing, search: searchOf(request) });
        const now = clock();
        const userId = await db.transaction((tx) =>
          findOrLinkUser(tx, connection, launched.identity, { requestId: request.id, now }),
        );
        const { patient, needPatientBanner } = launched;
        const patientId = patient === null ? null : await findEhrPatient(db, userId, patient);
        const launch = {
          connectionId: connection.id,
          patientId,
          identifier: patient?.recordNumbers[0] ?? null,
          needPatientBanner,
        };
        await signIn(deps, connection, { request, reply }, async () => ({
          userId,
          name: launched.identity.name,
          launch,
        }));
        return patientId === null ? pending.returnTo : `/ehr/patients/${patientId}`;
      }),
    ),
  ];
}

/**
 * As `redirectOrRefuse`. In a frame a failed launch leads to its own page, which the EHR may show once `work` has said which connection it is;
 * sign-in pages are never in a frame.
 */
function launchOrRefuse(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (known: (connection: Connection) => Connection) => Promise<string>,
): Promise<FastifyReply> {
  let key = '';
  const known = (connection: Connection): Connection => {
    key = connection.key;
    return connection;
  };
  const refused = () => `${LAUNCH_FAILED}?${new URLSearchParams({ error: 'SSO_ERROR', connection: key }).toString()}`;
  return redirectOrRefuse(request, reply, () => work(known), isFramed(request) ? refused : undefined);
}

import type { FastifyRequest } from 'fastify';
import { HELD_HOURS } from '#contract/pre-admit.ts';
import type { Actor, ActorCall } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { perMinute } from '#server/platform/http/per-minute.ts';
import { deleteHeld, holdPatient, lookUp, type PreAdmitDeps } from './pre-admit.ts';
import { heldAdmissions, heldPatients } from './queries.ts';

/** Holds and look-ups that a user may make in a minute: each compares a person with everyone. */
const MOST_A_MINUTE = 20;

export function preAdmitRoutes({ clock, ...deps }: PreAdmitDeps & { clock: Clock }): RegisteredRoute[] {
  const mayAsk = perMinute(MOST_A_MINUTE, clock);
  const by = callAt(clock);
  const asking = (call: { actor: Actor; request: FastifyRequest }): ActorCall => {
    if (!mayAsk(call.actor.userId)) throw new ApiError('TOO_MANY_REQUESTS');
    return by(call);
  };
  const since = (): Date => new Date(clock().getTime() - HELD_HOURS * 3_600_000);
  return [
    route('GET /api/pre-admit/patients', ({ actor }) =>
      asActor(deps.db, actor, 'canUsePreAdmit', (tx) => heldPatients(tx, clock()), { readOnly: true }),
    ),
    route('POST /api/pre-admit/patients', (call) => holdPatient(deps, asking(call), call.body)),
    route('DELETE /api/pre-admit/patients/:id', (call) => deleteHeld(deps, by(call), call.params.id)),
    route('GET /api/pre-admit/patients/:id/look-up', (call) => lookUp(deps, asking(call), call.params.id)),
    route('GET /api/pre-admit/admissions', ({ actor }) =>
      asActor(deps.db, actor, 'canUsePreAdmit', (tx) => heldAdmissions(tx, since()), { readOnly: true }),
    ),
  ];
}

import { asActor } from '#server/people/access/door.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { type ConsentDeps, endConsent, listConsents, recordConsent } from './consents.ts';
import { emergencyAccess, openInEmergency } from './emergency-access.ts';
import { emergenciesAt } from './emergency-queries.ts';
import { findRecipients } from './queries.ts';

interface RouteDeps extends ConsentDeps {
  clock: Clock;
  /** Where browsers reach us; mails link there. */
  publicUrl: string;
}

/** Routes of consents to disclosure by 42 CFR Part 2 facilities, and of emergency access. */
export function consentRoutes({ clock, ...deps }: RouteDeps): RegisteredRoute[] {
  const by = callAt(clock);
  return [
    route('GET /api/consent-recipients', ({ actor, query }) =>
      asActor(deps.db, actor, 'canEditPatientsAndEvents', (tx) => findRecipients(tx, query.query), { readOnly: true }),
    ),
    route('GET /api/patients/:id/consents', ({ actor, params }) =>
      asActor(deps.db, actor, 'canEditPatientsAndEvents', (tx) => listConsents(tx, params.id), { readOnly: true }),
    ),
    route('POST /api/patients/:id/consents', (call) => recordConsent(deps, by(call), call.params.id, call.body)),
    route('DELETE /api/patients/:id/consents/:consentId', (call) =>
      endConsent(deps, by(call), { patientId: call.params.id, consentId: call.params.consentId }),
    ),
    route('GET /api/emergency-accesses', ({ actor }) =>
      asActor(deps.db, actor, 'canManageUsers', emergenciesAt, { readOnly: true }),
    ),
    route('GET /api/patients/:id/emergency-access', ({ actor, params }) => emergencyAccess(deps, actor, params.id)),
    route('POST /api/patients/:id/emergency-access', (call) =>
      openInEmergency(deps, by(call), call.params.id, call.body),
    ),
  ];
}

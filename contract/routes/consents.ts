import { z } from 'zod';
import { consent, consentRecipient, consents, newConsent, recipientQuery } from '../consents.ts';
import { id, patientId } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });

export const consentsRoutes = {
  'GET /api/consent-recipients': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Find groups by name, as recipients of a consent; only names are returned',
    query: z.object({ query: recipientQuery.default('') }),
    answer: z.array(consentRecipient),
  },
  'GET /api/patients/:id/consents': {
    permission: 'canEditPatientsAndEvents',
    summary: "List the consents that the user's 42 CFR Part 2 facilities recorded for a patient, ended ones included",
    audit: 'consent.view',
    params: byPatient,
    answer: consents,
  },
  'POST /api/patients/:id/consents': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Record a consent at a 42 CFR Part 2 facility: sends the recipient what was held back',
    audit: 'consent.record',
    params: byPatient,
    body: newConsent,
    answer: consent,
  },
  'DELETE /api/patients/:id/consents/:consentId': {
    permission: 'canEditPatientsAndEvents',
    summary: 'End a consent: the recipient no longer sees what the facility disclosed',
    audit: 'consent.end',
    params: z.object({ id: patientId, consentId: id }),
    status: 204,
  },
} as const satisfies RouteTable;

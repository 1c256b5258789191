import { z } from 'zod';
import { contactAttempt, newContactAttempt } from '../contact-attempts.ts';
import { MOST_ATTEMPTS_OF_PATIENT } from '../contact-words.ts';
import { id, patientId } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });
const answer = z.array(contactAttempt).max(MOST_ATTEMPTS_OF_PATIENT);

export const contactAttemptsRoutes = {
  'GET /api/patients/:id/contact-attempts': {
    permission: 'canViewPings',
    summary: "List the team's attempts to reach a patient, newest first",
    audit: 'contact-attempts.view',
    params: byPatient,
    answer,
  },
  'POST /api/patients/:id/contact-attempts': {
    permission: 'canManagePings',
    summary:
      'Record an attempt to reach a patient; one that is sent twice is kept once. A contact ends the follow-up that a discharge before it asks for',
    audit: 'contact-attempts.add',
    params: byPatient,
    body: newContactAttempt,
    answer,
  },
  'DELETE /api/patients/:id/contact-attempts/:attemptId': {
    permission: 'canManagePings',
    summary: 'Remove an attempt that the user recorded by mistake; it stays on record',
    audit: 'contact-attempts.remove',
    params: byPatient.extend({ attemptId: id }),
    answer,
  },
} as const satisfies RouteTable;

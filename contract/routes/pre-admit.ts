import { z } from 'zod';
import { heldAdmission, heldLookUp, heldPatient, newHeldPatient } from '../pre-admit.ts';
import { id } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byId = z.object({ id });

export const preAdmitRoutes = {
  'GET /api/pre-admit/patients': {
    permission: 'canUsePreAdmit',
    summary: "List the held patients of the team's facilities, the first to expire first",
    audit: 'pre-admit.list',
    answer: z.array(heldPatient),
  },
  'POST /api/pre-admit/patients': {
    permission: 'canUsePreAdmit',
    summary: 'Hold a patient that a facility expects, for 72 hours',
    audit: 'pre-admit.hold',
    body: newHeldPatient,
    answer: heldPatient,
  },
  'DELETE /api/pre-admit/patients/:id': {
    permission: 'canUsePreAdmit',
    summary: 'Delete a held patient',
    audit: 'pre-admit.delete',
    params: byId,
    status: 204,
  },
  'GET /api/pre-admit/patients/:id/look-up': {
    permission: 'canUsePreAdmit',
    summary: "Get a held patient's programs, care instructions, care team and visits, if the match is automatic",
    audit: 'pre-admit.look-up',
    params: byId,
    answer: heldLookUp,
  },
  'GET /api/pre-admit/admissions': {
    permission: 'canUsePreAdmit',
    summary: 'List the holds of the last 72 hours that ended with an admission, newest first',
    audit: 'pre-admit.admissions',
    answer: z.array(heldAdmission),
  },
} as const satisfies RouteTable;

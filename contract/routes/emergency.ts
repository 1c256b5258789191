import { z } from 'zod';
import { emergencyAccess, emergencyAtFacility, newEmergencyAccess } from '../emergency.ts';
import { patientId } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });

export const emergencyRoutes = {
  'GET /api/emergency-accesses': {
    permission: 'canManageUsers',
    summary: "List the latest emergency accesses that opened visits at the administrator's facilities, newest first",
    audit: 'emergency.list',
    answer: z.array(emergencyAtFacility),
  },
  'GET /api/patients/:id/emergency-access': {
    permission: 'canViewPatients',
    summary: "Get the user's emergency access to a patient, and the visits that it opens",
    audit: 'emergency.view',
    params: byPatient,
    answer: emergencyAccess,
  },
  'POST /api/patients/:id/emergency-access': {
    permission: 'canViewPatients',
    summary:
      "Open a listed patient's visits at organizations that allow it, for 60 minutes; their administrators are mailed. At most 5 patients an hour and 15 a day for each user",
    audit: 'emergency.open',
    params: byPatient,
    body: newEmergencyAccess,
    answer: emergencyAccess,
  },
} as const satisfies RouteTable;

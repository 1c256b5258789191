import { z } from 'zod';
import { dischargeFollowUp } from '../follow-ups.ts';
import { patientId } from '../primitives.ts';
import type { RouteTable } from './route.ts';

export const followUpsRoutes = {
  'GET /api/patients/:id/follow-ups': {
    permission: 'canViewPings',
    summary: 'List what is due after each discharge of the last 60 days, with what was done',
    audit: 'follow-ups.view',
    params: z.object({ id: patientId }),
    answer: z.array(dischargeFollowUp),
  },
} as const satisfies RouteTable;

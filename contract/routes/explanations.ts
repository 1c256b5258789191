import { z } from 'zod';
import { dischargeEvidence } from '../evidence.ts';
import { pingExplanation } from '../explanations.ts';
import { missingPings } from '../missing-pings.ts';
import { day, id, isReal, patientId } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byEvent = z.object({ id: patientId, eventId: id });

export const explanationsRoutes = {
  'GET /api/patients/:id/events/:eventId/explanation': {
    permission: 'canViewPings',
    summary: 'Explain a ping: its messages, the match, whose list it is on, and who opened it',
    audit: 'ping.explain',
    params: byEvent,
    answer: pingExplanation,
  },
  'POST /api/patients/:id/events/:eventId/take-apart': {
    permission: 'canManageUsers',
    summary: 'Take an automatic match apart, from a ping: what came from it is retracted, and someone decides about it',
    audit: 'match-review.take-apart',
    params: byEvent,
    status: 204,
  },
  'GET /api/patients/:id/events/:eventId/evidence': {
    permission: 'canViewPings',
    summary: 'Get what the team knew and did about a discharge, as evidence. Based on messages; not a claim',
    audit: 'ping.evidence',
    params: byEvent,
    answer: dischargeEvidence,
  },
  'GET /api/patients/:id/missing-pings': {
    permission: 'canManageUsers',
    summary: 'Explain why a patient has no ping on a day; without a day, today',
    audit: 'ping.missing',
    params: z.object({ id: patientId }),
    query: z.object({ day: day.refine(isReal, 'Must be a date that exists.').optional(), facilityId: id.optional() }),
    answer: missingPings,
  },
} as const satisfies RouteTable;

import { z } from 'zod';
import { patientResults } from '../patients.ts';
import { managementStatusRecord, statusChange } from '../pings.ts';
import { id, patientId } from '../primitives.ts';
import { facetCounts, pingSearchParameters } from '../search.ts';
import type { RouteTable } from './route.ts';

const searchResults = patientResults.extend({ facets: facetCounts });
const byPatient = z.object({ id: patientId });

export const pingsRoutes = {
  'POST /api/pings': {
    permission: 'canViewPings',
    summary: 'Search the inbox: one row per person and encounter with pings',
    audit: 'inbox.view',
    body: pingSearchParameters,
    answer: searchResults,
  },
  'GET /api/pings/count/:kind': {
    permission: 'canViewPings',
    summary: 'Count open (NEW, IN_PROGRESS) or resolved (RESOLVED, DISMISSED) pings',
    audit: 'inbox.count',
    params: z.object({ kind: z.enum(['open', 'resolved']) }),
    answer: z.object({ count: z.number().int() }),
  },
  'POST /api/pings-result-hashes': {
    permission: 'canViewPings',
    summary: 'Get one hash per row of an inbox page, in order, and one for the page',
    audit: 'inbox.hashes',
    body: pingSearchParameters,
    answer: z.object({ hashes: z.array(z.string()), hash: z.string() }),
  },
  'POST /api/patients/:id/events/management-status': {
    permission: 'canManagePings',
    summary: 'Change the management status of a ping for all groups of the team',
    audit: 'ping.status',
    params: byPatient,
    body: statusChange,
    answer: managementStatusRecord,
  },
  'POST /api/patients/:id/events/management-status-history': {
    permission: 'canViewPings',
    summary: 'List the status history of a ping, newest first',
    audit: 'ping.history',
    params: byPatient,
    body: z.object({ eventIdentifier: id }),
    answer: z.array(managementStatusRecord),
  },
} as const satisfies RouteTable;

import { z } from 'zod';
import { patientResults } from '../patients.ts';
import { managementStatusRecord, statusChange, statusChanges } from '../pings.ts';
import { id, patientId, realInstant } from '../primitives.ts';
import { facetCounts, pingSearchParameters } from '../search.ts';
import type { RouteTable } from './route.ts';

/** `hash`: of everything the page shows, for `POST /api/pings-result-hashes`. */
const searchResults = patientResults.extend({ facets: facetCounts, hash: z.string() });
const byPatient = z.object({ id: patientId });

export const pingsRoutes = {
  'POST /api/pings': {
    permission: 'canViewPings',
    summary: 'Search the inbox: one row per person and encounter with pings',
    audit: 'inbox.view',
    body: pingSearchParameters,
    nullIsUnset: true,
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
    nullIsUnset: true,
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
  'POST /api/patients/:id/events/management-status/bulk': {
    permission: 'canManagePings',
    summary: 'Change the management status of several pings of a patient, all or none',
    audit: 'ping.status',
    params: byPatient,
    body: statusChanges,
    answer: z.array(managementStatusRecord.extend({ eventIdentifier: id })),
  },
  'POST /api/patients/:id/events/seen': {
    permission: 'canViewPings',
    summary: 'Note that the user has seen the pings of a stay that arrived until then',
    audit: 'ping.seen',
    params: byPatient,
    body: z.object({ until: realInstant }).strict(),
    status: 204,
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

import { z } from 'zod';
import {
  activeEncountersQuery,
  encountersExportQuery,
  exportField,
  exportFieldsQuery,
  exportJob,
  listExportBody,
  listExportQuery,
} from '../exports.ts';
import { id, teamOfDownload } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const ANY_LIST = ['canViewPatients', 'canViewPings', 'canViewEventFeed'] as const;

export const exportsRoutes = {
  'GET /api/export/recent-export-jobs': {
    permission: 'signed-in',
    summary: 'List your recent exports, newest first, with how far they are',
    answer: z.array(exportJob),
  },
  'POST /api/export/fields': {
    permission: 'canViewPatients',
    summary: 'List the fields that an export of encounters can have for these groups',
    body: exportFieldsQuery,
    answer: z.array(exportField),
  },
  'GET /api/export/patient-active-encounters': {
    permission: ANY_LIST,
    summary:
      "Download the patients of a list who have an open encounter, as CSV. `searchContext`: the list, which needs that list's permission",
    audit: 'export.active',
    query: activeEncountersQuery,
    kind: 'download',
  },
  'POST /api/export/initiate-encounters-export': {
    permission: 'canViewPatients',
    summary: 'Start an export of encounters (groupIds, statuses and fields repeated)',
    audit: 'export.start',
    query: encountersExportQuery,
    answer: exportJob,
    status: 202,
  },
  'POST /api/export/initiate-list-export': {
    permission: ANY_LIST,
    summary:
      "Start an export of all rows of a list that match. `searchContext` in the body: the list, which needs that list's permission",
    audit: 'export.start',
    query: listExportQuery,
    body: listExportBody,
    nullIsUnset: true,
    answer: exportJob,
    status: 202,
  },
  'GET /api/export/jobs/:jobId/file': {
    permission: ANY_LIST,
    summary: 'Download a finished export of yours, within seven days',
    audit: 'export.download',
    params: z.object({ jobId: id }),
    query: z.object(teamOfDownload),
    kind: 'download',
  },
  'DELETE /api/export/jobs/:jobId': {
    permission: 'signed-in',
    summary: 'Delete an export of yours with its file; one that is in progress is canceled',
    audit: 'export.delete',
    params: z.object({ jobId: id }),
    status: 204,
  },
} as const satisfies RouteTable;

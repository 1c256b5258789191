import { z } from 'zod';
import { id } from '../primitives.ts';
import { rosterJob } from '../rosters.ts';
import type { RouteTable } from './route.ts';

const byGroup = z.object({ groupId: id });
const byJob = z.object({ jobId: id });

export const rostersRoutes = {
  'GET /api/rosters/template.csv': {
    permission: 'canUploadRoster',
    summary: 'Download the roster template with an example row',
    query: z.object({ teamId: id }),
    kind: 'download',
  },
  'POST /api/rosters/:groupId/uploads': {
    permission: 'canUploadRoster',
    summary: 'Upload a roster file (multipart, field "file")',
    audit: 'roster.upload',
    params: byGroup,
    kind: 'multipart',
    answer: rosterJob,
    status: 202,
  },
  'GET /api/rosters/:groupId/uploads/latest': {
    permission: 'canUploadRoster',
    summary: 'Get the latest upload of a group, or null',
    audit: 'roster.view',
    params: byGroup,
    answer: rosterJob.nullable(),
  },
  'GET /api/rosters/uploads/:jobId': {
    permission: 'canUploadRoster',
    summary: 'Get an upload',
    audit: 'roster.view',
    params: byJob,
    answer: rosterJob,
  },
  'GET /api/rosters/uploads/:jobId/errors.csv': {
    permission: 'canUploadRoster',
    summary: 'Download the rows with errors, one line per error',
    audit: 'roster.errors',
    params: byJob,
    query: z.object({ teamId: id }),
    kind: 'download',
  },
  'POST /api/rosters/uploads/:jobId/confirm': {
    permission: 'canUploadRoster',
    summary: 'Confirm an upload that removes many patients',
    audit: 'roster.confirm',
    params: byJob,
    answer: rosterJob,
  },
  'POST /api/rosters/uploads/:jobId/cancel': {
    permission: 'canUploadRoster',
    summary: 'Cancel an upload',
    audit: 'roster.cancel',
    params: byJob,
    answer: rosterJob,
  },
} as const satisfies RouteTable;

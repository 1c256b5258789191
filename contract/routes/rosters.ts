import { z } from 'zod';
import { id } from '../primitives.ts';
import { attestation, rosterJob, waitingRoster } from '../rosters.ts';
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
    summary: 'Upload a roster file (multipart, field "file"), with the relationship that the uploader attests',
    audit: 'roster.upload',
    params: byGroup,
    query: attestation,
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
    summary: 'Download the rows with errors or warnings, one line for each',
    audit: 'roster.errors',
    params: byJob,
    query: z.object({ teamId: id }),
    kind: 'download',
  },
  'GET /api/rosters/waiting': {
    permission: 'canManageUsers',
    summary: 'List first rosters that wait for an operator, oldest first; empty for everyone else',
    answer: z.array(waitingRoster),
  },
  'POST /api/rosters/uploads/:jobId/confirm': {
    permission: ['canUploadRoster', 'canManageUsers'],
    summary: "Confirm an upload that removes many patients, or as an operator approve a group's first roster",
    audit: 'roster.confirm',
    params: byJob,
    answer: rosterJob,
  },
  'POST /api/rosters/uploads/:jobId/cancel': {
    permission: ['canUploadRoster', 'canManageUsers'],
    summary: 'Cancel an upload; an operator may also refuse a first roster',
    audit: 'roster.cancel',
    params: byJob,
    answer: rosterJob,
  },
} as const satisfies RouteTable;

import { z } from 'zod';
import { id, teamOfDownload } from '../primitives.ts';
import { ROSTER_COLUMNS } from '../roster-columns.ts';
import {
  attestation,
  ROSTER_CHANGE_KINDS,
  ROSTER_PROBLEM_KINDS,
  rosterChanges,
  rosterHeaders,
  rosterHistory,
  rosterJob,
  rosterMapping,
  rosterProblems,
  rosterSample,
  waitingRoster,
} from '../rosters.ts';
import { pageQuery, type RouteTable } from './route.ts';

const byGroup = z.object({ groupId: id });
const byJob = z.object({ jobId: id });
const HEADERS = [...Object.values(ROSTER_COLUMNS).map(({ header }) => header as string), 'Row', 'Whole row'] as const;

export const rostersRoutes = {
  'GET /api/rosters/template.csv': {
    permission: 'canUploadRoster',
    summary: "Download the roster template with an example row, with a group's own headers if it has some",
    query: z.object({ ...teamOfDownload, groupId: id.optional() }),
    kind: 'download',
  },
  'POST /api/rosters/:groupId/uploads': {
    permission: 'canUploadRoster',
    summary:
      'Upload a roster file (multipart, field "file"), with the relationship that the uploader attests. With preview=true it waits to be confirmed, whatever it changes',
    audit: 'roster.upload',
    params: byGroup,
    query: attestation
      .extend({ preview: z.enum(['true', 'false']).default('false') })
      .refine(({ relationship, attested }) => relationship === undefined || attested !== undefined, {
        path: ['attested'],
        error: 'Confirm that this relationship applies to everyone in the file.',
      }),
    kind: 'multipart',
    answer: rosterJob,
    status: 202,
  },
  'GET /api/rosters/:groupId/uploads': {
    permission: 'canUploadRoster',
    summary: 'List the uploads of a group, newest first',
    audit: 'roster.view',
    params: byGroup,
    query: z.object(pageQuery),
    answer: rosterHistory,
  },
  'POST /api/rosters/:groupId/sample': {
    permission: 'canUploadRoster',
    summary: 'Read the columns of a file from its first 64 KiB (multipart, field "file"). Nothing is stored',
    audit: 'roster.sample',
    params: byGroup,
    kind: 'multipart',
    answer: rosterSample,
  },
  'GET /api/rosters/:groupId/headers': {
    permission: 'canUploadRoster',
    summary: "List what a group's own headers mean",
    params: byGroup,
    answer: rosterHeaders,
  },
  'PUT /api/rosters/:groupId/headers': {
    permission: 'canUploadRoster',
    summary: "Set what some of a group's headers mean. Others stay as they are",
    audit: 'roster.headers',
    params: byGroup,
    body: z.object({ headers: rosterMapping }),
    answer: rosterHeaders,
  },
  'DELETE /api/rosters/:groupId/headers': {
    permission: 'canUploadRoster',
    summary: "Forget what a group's own headers mean",
    audit: 'roster.headers',
    params: byGroup,
    status: 204,
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
  'GET /api/rosters/uploads/:jobId/changes': {
    permission: 'canUploadRoster',
    summary: 'List what a waiting upload would add, change or remove. Takes canViewPatients for the group, too',
    audit: 'roster.preview',
    params: byJob,
    query: z.object({ ...pageQuery, kind: z.enum(ROSTER_CHANGE_KINDS) }),
    answer: rosterChanges,
  },
  'GET /api/rosters/uploads/:jobId/problems': {
    permission: 'canUploadRoster',
    summary: 'List errors or warnings by row, with what the file says and how to mend it, for 90 days',
    audit: 'roster.errors',
    params: byJob,
    query: z.object({
      kind: z.enum(ROSTER_PROBLEM_KINDS),
      column: z.enum(HEADERS).optional(),
      after: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
    }),
    answer: rosterProblems,
  },
  'POST /api/rosters/uploads/:jobId/undo': {
    permission: 'canUploadRoster',
    summary: "Undo a group's latest upload within a day: restore the list from before. Returns the upload that does it",
    audit: 'roster.undo',
    params: byJob,
    answer: rosterJob,
    status: 202,
  },
  'GET /api/rosters/uploads/:jobId/errors.csv': {
    permission: 'canUploadRoster',
    summary: 'Download the rows with errors or warnings, one line for each',
    audit: 'roster.errors',
    params: byJob,
    query: z.object(teamOfDownload),
    kind: 'download',
  },
  'GET /api/rosters/waiting': {
    permission: 'canManageUsers',
    summary: 'List first rosters that wait for an operator, oldest first; empty for everyone else',
    answer: z.array(waitingRoster),
  },
  'POST /api/rosters/uploads/:jobId/confirm': {
    permission: ['canUploadRoster', 'canManageUsers'],
    summary: "Confirm a waiting upload, or as an operator approve a group's first roster",
    audit: 'roster.confirm',
    params: byJob,
    answer: rosterJob,
  },
  'POST /api/rosters/uploads/:jobId/cancel': {
    permission: ['canUploadRoster', 'canManageUsers'],
    summary: 'Cancel an upload that is not applied yet; an operator may also refuse a first roster',
    audit: 'roster.cancel',
    params: byJob,
    answer: rosterJob,
  },
} as const satisfies RouteTable;

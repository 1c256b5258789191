/** Roster uploads: one file replaces a group's roster, completely or not at all. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';
import { RELATIONSHIPS } from './relationships.ts';

export const ROSTER_JOB_STATUSES = [
  'RECEIVED',
  'VALIDATING',
  'AWAITING_CONFIRMATION',
  'APPLYING',
  'DONE',
  'FAILED',
  'CANCELLED',
] as const;
export type RosterJobStatus = (typeof ROSTER_JOB_STATUSES)[number];

export const relationship = z.enum(RELATIONSHIPS, {
  error: 'Choose the relationship with these people: treatment, coverage or care coordination.',
});

/** What an uploader states about everyone in the file. */
export const attestation = z.object({
  relationship,
  attested: z.literal('true', { error: 'Confirm that this relationship applies to everyone in the file.' }),
});

/** Who has to act on a waiting upload: an operator, for a group's first roster, or the uploader's team, if it removes many people. */
export const ROSTER_WAITS = ['OPERATOR', 'CONFIRMATION'] as const;
export type RosterWait = (typeof ROSTER_WAITS)[number];

export const ROSTER_MAX_ROWS = 2_000_000;
export const ROSTER_MAX_BYTES = 1024 ** 3;

export const rosterJob = z.object({
  jobId: id,
  groupId: id,
  status: z.enum(ROSTER_JOB_STATUSES),
  rosterUploader: z.string(),
  lastUploadedDate: instant,
  lastUploadedFile: z.string(),
  /** What the uploader attested; null for uploads from before it was asked for. */
  relationship: z.enum(RELATIONSHIPS).nullable(),
  /** Null unless the status is AWAITING_CONFIRMATION. */
  waitsFor: z.enum(ROSTER_WAITS).nullable(),
  /** Why the file as a whole could not be read or applied; null if it could. */
  fileError: z.string().nullable(),
  /** Unknown headers of the file, whose cells were not read. */
  ignoredColumns: z.array(z.string()),
  totalRows: z.number().int(),
  totalErrorRows: z.number().int(),
  /** Rows with an unusable or duplicate member id that match no listed patient, so they could be about any patient who would be removed. */
  unplacedRows: z.number().int(),
  /** What the upload changed, or will change when it is applied: nothing if it failed or was canceled. */
  statistics: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    removed: z.number().int(),
    unchanged: z.number().int(),
  }),
  /** The number of rows with an error, by column header. */
  errorsByColumn: z.record(z.string(), z.number().int()),
  /** The number of rows with a cell that could not be read and was skipped, or was read with leading zeros, by column header. The rest of such a row is used. */
  warningsByColumn: z.record(z.string(), z.number().int()),
  /** Whether dates of birth were read as DD/MM/YYYY, because some can't be MM/DD/YYYY. */
  hasDayFirst: z.boolean(),
});
export type RosterJob = z.infer<typeof rosterJob>;

/** A group's first roster, as operators see it before they approve it: counts, and no one's data. */
export const waitingRoster = z.object({
  job: rosterJob,
  groupName: z.string(),
  organizationName: z.string(),
  /** An operator does not approve a roster that they uploaded. */
  isOwnUpload: z.boolean(),
});
export type WaitingRoster = z.infer<typeof waitingRoster>;

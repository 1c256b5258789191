/** Roster uploads: one file replaces a group's roster, completely or not at all. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';

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

export const ROSTER_MAX_ROWS = 2_000_000;
export const ROSTER_MAX_BYTES = 1024 ** 3;

export const rosterJob = z.object({
  jobId: id,
  groupId: id,
  status: z.enum(ROSTER_JOB_STATUSES),
  rosterUploader: z.string(),
  lastUploadedDate: instant,
  lastUploadedFile: z.string(),
  /** Why the file as a whole could not be read or applied; null if it could. */
  fileError: z.string().nullable(),
  /** Unknown headers of the file, whose cells were not read. */
  ignoredColumns: z.array(z.string()),
  totalRows: z.number().int(),
  totalErrorRows: z.number().int(),
  /** Rows with an unusable or duplicate member id that match no listed patient, so they could be about any patient who would be removed. */
  unplacedRows: z.number().int(),
  /** What the upload changed, or will change when it is applied. */
  statistics: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    removed: z.number().int(),
    unchanged: z.number().int(),
  }),
  /** The number of rows with an error, by column header. */
  errorsByColumn: z.record(z.string(), z.number().int()),
});
export type RosterJob = z.infer<typeof rosterJob>;

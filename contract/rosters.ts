/** Roster uploads: one file replaces a group's roster, completely or not at all. */
import { z } from 'zod';
import { id, instant, plainText } from './primitives.ts';
import { RELATIONSHIPS } from './relationships.ts';
import { ROSTER_OPTIONAL, ROSTER_TARGETS } from './roster-columns.ts';
import { LONGEST_HEADER, MOST_MAPPED_HEADERS } from './roster-limits.ts';

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

/**
 * What an uploader states about everyone in the file. Without a relationship, the one last attested for the group's roster applies; the
 * operator who approves a first roster sees that none was stated.
 */
export const attestation = z.object({
  relationship: relationship.optional(),
  attested: z.literal('true').optional(),
});

/**
 * Who has to act on a waiting upload: an operator, for a group's first roster; the uploader's team, because it removes many people
 * (CONFIRMATION) or because it was uploaded with a preview (PREVIEW).
 */
export const ROSTER_WAITS = ['OPERATOR', 'CONFIRMATION', 'PREVIEW'] as const;
export type RosterWait = (typeof ROSTER_WAITS)[number];

/** How the bytes of a file were read, which don't say it themselves. */
export const ROSTER_ENCODINGS = ['UTF_8', 'UTF_16', 'WINDOWS_1252', 'UTF_8_AND_WINDOWS_1252'] as const;
export type RosterEncoding = (typeof ROSTER_ENCODINGS)[number];

export const ROSTER_MAX_ROWS = 2_000_000;
export const ROSTER_MAX_BYTES = 1024 ** 3;
export const rosterJob = z.object({
  jobId: id,
  groupId: id,
  status: z.enum(ROSTER_JOB_STATUSES),
  /** The username. */
  rosterUploader: z.string(),
  uploaderName: z.string(),
  lastUploadedDate: instant,
  lastUploadedFile: z.string(),
  /** What was attested for the roster; null if no one has stated a relationship. */
  relationship: z.enum(RELATIONSHIPS).nullable(),
  /** Null unless the status is AWAITING_CONFIRMATION. */
  waitsFor: z.enum(ROSTER_WAITS).nullable(),
  /** Why the file as a whole could not be read or applied; null if it could. */
  fileError: z.string().nullable(),
  /** Headers of the file whose cells were not read. */
  ignoredColumns: z.array(z.string()),
  /** Rows of the file, from when it has arrived. */
  totalRows: z.number().int(),
  totalErrorRows: z.number().int(),
  /** Rows with an unusable or duplicate member id that match no listed patient, so they could be about any patient who would be removed. */
  unplacedRows: z.number().int(),
  /** What the upload changed, or will change when it is applied; if it was canceled, what it would have changed. Zeros until it is checked, and if it failed. */
  statistics: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    removed: z.number().int(),
    unchanged: z.number().int(),
  }),
  /** The number of rows with an error, by column header. */
  errorsByColumn: z.record(z.string(), z.number().int()),
  /**
   * The number of rows with a cell that could not be read and was skipped, by column header; or that was read and needs a look, because it was
   * completed, is garbled, had invisible characters, or is a placeholder for a name. 'Whole row': the row looks like another one. The rest of
   * such a row is used.
   */
  warningsByColumn: z.record(z.string(), z.number().int()),
  /**
   * How many people of the list lose their value, by column header, because the file has none: a file replaces the list, also in columns that it
   * leaves out. Counted for uploads that wait; empty for others.
   */
  clearedByColumn: z.record(z.string(), z.number().int()),
  /** Whether dates of birth were read as DD/MM/YYYY, because some can't be MM/DD/YYYY. */
  hasDayFirst: z.boolean(),
  /** How the file was read; null for an undo, for a file that could not be read, and for uploads from before this was kept. */
  encoding: z.enum(ROSTER_ENCODINGS).nullable(),
  /** Cells that were probably written in another encoding. If there are some, others may be wrong without a warning. */
  garbledCells: z.number().int(),
  /** How many people the roster listed before. */
  listedBefore: z.number().int(),
  /** New and changed rows that have been matched with people since the roster was replaced. */
  matchedRows: z.number().int(),
  /** Username of who applied or canceled the upload after its preview; null if no one did. */
  decidedBy: z.string().nullable(),
  decidedByName: z.string().nullable(),
  decidedAt: instant.nullable(),
  /** When a waiting upload is canceled; null if it does not wait for its team. */
  waitsUntil: instant.nullable(),
  /** When the roster was replaced; null if it was not. */
  appliedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  /** The upload that this one undoes; null for a file. */
  undoes: id.nullable(),
  /** The upload that undoes this one; null if none does. */
  undoneBy: id.nullable(),
  /** Until when it can be undone; null if it can't: it was not applied, a later upload was, or it undoes another. */
  undoUntil: instant.nullable(),
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

/** The uploads of a group, newest first. */
export const rosterHistory = z.object({ total: z.number().int(), uploads: z.array(rosterJob) });
export type RosterHistory = z.infer<typeof rosterHistory>;

export const ROSTER_CHANGE_KINDS = ['ADDED', 'CHANGED', 'REMOVED'] as const;
export type RosterChangeKind = (typeof ROSTER_CHANGE_KINDS)[number];

/** What a waiting upload would do to one patient. */
export const rosterChange = z.object({
  /** The row of the file; null for a patient who is not in the file. */
  rowNumber: z.number().int().nullable(),
  memberId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** YYYY-MM-DD. */
  dateOfBirth: z.string().nullable(),
  /** Whether the patient was on the roster before and returns. */
  returns: z.boolean(),
  /** What differs, by column header; values of a list are joined by '; '. */
  differences: z.array(z.object({ column: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});
export type RosterChange = z.infer<typeof rosterChange>;

export const rosterChanges = z.object({ total: z.number().int(), changes: z.array(rosterChange) });
export type RosterChanges = z.infer<typeof rosterChanges>;

export const ROSTER_PROBLEM_KINDS = ['ERROR', 'WARNING'] as const;
export type RosterProblemKind = (typeof ROSTER_PROBLEM_KINDS)[number];

/** A cell of an upload that could not be used as it was. */
export const rosterProblem = z.object({
  rowNumber: z.number().int(),
  memberId: z.string(),
  /** A header of the roster, or 'Row' or 'Whole row' for the row as a whole. */
  column: z.string(),
  /** What the file says, cut after 60 characters, with U+FFFD for an invisible character; digits of a Social Security or Medicare number are hidden. Null if it says nothing, or the upload is older than this. */
  value: z.string().nullable(),
  /** What is wrong and how to mend it. */
  reason: z.string(),
});
export type RosterProblem = z.infer<typeof rosterProblem>;

/** `next`: the row number after which the next page begins; null on the last page. */
export const rosterProblems = z.object({ problems: z.array(rosterProblem), next: z.number().int().nullable() });
export type RosterProblems = z.infer<typeof rosterProblems>;

/** How a header was understood: by a group's own mapping, by its name, as one that another header precedes, or not at all. */
export const ROSTER_HEADER_READINGS = ['MAPPED', 'NAME', 'DUPLICATE', 'IGNORED', 'UNKNOWN'] as const;
export type RosterHeaderReading = (typeof ROSTER_HEADER_READINGS)[number];

const target = z.enum(ROSTER_TARGETS);

/** The columns of a file, as its beginning shows them. */
export const rosterSample = z.object({
  headers: z.array(
    z.object({
      header: z.string(),
      /** The first values, at most three. Numbers that may be Social Security or Medicare numbers are hidden. */
      samples: z.array(z.string()),
      column: target.nullable(),
      reading: z.enum(ROSTER_HEADER_READINGS),
    }),
  ),
  /** How many people of the group's list have a value in a column that isn't required, by column. What the file leaves out is cleared. */
  listed: z.partialRecord(z.enum(ROSTER_OPTIONAL), z.number().int()),
  /** Why the file cannot be read at all; null if it can. */
  fileError: z.string().nullable(),
});
export type RosterSample = z.infer<typeof rosterSample>;

/** What some headers mean in a group's files: a column, or null for one that is ignored. */
export const rosterMapping = z
  .array(z.object({ header: plainText(LONGEST_HEADER).min(1), column: target.nullable() }))
  .max(MOST_MAPPED_HEADERS);
export type RosterMapping = z.infer<typeof rosterMapping>;

export const rosterHeaders = z.array(
  z.object({
    header: z.string(),
    column: target.nullable(),
    username: z.string(),
    name: z.string(),
    changedAt: instant,
  }),
);
export type RosterHeaders = z.infer<typeof rosterHeaders>;

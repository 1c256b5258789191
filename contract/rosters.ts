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

/** The columns of a roster file. Cells of `list` columns hold several values separated by ';'. */
export const ROSTER_COLUMNS = {
  memberId: { header: 'Member ID', required: true, example: 'LK-100237' },
  firstName: { header: 'First Name', required: true, example: 'Adaeze' },
  middleName: { header: 'Middle Name', example: 'Ngozi' },
  lastName: { header: 'Last Name', required: true, example: 'Okonkwo-Reyes' },
  nameSuffix: { header: 'Suffix', example: '' },
  dateOfBirth: { header: 'Date of Birth', required: true, example: '03/14/1941' },
  gender: { header: 'Gender', example: 'Female' },
  address1: { header: 'Address 1', example: '12 Heron Lane' },
  address2: { header: 'Address 2', example: 'Apt 4' },
  city: { header: 'City', example: 'Alder Bay' },
  state: { header: 'State', example: 'NY' },
  zip: { header: 'ZIP', example: '14601' },
  homePhone: { header: 'Home Phone', example: '585-555-0134' },
  mobilePhone: { header: 'Mobile Phone', example: '' },
  ssnLast4: { header: 'SSN Last 4', example: '' },
  medicareId: { header: 'Medicare ID', example: '' },
  program: { header: 'Program', list: true, example: 'ACO REACH' },
  practice: { header: 'Practice', list: true, example: 'Alder Bay Family Medicine' },
  providerFirstName: { header: 'Provider First Name', example: 'Ama' },
  providerLastName: { header: 'Provider Last Name', example: 'Osei' },
  providerNpi: { header: 'Provider NPI', example: '' },
  careCoordinators: { header: 'Care Coordinators', list: true, example: 'Rosa Diaz' },
  insurance: { header: 'Insurance', list: true, example: 'Medicare' },
  tags: { header: 'Tags', list: true, example: 'High touch' },
  careGaps: { header: 'Care Gaps', list: true, example: 'Annual wellness visit' },
  advanceCareDocuments: { header: 'Advance Care Documents', list: true, example: '' },
  currentlyBillingAgencies: { header: 'Currently Billing Agencies', list: true, example: '' },
} as const satisfies Record<string, { header: string; required?: boolean; list?: boolean; example: string }>;
export type RosterColumn = keyof typeof ROSTER_COLUMNS;

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

/** A group's roster upload (decisions.md, "Rules"): one file replaces the roster, whole or not at all. */
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

/** The columns of a roster file. `list` cells hold several values, separated by ';'. */
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
  /** What is wrong with the file as a whole; null where it could be read. */
  fileError: z.string().nullable(),
  /** Headers of the file that we do not know: their cells were not read. */
  ignoredColumns: z.array(z.string()),
  totalRows: z.number().int(),
  totalErrorRows: z.number().int(),
  /** Rows whose member id cannot be read or is another row's, and that name nobody who is listed: they may be any who would be removed. */
  unplacedRows: z.number().int(),
  /** What applying it changes (before: would change). */
  statistics: z.object({
    created: z.number().int(),
    updated: z.number().int(),
    removed: z.number().int(),
    unchanged: z.number().int(),
  }),
  /** Column header to the number of rows with an error there. */
  errorsByColumn: z.record(z.string(), z.number().int()),
});
export type RosterJob = z.infer<typeof rosterJob>;

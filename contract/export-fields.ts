/** What exports contain: the fields with their labels and permissions. Free of schemas, because the browser loads it as it is. */
import type { Permission } from './permissions.ts';

export const EXPORT_TYPES = ['CSV', 'XLSX'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

export const EXPORT_SECTIONS = ['Patient', 'Contact', 'Care', 'Encounter'] as const;
export type ExportSection = (typeof EXPORT_SECTIONS)[number];

export interface ExportFieldWords {
  label: string;
  section: ExportSection;
  /** Values come only from groups for which the user holds it. */
  permission?: Permission;
  /** Chosen unless the user chooses otherwise. */
  isDefault?: true;
}

/** The fields in the order of the columns. */
export const EXPORT_FIELDS = {
  patientId: { label: 'Patient ID', section: 'Patient', isDefault: true },
  lastName: { label: 'Last name', section: 'Patient', isDefault: true },
  firstName: { label: 'First name', section: 'Patient', isDefault: true },
  middleName: { label: 'Middle name', section: 'Patient' },
  nameSuffix: { label: 'Suffix', section: 'Patient' },
  dateOfBirth: { label: 'Date of birth', section: 'Patient', isDefault: true },
  gender: { label: 'Gender', section: 'Patient', isDefault: true },
  memberId: { label: 'Member ID', section: 'Contact', permission: 'canViewAllPatientDetails', isDefault: true },
  address1: { label: 'Address line 1', section: 'Contact', permission: 'canViewAllPatientDetails' },
  address2: { label: 'Address line 2', section: 'Contact', permission: 'canViewAllPatientDetails' },
  city: { label: 'City', section: 'Contact', permission: 'canViewAllPatientDetails' },
  state: { label: 'State', section: 'Contact', permission: 'canViewAllPatientDetails' },
  zip: { label: 'ZIP code', section: 'Contact', permission: 'canViewAllPatientDetails' },
  homePhone: { label: 'Home phone', section: 'Contact', permission: 'canViewAllPatientDetails' },
  mobilePhone: { label: 'Mobile phone', section: 'Contact', permission: 'canViewAllPatientDetails' },
  insurance: { label: 'Insurance', section: 'Contact', permission: 'canViewAllPatientDetails' },
  listedBy: { label: 'Listed by', section: 'Care', isDefault: true },
  programs: { label: 'Programs', section: 'Care', isDefault: true },
  practices: { label: 'Practices', section: 'Care', isDefault: true },
  providers: { label: 'Providers', section: 'Care', isDefault: true },
  careCoordinators: { label: 'Care coordinators', section: 'Care', isDefault: true },
  patientTags: { label: 'Active tags', section: 'Care', permission: 'canViewPatientTags' },
  facility: { label: 'Facility', section: 'Encounter', isDefault: true },
  facilityType: { label: 'Facility type', section: 'Encounter', isDefault: true },
  setting: { label: 'Setting', section: 'Encounter', isDefault: true },
  encounterStatus: { label: 'Encounter status', section: 'Encounter', isDefault: true },
  latestEvent: { label: 'Latest event', section: 'Encounter', isDefault: true },
  latestEventDate: { label: 'Latest event date', section: 'Encounter', isDefault: true },
  admitted: { label: 'Admitted', section: 'Encounter', isDefault: true },
  discharged: { label: 'Discharged', section: 'Encounter', isDefault: true },
  lengthOfStay: { label: 'Length of stay (days)', section: 'Encounter', isDefault: true },
  admittedFrom: { label: 'Admitted from', section: 'Encounter' },
  dischargedTo: { label: 'Discharged to', section: 'Encounter', isDefault: true },
  attendingProvider: { label: 'Attending provider', section: 'Encounter', isDefault: true },
  unit: { label: 'Unit', section: 'Encounter' },
  room: { label: 'Room', section: 'Encounter' },
  bed: { label: 'Bed', section: 'Encounter' },
  primaryDiagnosis: { label: 'Primary diagnosis', section: 'Encounter', isDefault: true },
  allDiagnoses: { label: 'All diagnoses', section: 'Encounter' },
  payor: { label: 'Payor', section: 'Encounter', permission: 'canViewAllPatientDetails' },
} as const satisfies Record<string, ExportFieldWords>;
export type ExportFieldId = keyof typeof EXPORT_FIELDS;
export const EXPORT_FIELD_IDS = Object.keys(EXPORT_FIELDS) as ExportFieldId[];

/** Returns what is known of a field. */
export const exportFieldWords = (id: ExportFieldId): ExportFieldWords => EXPORT_FIELDS[id];

/** Columns of lists. In the event feed a row is one event, not a visit with its latest one. */
export const EVENT_COLUMNS = { latestEvent: 'Event', latestEventDate: 'Event date' } as const;
export const EVENT_STATE_COLUMN = 'Event state';
export const EVENT_STATE_LABELS = { ACTIVE: 'Reported', AMENDED: 'Amended', CANCELLED: 'Canceled' } as const;

/** Columns of every list, before the others that no one can leave out: what its rows say beside their fields. */
export const LIST_COLUMNS = {
  age: 'Age',
  died: 'Died',
  reasons: 'Why on the list',
  due: 'Due',
  owner: 'Owner',
} as const;

/** Columns that no one can leave out. The last one of every file has the notice where a row needs it. */
export const PING_STATUS_COLUMN = 'Ping status';
export const PART2_COLUMN = '42 CFR Part 2 notice';

/** Exports of one user that run or wait at the same time. */
export const EXPORTS_AT_ONCE = 3;
/** Files that are kept for one user at the same time. */
export const EXPORTS_KEPT = 50;
export const EXPORT_KEPT_DAYS = 7;
/** Rows of a list that one export can have. */
export const LIST_EXPORT_ROWS = 250_000;

/** Why an export failed, in words. Nothing of a failed export can be downloaded. */
export const EXPORT_FAILURES = {
  ACCESS: 'Your access changed before this export was finished. Start it again.',
  TOO_LARGE: 'This export is too large for one file. Choose fewer dates, groups or fields.',
  ERROR: "This export couldn't be finished. Start it again.",
} as const;
export type ExportFailure = keyof typeof EXPORT_FAILURES;

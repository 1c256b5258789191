/** The cells of an export: what each field says about a patient and a visit. */
import { EVENT_LABELS, type EventCode, type EventState, SETTING_LABELS } from '#contract/event-codes.ts';
import {
  EVENT_COLUMNS,
  EVENT_STATE_COLUMN,
  EVENT_STATE_LABELS,
  EXPORT_FIELDS,
  type ExportFieldId,
  LIST_COLUMNS,
  PART2_COLUMN,
  PING_STATUS_COLUMN,
} from '#contract/export-fields.ts';
import type { SearchContext } from '#contract/facets.ts';
import { FACILITY_TYPE_LABELS } from '#contract/groups.ts';
import { MANAGEMENT_STATUS_LABELS, type ManagementStatus } from '#contract/management-status.ts';
import { PART2_NOTICE } from '#contract/part2.ts';
import type { Encounter, Patient } from '#contract/patients.ts';
import { zoneNameOf } from '#server/platform/calendar/time-zone.ts';
import { usDate } from '#server/platform/calendar/us-dates.ts';

/** What the cells of a row are made from: a patient as in lists, and one visit. */
export interface ExportRow {
  patient: Pick<
    Patient,
    | 'id'
    | 'firstName'
    | 'middleName'
    | 'lastName'
    | 'nameSuffix'
    | 'dateOfBirth'
    | 'gender'
    | 'address'
    | 'listings'
    | 'programs'
    | 'practices'
    | 'providers'
    | 'careCoordinators'
    | 'patientTags'
    | 'insurancePlans'
  >;
  stay: Pick<
    Encounter,
    | 'admittingFacility'
    | 'status'
    | 'setting'
    | 'attendingProvider'
    | 'admittedFrom'
    | 'dischargeTo'
    | 'pointOfCare'
    | 'room'
    | 'bed'
    | 'admittedDate'
    | 'inpatientFrom'
    | 'dischargedDate'
    | 'lengthOfStay'
    | 'diagnosis'
    | 'allEncounterDiagnoses'
    | 'payors'
  > | null;
  event: { code: EventCode; date: string; state: EventState } | null;
  /** The status of the stay's pings; null where the export has no such column, or the row no pings. */
  pingStatus: ManagementStatus | null;
  /** What only lists say; null for encounters. */
  listed: Record<keyof typeof LIST_COLUMNS, string> | null;
  hasPart2: boolean;
}

const LISTED = Object.keys(LIST_COLUMNS) as (keyof typeof LIST_COLUMNS)[];

const STATUS_LABELS: Record<Encounter['status'], string> = {
  PLANNED: 'Planned',
  IN_PROGRESS: 'In progress',
  ON_LEAVE: 'On leave',
  FINISHED: 'Finished',
  CANCELLED: 'Canceled',
};

const joined = (values: readonly (string | null)[]): string => values.filter(Boolean).join('; ');
const diagnosisText = ({ fullCode, synonym }: NonNullable<Encounter['diagnosis']>): string =>
  [fullCode, synonym].filter(Boolean).join(' ');

/** What each field says. Times are in the time zone of the user. */
const CELLS: Record<ExportFieldId, (row: ExportRow, timeZone: string) => string | null | undefined> = {
  patientId: ({ patient }) => patient.id,
  lastName: ({ patient }) => patient.lastName,
  firstName: ({ patient }) => patient.firstName,
  middleName: ({ patient }) => patient.middleName,
  nameSuffix: ({ patient }) => patient.nameSuffix,
  dateOfBirth: ({ patient }, timeZone) => usDate(patient.dateOfBirth, timeZone),
  gender: ({ patient }) => patient.gender,
  memberId: ({ patient }) => joined([...new Set(patient.listings.map(({ memberId }) => memberId))]),
  address1: ({ patient }) => patient.address?.address1,
  address2: ({ patient }) => patient.address?.address2,
  city: ({ patient }) => patient.address?.city,
  state: ({ patient }) => patient.address?.state,
  zip: ({ patient }) => patient.address?.zip,
  homePhone: ({ patient }) => patient.address?.homePhone,
  mobilePhone: ({ patient }) => patient.address?.mobilePhone,
  insurance: ({ patient }) => joined(patient.insurancePlans.map(({ value }) => value)),
  listedBy: ({ patient }) => joined([...new Set(patient.listings.map(({ groupName }) => groupName))]),
  programs: ({ patient }) => joined(patient.programs.map(({ name }) => name)),
  practices: ({ patient }) => joined(patient.practices.map(({ name }) => name)),
  providers: ({ patient }) => joined(patient.providers.map(({ fullName }) => fullName)),
  careCoordinators: ({ patient }) => joined(patient.careCoordinators.map(({ fullName }) => fullName)),
  patientTags: ({ patient }) => joined(patient.patientTags),
  facility: ({ stay }) => stay?.admittingFacility.name,
  facilityType: ({ stay }) =>
    stay?.admittingFacility.facilityType && FACILITY_TYPE_LABELS[stay.admittingFacility.facilityType],
  setting: ({ stay }) => stay && SETTING_LABELS[stay.setting],
  encounterStatus: ({ stay }) => stay && STATUS_LABELS[stay.status],
  latestEvent: ({ event }) => event && EVENT_LABELS[event.code],
  latestEventDate: ({ event }, timeZone) => usDate(event?.date, timeZone),
  admitted: ({ stay }, timeZone) => usDate(stay?.inpatientFrom ?? stay?.admittedDate, timeZone),
  discharged: ({ stay }, timeZone) => usDate(stay?.dischargedDate, timeZone),
  lengthOfStay: ({ stay }) => stay?.lengthOfStay?.toString(),
  admittedFrom: ({ stay }) => stay?.admittedFrom,
  dischargedTo: ({ stay }) => stay?.dischargeTo,
  attendingProvider: ({ stay }) => stay?.attendingProvider,
  unit: ({ stay }) => stay?.pointOfCare,
  room: ({ stay }) => stay?.room,
  bed: ({ stay }) => stay?.bed,
  primaryDiagnosis: ({ stay }) => stay?.diagnosis && diagnosisText(stay.diagnosis),
  allDiagnoses: ({ stay }) => stay && joined(stay.allEncounterDiagnoses.map(diagnosisText)),
  payor: ({ stay }) => stay && joined(stay.payors),
};

/** The fields with times of day: the header says in which time zone they are, as pages do. */
const TIMES: ReadonlySet<ExportFieldId> = new Set(['latestEventDate', 'admitted', 'discharged']);

export interface Columns {
  fields: readonly ExportFieldId[];
  /** The list that is exported; null for encounters, of which canceled events are no part. */
  list: SearchContext | null;
  /** IANA name of the time zone of times. */
  timeZone: string;
}

/** Returns the header. The notice of 42 CFR Part 2 is in every file, so that no choice of fields leaves it out. */
export const headerOf = ({ fields, list, timeZone }: Columns): string[] => [
  ...fields.flatMap((id) => {
    const label = labelOf(id, list);
    const header = TIMES.has(id) ? `${label} (${zoneNameOf(timeZone)})` : label;
    return hasStateAfter(id, list) ? [header, EVENT_STATE_COLUMN] : [header];
  }),
  ...(list === null ? [] : LISTED.map((id) => LIST_COLUMNS[id])),
  ...(list === 'PINGS' ? [PING_STATUS_COLUMN] : []),
  PART2_COLUMN,
];

const labelOf = (id: ExportFieldId, list: Columns['list']): string =>
  list === 'EVENTS' && (id === 'latestEvent' || id === 'latestEventDate') ? EVENT_COLUMNS[id] : EXPORT_FIELDS[id].label;

/** Lists show canceled events, marked as such: next to the event, so that nobody takes it for a real one. */
const hasStateAfter = (id: ExportFieldId, list: Columns['list']): boolean => list !== null && id === 'latestEventDate';

/** Returns the cells of a row, in the order of the header. */
export function cellsOf(row: ExportRow, { fields, list, timeZone }: Columns): string[] {
  const cells: string[] = [];
  for (const id of fields) {
    cells.push(CELLS[id](row, timeZone) ?? '');
    if (hasStateAfter(id, list)) cells.push(row.event ? EVENT_STATE_LABELS[row.event.state] : '');
  }
  if (list !== null) cells.push(...LISTED.map((id) => row.listed?.[id] ?? ''));
  if (list === 'PINGS') cells.push(row.pingStatus === null ? '' : MANAGEMENT_STATUS_LABELS[row.pingStatus]);
  cells.push(row.hasPart2 ? PART2_NOTICE : '');
  return cells;
}

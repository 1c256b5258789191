/**
 * What rows are made of, and how it arrives: in arrays, in the order of the statements of `queries.ts`. Ids are strings; those of pings,
 * events and statuses are numbers, as the columns have them.
 */
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import type { VisitState } from '#server/encounters/visit-state.ts';

/** A listing of a person by one of the scope's groups. */
export interface ListingFacts {
  personId: string;
  groupId: string;
  timeZone: string;
  memberId: string;
  middleName: string | null;
  gender: string;
  /** Days since 1970. */
  birthDay: number | null;
  city: string | null;
  zip: string | null;
  programs: string[];
  practices: string[];
  providerFirstName: string | null;
  providerLastName: string | null;
  careCoordinators: string[];
  tags: string[];
  careGaps: string[];
  advanceCareDocuments: string[];
  billingAgencies: string[];
  sortFirst: string;
  sortLast: string;
  hasLeft: boolean;
}

export interface FacilityFacts {
  id: string;
  name: string;
  state: string | null;
  type: GroupType;
  facilityType: FacilityType | null;
  timeZone: string;
  isPart2: boolean;
}

/** What no row tells of a visit is not read. */
export type ShownState = Omit<VisitState, 'attending' | 'payers' | 'deceased' | 'deceasedAt'>;

export interface VisitFacts {
  id: string;
  personId: string;
  facilityId: string;
  state: ShownState;
}

export interface EventFacts {
  id: number;
  encounterId: string;
  code: EventCode;
  setting: Setting;
  state: EventState;
  /** Seconds since 1970. */
  at: number;
  /** Days since 1970, of the calendar day at the facility. */
  day: number;
}

export interface PingFacts {
  id: number;
  eventId: number;
  encounterId: string;
  groupId: string;
  /** Of the listing under which it was told. */
  personId: string;
  state: EventState;
  status: ManagementStatus;
  statusId: number | null;
  statusAt: number | null;
  resolutions: Resolution[] | null;
  isCurrent: boolean;
  at: number;
  createdAt: number;
  /** The event and its visit, of which the person may turn out to be another. */
  code: EventCode;
  setting: Setting;
  day: number;
  facilityId: string;
}

/** The values of these properties, in this order. */
type Columns<T, Names extends readonly (keyof T)[]> = { readonly [Index in keyof Names]: T[Names[Index]] };

/** Whose it is, and 'facility recipient'. */
export type ConsentRow = readonly [personId: string, consent: string];

// biome-ignore format: as the statement has its columns, several in a line
export type ListingRow = Columns<ListingFacts, [
  'personId', 'groupId', 'timeZone', 'memberId', 'middleName', 'gender', 'birthDay', 'city', 'zip', 'programs',
  'practices', 'providerFirstName', 'providerLastName', 'careCoordinators', 'tags', 'careGaps',
  'advanceCareDocuments', 'billingAgencies', 'sortFirst', 'sortLast', 'hasLeft',
]>;
// biome-ignore format: as the statement has its columns, several in a line
export const listingOf = ([
  personId, groupId, timeZone, memberId, middleName, gender, birthDay, city, zip, programs, practices,
  providerFirstName, providerLastName, careCoordinators, tags, careGaps, advanceCareDocuments, billingAgencies,
  sortFirst, sortLast, hasLeft,
]: ListingRow): ListingFacts => ({
  personId, groupId, timeZone, memberId, middleName, gender, birthDay, city, zip, programs, practices,
  providerFirstName, providerLastName, careCoordinators, tags, careGaps, advanceCareDocuments, billingAgencies,
  sortFirst, sortLast, hasLeft,
});

// biome-ignore format: as the statement has its columns, several in a line
export type VisitRow = readonly [id: string, personId: string, facilityId: string, ...Columns<ShownState, [
  'status', 'setting', 'location', 'admittedAt', 'dischargedAt', 'admitSource', 'admissionType', 'disposition',
  'dischargedTo', 'admitReason', 'expectedDischargeAt', 'estimatedDays', 'diagnoses',
]>];
// biome-ignore format: as the statement has its columns, several in a line
export const visitOf = ([
  id, personId, facilityId,
  status, setting, location, admittedAt, dischargedAt, admitSource, admissionType, disposition, dischargedTo,
  admitReason, expectedDischargeAt, estimatedDays, diagnoses,
]: VisitRow): VisitFacts => ({
  id, personId, facilityId,
  state: {
    status, setting, location, admittedAt, dischargedAt, admitSource, admissionType, disposition, dischargedTo,
    admitReason, expectedDischargeAt, estimatedDays, diagnoses,
  },
});

// biome-ignore format: as the statement has its columns, several in a line
export type EventRow = Columns<EventFacts, [
  'id', 'encounterId', 'code', 'setting', 'state', 'at', 'day',
]>;
// biome-ignore format: as the statement has its columns, several in a line
export const eventOf = ([
  id, encounterId, code, setting, state, at, day,
]: EventRow): EventFacts => ({
  id, encounterId, code, setting, state, at, day,
});

// biome-ignore format: as the statement has its columns, several in a line
export type PingRow = Columns<PingFacts, [
  'id', 'eventId', 'encounterId', 'groupId', 'personId', 'state', 'status', 'statusId', 'statusAt', 'resolutions',
  'isCurrent', 'at', 'createdAt', 'code', 'setting', 'day', 'facilityId',
]>;
// biome-ignore format: as the statement has its columns, several in a line
export const pingOf = ([
  id, eventId, encounterId, groupId, personId, state, status, statusId, statusAt, resolutions, isCurrent, at,
  createdAt, code, setting, day, facilityId,
]: PingRow): PingFacts => ({
  id, eventId, encounterId, groupId, personId, state, status, statusId, statusAt, resolutions, isCurrent, at,
  createdAt, code, setting, day, facilityId,
});

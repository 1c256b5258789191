/**
 * The facts that rows are computed from, and their format: columns in the order of the statements in `queries.ts`. Ids are strings, but those
 * of pings, events and statuses are numbers, like the keys of rows.
 */
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';

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
  /** Milliseconds since 1970: see `opensVisit` in server/people/access/policy.ts. */
  opensFrom: number;
}

/** A tag that the scope's team has given to a patient. */
export interface TagFacts {
  personId: string;
  /** Whose listing has the tag. */
  groupId: string;
  name: string;
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

/** The parts of a visit's state that rows use; the rest is not read. */
export type ShownState = Omit<VisitState, 'attending' | 'payers' | 'deceased' | 'deceasedAt' | 'deathDenied'>;

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
  /** The time of day is unknown, and `at` is midnight. */
  isDay: boolean;
}

export interface PingFacts {
  id: number;
  eventId: number;
  encounterId: string;
  groupId: string;
  /** The person of the listing that the ping was sent for. */
  personId: string;
  state: EventState;
  status: ManagementStatus;
  statusId: number | null;
  statusAt: number | null;
  resolutions: Resolution[] | null;
  isCurrent: boolean;
  at: number;
  createdAt: number;
  facilityId: string;
  /** The event, if its visit has turned out to be another person's. Otherwise null, and the event is among those of the visit. */
  code: EventCode | null;
  setting: Setting | null;
  day: number | null;
}

/** The content of a document. */
export interface Facts {
  /** Listings by the transaction's groups, oldest first; row-level security hides all others. */
  listings: ListingFacts[];
  /** All visits. `readersOf` in server/people/access/policy.ts decides which may be read. */
  visits: VisitFacts[];
  /** The events of these visits, oldest first. */
  events: EventFacts[];
  /** Pings of the transaction's groups for these listings. */
  pings: PingFacts[];
  /** Consents in force: the person, and 'facility recipient'. */
  consents: (readonly [personId: string, consent: string])[];
  /** The facilities of these visits and pings. */
  facilities: FacilityFacts[];
  tags: TagFacts[];
}

/** JSON as returned by `queries.ts`: the columns of each kind of fact, each an array, or null if there are no rows. */
export type FactDocument = string;

/** The columns of these properties, in this order. */
type Columns<T, Names extends readonly (keyof T)[]> = { readonly [Index in keyof Names]: readonly T[Names[Index]][] };

// biome-ignore format: columns in the order of the statement, several per line
type ListingColumns = Columns<ListingFacts, [
  'personId', 'groupId', 'timeZone', 'memberId', 'middleName', 'gender', 'birthDay', 'city', 'zip', 'programs',
  'practices', 'providerFirstName', 'providerLastName', 'careCoordinators', 'tags', 'careGaps',
  'advanceCareDocuments', 'billingAgencies', 'sortFirst', 'sortLast', 'hasLeft', 'opensFrom',
]>;
// biome-ignore format: columns in the order of the statement, several per line
type VisitColumns = [...Columns<VisitFacts, ['id', 'personId', 'facilityId']>, ...Columns<ShownState, [
  'status', 'setting', 'location', 'arrivedAt', 'admittedAt', 'dischargedAt', 'leaves', 'admitSource', 'admissionType',
  'disposition', 'dischargedTo', 'transferredTo', 'admitReason', 'expectedDischargeAt', 'estimatedDays', 'diagnoses',
]>];
// biome-ignore format: columns in the order of the statement, several per line
type EventColumns = Columns<EventFacts, [
  'id', 'encounterId', 'code', 'setting', 'state', 'at', 'day', 'isDay',
]>;
// biome-ignore format: columns in the order of the statement, several per line
type PingColumns = Columns<PingFacts, [
  'id', 'eventId', 'encounterId', 'groupId', 'personId', 'state', 'status', 'statusId', 'statusAt', 'resolutions',
  'isCurrent', 'at', 'createdAt', 'facilityId', 'code', 'setting', 'day',
]>;
type ConsentColumns = readonly [personIds: readonly string[], consents: readonly string[]];
// biome-ignore format: columns in the order of the statement, several per line
type FacilityColumns = Columns<FacilityFacts, [
  'id', 'name', 'state', 'type', 'facilityType', 'timeZone', 'isPart2',
]>;

interface Document {
  listings: ListingColumns;
  visits: VisitColumns;
  events: EventColumns;
  pings: PingColumns;
  consents: ConsentColumns;
  facilities: FacilityColumns;
  tags: Columns<TagFacts, ['personId', 'groupId', 'name']>;
}

export function factsOf(document: FactDocument): Facts {
  const { listings, visits, events, pings, consents, facilities, tags } = JSON.parse(document) as Document;
  return {
    listings: listingsOf(listings),
    visits: visitsOf(visits),
    events: eventsOf(events),
    pings: pingsOf(pings),
    consents: each(consents[0], (n) => [consents[0][n] as string, consents[1][n] as string]),
    facilities: facilitiesOf(facilities),
    tags: tagsOf(tags),
  };
}

/** A column without rows is null. */
const each = <T>(column: readonly unknown[] | null, at: (n: number) => T): T[] =>
  Array.from({ length: column?.length ?? 0 }, (_, n) => at(n));

// biome-ignore format: columns in the order of the statement, several per line
const listingsOf = ([
  personId, groupId, timeZone, memberId, middleName, gender, birthDay, city, zip, programs, practices,
  providerFirstName, providerLastName, careCoordinators, tags, careGaps, advanceCareDocuments, billingAgencies,
  sortFirst, sortLast, hasLeft, opensFrom,
]: ListingColumns): ListingFacts[] => each(personId, (n) => ({
  personId: personId[n], groupId: groupId[n], timeZone: timeZone[n], memberId: memberId[n], middleName:
  middleName[n], gender: gender[n], birthDay: birthDay[n], city: city[n], zip: zip[n], programs: programs[n],
  practices: practices[n], providerFirstName: providerFirstName[n], providerLastName: providerLastName[n],
  careCoordinators: careCoordinators[n], tags: tags[n], careGaps: careGaps[n], advanceCareDocuments:
  advanceCareDocuments[n], billingAgencies: billingAgencies[n], sortFirst: sortFirst[n], sortLast: sortLast[n],
  hasLeft: hasLeft[n], opensFrom: opensFrom[n],
}) as ListingFacts);

// biome-ignore format: columns in the order of the statement, several per line
const visitsOf = ([
  id, personId, facilityId, status, setting, location, arrivedAt, admittedAt, dischargedAt, leaves, admitSource,
  admissionType, disposition, dischargedTo, transferredTo, admitReason, expectedDischargeAt, estimatedDays, diagnoses,
]: VisitColumns): VisitFacts[] => each(id, (n) => ({
  id: id[n], personId: personId[n], facilityId: facilityId[n],
  state: {
    status: status[n], setting: setting[n], location: location[n], arrivedAt: arrivedAt[n] ?? undefined, admittedAt: admittedAt[n], dischargedAt:
    dischargedAt[n], leaves: leaves[n] ?? undefined, admitSource: admitSource[n], admissionType: admissionType[n], disposition: disposition[n],
    dischargedTo: dischargedTo[n], transferredTo: transferredTo[n] ?? undefined, admitReason: admitReason[n], expectedDischargeAt: expectedDischargeAt[n],
    estimatedDays: estimatedDays[n], diagnoses: diagnoses[n],
  },
}) as VisitFacts);

// biome-ignore format: columns in the order of the statement, several per line
const eventsOf = ([
  id, encounterId, code, setting, state, at, day, isDay,
]: EventColumns): EventFacts[] => each(id, (n) => ({
  id: id[n], encounterId: encounterId[n], code: code[n], setting: setting[n], state: state[n], at: at[n], day:
  day[n], isDay: isDay[n],
}) as EventFacts);

// biome-ignore format: columns in the order of the statement, several per line
const pingsOf = ([
  id, eventId, encounterId, groupId, personId, state, status, statusId, statusAt, resolutions, isCurrent, at,
  createdAt, facilityId, code, setting, day,
]: PingColumns): PingFacts[] => each(id, (n) => ({
  id: id[n], eventId: eventId[n], encounterId: encounterId[n], groupId: groupId[n], personId: personId[n],
  state: state[n], status: status[n], statusId: statusId[n], statusAt: statusAt[n], resolutions: resolutions[n],
  isCurrent: isCurrent[n], at: at[n], createdAt: createdAt[n], facilityId: facilityId[n], code: code[n],
  setting: setting[n], day: day[n],
}) as PingFacts);

// biome-ignore format: columns in the order of the statement, several per line
const facilitiesOf = ([
  id, name, state, type, facilityType, timeZone, isPart2,
]: FacilityColumns): FacilityFacts[] => each(id, (n) => ({
  id: id[n], name: name[n], state: state[n], type: type[n], facilityType: facilityType[n], timeZone:
  timeZone[n], isPart2: isPart2[n],
}) as FacilityFacts);

const tagsOf = ([personId, groupId, name]: Document['tags']): TagFacts[] =>
  each(personId, (n) => ({ personId: personId[n], groupId: groupId[n], name: name[n] }) as TagFacts);

/**
 * The facts that rows are computed from, and their format: columns in the order of the statements in `queries.ts`. Ids are strings, but those
 * of pings, events and statuses are numbers, like the keys of rows.
 */
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import { DEFAULT_RISING_RISK_RULE, type RisingRiskRule } from '#contract/rising-risk-words.ts';
import { FEDERAL_HOLIDAYS, type Holidays } from '#server/platform/calendar/business-days.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';
import type { Program, ProgramStay } from '#server/record/rules/hl7-programs.ts';
import type { AttemptFacts, TagFacts, WorkFacts } from './team-facts.ts';
import {
  type CareColumns,
  type CareFacts,
  careOf,
  type DocumentColumns,
  type DocumentFacts,
  documentsOf,
} from './written-facts.ts';

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
export type ShownState = Omit<
  VisitState,
  'attending' | 'payers' | 'deceased' | 'deceasedAt' | 'deathDenied' | 'deathWithdrawn'
>;

export interface VisitFacts {
  id: string;
  personId: string;
  facilityId: string;
  state: ShownState;
  /** The first payer; null also where no program asks. */
  payer: ProgramStay['payer'];
  /** Its facility has reported the patient as dead, with or without an event of this visit. */
  isOfDeceased: boolean;
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
  /** UB-04 discharge status of a discharge; null if the source does not say. */
  disposition: string | null;
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
  attempts: AttemptFacts[];
  /** Of the team's organization. */
  holidays: Holidays;
  riskRule: RisingRiskRule;
  /** The HL7-based programs of the team's organization. */
  programs: Program[];
  work: WorkFacts[];
  documents: DocumentFacts[];
  care: CareFacts[];
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
  'disposition', 'dischargedTo', 'transferredTo', 'admitReason', 'expectedDischargeAt', 'estimatedDays', 'diagnoses', 'drg',
  'endedByLink',
]>, ...Columns<VisitFacts, ['payer', 'isOfDeceased']>];
// biome-ignore format: columns in the order of the statement, several per line
type EventColumns = Columns<EventFacts, [
  'id', 'encounterId', 'code', 'setting', 'state', 'at', 'day', 'isDay', 'disposition',
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
  work: Columns<WorkFacts, ['encounterId', 'ownerId', 'wakesAt', 'seen']>;
  attempts: Columns<AttemptFacts, ['personId', 'at', 'channel', 'outcome']>;
  /** Null for a team that is gone. */
  holidays: readonly [added: readonly string[], removed: readonly string[]] | null;
  /** Null for the product's own. */
  riskRule: RisingRiskRule | null;
  programs: Program[] | null;
  documents: DocumentColumns;
  care: CareColumns;
}

/** Returns the facts that a statement of `queries.ts` returned as one JSON document of columns. */
export function factsOf(document: FactDocument): Facts {
  const all = JSON.parse(document) as Document;
  const { listings, visits, events, pings, consents, facilities, tags, work, attempts, holidays, documents, care } =
    all;
  return {
    listings: listingsOf(listings),
    visits: visitsOf(visits),
    events: eventsOf(events),
    pings: pingsOf(pings),
    consents: each(consents[0], (n) => [consents[0][n] as string, consents[1][n] as string]),
    facilities: facilitiesOf(facilities),
    tags: tagsOf(tags),
    attempts: attemptsOf(attempts),
    holidays: holidays ? { added: holidays[0], removed: holidays[1] } : FEDERAL_HOLIDAYS,
    riskRule: all.riskRule ?? DEFAULT_RISING_RISK_RULE,
    programs: all.programs ?? [],
    work: workFactsOf(work),
    documents: documentsOf(documents),
    care: careOf(care),
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
  admissionType, disposition, dischargedTo, transferredTo, admitReason, expectedDischargeAt, estimatedDays, diagnoses, drg,
  endedByLink, payer, isOfDeceased,
]: VisitColumns): VisitFacts[] => each(id, (n) => ({
  id: id[n], personId: personId[n], facilityId: facilityId[n], payer: payer[n], isOfDeceased: isOfDeceased[n],
  state: {
    status: status[n], setting: setting[n], location: location[n], arrivedAt: arrivedAt[n] ?? undefined, admittedAt: admittedAt[n], dischargedAt:
    dischargedAt[n], leaves: leaves[n] ?? undefined, admitSource: admitSource[n], admissionType: admissionType[n], disposition: disposition[n],
    dischargedTo: dischargedTo[n], transferredTo: transferredTo[n] ?? undefined, admitReason: admitReason[n], expectedDischargeAt: expectedDischargeAt[n],
    estimatedDays: estimatedDays[n], diagnoses: diagnoses[n], drg: drg[n], endedByLink: endedByLink[n] ?? undefined,
  },
}) as VisitFacts);

// biome-ignore format: columns in the order of the statement, several per line
const eventsOf = ([
  id, encounterId, code, setting, state, at, day, isDay, disposition,
]: EventColumns): EventFacts[] => each(id, (n) => ({
  id: id[n], encounterId: encounterId[n], code: code[n], setting: setting[n], state: state[n], at: at[n], day:
  day[n], isDay: isDay[n], disposition: disposition[n],
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

const attemptsOf = ([personId, at, channel, outcome]: Document['attempts']): AttemptFacts[] =>
  each(
    personId,
    (n) => ({ personId: personId[n], at: at[n], channel: channel[n], outcome: outcome[n] }) as AttemptFacts,
  );

const workFactsOf = ([encounterId, ownerId, wakesAt, seen]: Document['work']): WorkFacts[] =>
  each(
    encounterId,
    (n) => ({ encounterId: encounterId[n], ownerId: ownerId[n], wakesAt: wakesAt[n], seen: seen[n] }) as WorkFacts,
  );

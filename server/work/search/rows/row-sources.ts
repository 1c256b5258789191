/**
 * The facts that rows are computed from, and their format: columns with the names of their properties, which the statements in `queries.ts` give
 * them. Ids are strings, but those of pings, events and statuses are numbers, like the keys of rows.
 */
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import { DEFAULT_RISING_RISK_RULE, type RisingRiskRule } from '#contract/rising-risk-words.ts';
import { FEDERAL_HOLIDAYS, type Holidays } from '#server/platform/calendar/business-days.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';
import type { Program, ProgramStay } from '#server/record/rules/hl7-programs.ts';
import type { AttemptFacts, TagFacts, WorkFacts } from './team-facts.ts';
import type { CareFacts, DocumentFacts } from './written-facts.ts';

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

/** A column for each property. */
type ColumnsOf<T> = { readonly [Name in keyof T]-?: readonly T[Name][] };

type VisitColumns = ColumnsOf<Omit<VisitFacts, 'state'> & ShownState>;

interface Document {
  listings: ColumnsOf<ListingFacts>;
  visits: VisitColumns;
  events: ColumnsOf<EventFacts>;
  pings: ColumnsOf<PingFacts>;
  consents: ColumnsOf<{ personId: string; consent: string }>;
  facilities: ColumnsOf<FacilityFacts>;
  tags: ColumnsOf<TagFacts>;
  work: ColumnsOf<WorkFacts>;
  attempts: ColumnsOf<AttemptFacts>;
  /** Null for a team that is gone. */
  holidays: Holidays | null;
  /** Null for the product's own. */
  riskRule: RisingRiskRule | null;
  programs: Program[] | null;
  documents: ColumnsOf<DocumentFacts>;
  care: ColumnsOf<CareFacts>;
}

/** Returns the facts that a statement of `queries.ts` returned as one JSON document of columns. */
export function factsOf(document: FactDocument): Facts {
  const all = JSON.parse(document) as Document;
  const { consents } = all;
  return {
    listings: listingsOf(all.listings),
    visits: visitsOf(all.visits),
    events: eventsOf(all.events),
    pings: pingsOf(all.pings),
    consents: each(consents.personId, (n) => [consents.personId[n] as string, consents.consent[n] as string]),
    facilities: facilitiesOf(all.facilities),
    tags: tagsOf(all.tags),
    attempts: attemptsOf(all.attempts),
    holidays: all.holidays ?? FEDERAL_HOLIDAYS,
    riskRule: all.riskRule ?? DEFAULT_RISING_RISK_RULE,
    programs: all.programs ?? [],
    work: workFactsOf(all.work),
    documents: documentsOf(all.documents),
    care: careOf(all.care),
  };
}

/** Makes objects from columns, of which each is null if there are no rows. `at` names each property, because a loop over names takes longer. */
const each = <T>(column: readonly unknown[] | null, at: (n: number) => T): T[] =>
  Array.from({ length: column?.length ?? 0 }, (_, n) => at(n));

// biome-ignore format: several properties per line
const listingsOf = ({
  personId, groupId, timeZone, memberId, middleName, gender, birthDay, city, zip, programs, practices,
  providerFirstName, providerLastName, careCoordinators, tags, careGaps, advanceCareDocuments, billingAgencies,
  sortFirst, sortLast, hasLeft, opensFrom,
}: ColumnsOf<ListingFacts>): ListingFacts[] => each(personId, (n) => ({
  personId: personId[n], groupId: groupId[n], timeZone: timeZone[n], memberId: memberId[n],
  middleName: middleName[n], gender: gender[n], birthDay: birthDay[n], city: city[n], zip: zip[n], programs: programs[n],
  practices: practices[n], providerFirstName: providerFirstName[n], providerLastName: providerLastName[n],
  careCoordinators: careCoordinators[n], tags: tags[n], careGaps: careGaps[n],
  advanceCareDocuments: advanceCareDocuments[n], billingAgencies: billingAgencies[n], sortFirst: sortFirst[n], sortLast: sortLast[n],
  hasLeft: hasLeft[n], opensFrom: opensFrom[n],
}) as ListingFacts);

// biome-ignore format: several properties per line
const visitsOf = ({
  id, personId, facilityId, status, setting, location, arrivedAt, admittedAt, dischargedAt, leaves, admitSource,
  admissionType, disposition, dischargedTo, transferredTo, admitReason, expectedDischargeAt, estimatedDays, diagnoses, drg,
  endedByLink, payer, isOfDeceased,
}: VisitColumns): VisitFacts[] => each(id, (n) => ({
  id: id[n], personId: personId[n], facilityId: facilityId[n], payer: payer[n], isOfDeceased: isOfDeceased[n],
  state: {
    status: status[n], setting: setting[n], location: location[n], arrivedAt: arrivedAt[n] ?? undefined, admittedAt: admittedAt[n],
    dischargedAt: dischargedAt[n], leaves: leaves[n] ?? undefined, admitSource: admitSource[n], admissionType: admissionType[n], disposition: disposition[n],
    dischargedTo: dischargedTo[n], transferredTo: transferredTo[n] ?? undefined, admitReason: admitReason[n], expectedDischargeAt: expectedDischargeAt[n],
    estimatedDays: estimatedDays[n], diagnoses: diagnoses[n], drg: drg[n], endedByLink: endedByLink[n] ?? undefined,
  },
}) as VisitFacts);

// biome-ignore format: several properties per line
const eventsOf = ({
  id, encounterId, code, setting, state, at, day, isDay, disposition,
}: ColumnsOf<EventFacts>): EventFacts[] => each(id, (n) => ({
  id: id[n], encounterId: encounterId[n], code: code[n], setting: setting[n], state: state[n], at: at[n],
  day: day[n], isDay: isDay[n], disposition: disposition[n],
}) as EventFacts);

// biome-ignore format: several properties per line
const pingsOf = ({
  id, eventId, encounterId, groupId, personId, state, status, statusId, statusAt, resolutions, isCurrent, at,
  createdAt, facilityId, code, setting, day,
}: ColumnsOf<PingFacts>): PingFacts[] => each(id, (n) => ({
  id: id[n], eventId: eventId[n], encounterId: encounterId[n], groupId: groupId[n], personId: personId[n],
  state: state[n], status: status[n], statusId: statusId[n], statusAt: statusAt[n], resolutions: resolutions[n],
  isCurrent: isCurrent[n], at: at[n], createdAt: createdAt[n], facilityId: facilityId[n], code: code[n],
  setting: setting[n], day: day[n],
}) as PingFacts);

// biome-ignore format: several properties per line
const facilitiesOf = ({
  id, name, state, type, facilityType, timeZone, isPart2,
}: ColumnsOf<FacilityFacts>): FacilityFacts[] => each(id, (n) => ({
  id: id[n], name: name[n], state: state[n], type: type[n], facilityType: facilityType[n],
  timeZone: timeZone[n], isPart2: isPart2[n],
}) as FacilityFacts);

const tagsOf = ({ personId, groupId, name }: ColumnsOf<TagFacts>): TagFacts[] =>
  each(personId, (n) => ({ personId: personId[n], groupId: groupId[n], name: name[n] }) as TagFacts);

const attemptsOf = ({ personId, at, channel, outcome }: ColumnsOf<AttemptFacts>): AttemptFacts[] =>
  each(
    personId,
    (n) => ({ personId: personId[n], at: at[n], channel: channel[n], outcome: outcome[n] }) as AttemptFacts,
  );

const workFactsOf = ({ encounterId, ownerId, wakesAt, seen }: ColumnsOf<WorkFacts>): WorkFacts[] =>
  each(
    encounterId,
    (n) => ({ encounterId: encounterId[n], ownerId: ownerId[n], wakesAt: wakesAt[n], seen: seen[n] }) as WorkFacts,
  );

const documentsOf = ({
  personId,
  encounterId,
  facilityId,
  isPart2,
  isRestricted,
  isDischargeSummary,
}: ColumnsOf<DocumentFacts>): DocumentFacts[] =>
  each(
    personId,
    (n) =>
      ({
        personId: personId[n],
        encounterId: encounterId[n],
        facilityId: facilityId[n],
        isPart2: isPart2[n],
        isRestricted: isRestricted[n],
        isDischargeSummary: isDischargeSummary[n],
      }) as DocumentFacts,
  );

const careOf = ({ personId, groupId, kind }: ColumnsOf<CareFacts>): CareFacts[] =>
  each(personId, (n) => ({ personId: personId[n], groupId: groupId[n], kind: kind[n] }) as CareFacts);

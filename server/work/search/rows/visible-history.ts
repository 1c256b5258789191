/** A person's visits as far as a scope may see them: which groups may read each visit, and the flags that follow. Pure. */
import { DAY } from '#contract/durations.ts';
import type { Setting } from '#contract/event-codes.ts';
import type { Permission } from '#contract/permissions.ts';
import type { RisingRiskRule } from '#contract/rising-risk-words.ts';
import { readersOf } from '#server/people/access/policy.ts';
import type { Holidays } from '#server/platform/calendar/business-days.ts';
import { visitToShow } from '#server/record/rules/current-stay.ts';
import type { Destination } from '#server/record/rules/destination.ts';
import { type Enrollment, enrollments, type Program, type ProgramStay } from '#server/record/rules/hl7-programs.ts';
import { type PatientFlags, patientFlags } from '#server/record/rules/patient-flags.ts';
import {
  byRank,
  deathOf,
  isDeathInDoubt,
  isOngoing,
  type RuleVisit,
  type RuleVisitSource,
  ruleVisit,
} from '#server/record/rules/rule-visit.ts';
import type { AccessScope } from '../access-scope.ts';
import type { EventFacts, FacilityFacts, ListingFacts, PingFacts, ShownState, VisitFacts } from './row-sources.ts';
import type { AttemptFacts, TagFacts, WorkFacts } from './team-facts.ts';
import { nextMidnight, type Stay, stayOf } from './visit-cells.ts';
import type { CareFacts, DocumentFacts } from './written-facts.ts';

export interface PersonFacts {
  personId: string;
  /** Listings by the scope's groups. Empty if the person does not belong to the scope. */
  listings: readonly ListingFacts[];
  visits: readonly VisitFacts[];
  /** By visit, oldest first. */
  events: ReadonlyMap<string, readonly EventFacts[]>;
  pings: readonly PingFacts[];
  /** Consents in force, as 'facility recipient'. */
  consents: ReadonlySet<string>;
  facilities: ReadonlyMap<string, FacilityFacts>;
  /** Tags that the scope's team has given. */
  tags: readonly TagFacts[];
  /** The team's attempts to reach the person. */
  attempts: readonly AttemptFacts[];
  holidays: Holidays;
  riskRule: RisingRiskRule;
  /** The HL7-based programs of the team's organization. */
  programs: readonly Program[];
  /** What the scope's team has arranged, by visit. */
  work: ReadonlyMap<string, WorkFacts>;
  documents: readonly DocumentFacts[];
  care: readonly CareFacts[];
}

export interface HistoryOptions {
  scope: AccessScope;
  /** Milliseconds. */
  now: number;
  /** Receives what diagnosis codes mean. */
  noteDiagnosis: (code: string, description: string) => void;
}

/** A visit that at least one group of the scope may read. */
export interface VisibleVisit {
  id: string;
  state: ShownState;
  facility: FacilityFacts;
  /** The scope's groups that may read it. */
  readers: readonly string[];
  /** Oldest first. */
  events: readonly EventFacts[];
  /** The newest event that has not been retracted. */
  newestEvent: EventFacts | null;
  /** Codes as sent, in capitals; the description if there is no code. */
  diagnoses: readonly string[];
  /** The admission, in milliseconds; 0 if unknown. */
  begun: number;
  stay: Stay;
  /** The person has died since it began. A visit that began after the death contradicts it. */
  isOverByDeath?: true;
}

export interface VisibleHistory {
  visits: ReadonlyMap<string, VisibleVisit>;
  /** The same visits as the rules see them. */
  ruleVisits: readonly RuleVisit[];
  /** A visible visit, or its facility, says so. */
  hasDied: boolean;
  flags: PatientFlags;
  /** The HL7-based programs that the person is in now. */
  enrollments: readonly Enrollment[];
  /** Returns the facility that the patient was transferred to, if the person has a visit there. */
  destination: (facilityId: string) => Destination | undefined;
  /** The flags for a permission: from the visits that its groups may read. Null: the flags that need no permission. */
  flagsFor: (permission: Permission | null) => PatientFlags;
  /** When the rows change only because time passes, in milliseconds; null for never. */
  changesAt: number | null;
}

/** Returns the visits that the scope may see, with flags. */
export function visibleHistory(facts: PersonFacts, { scope, now, noteDiagnosis }: HistoryOptions): VisibleHistory {
  const { listings, pings, consents, riskRule } = facts;
  const visits = new Map<string, VisibleVisit>();
  const ruleVisits: RuleVisit[] = [];
  const stays: ProgramStay[] = [];
  let hasDied = false;
  for (const { id, facilityId, state: reported, payer, isOfDeceased } of facts.visits) {
    const state = scope.groupIds.includes(facilityId) ? asFacilityKnows(reported) : reported;
    const facility = facts.facilities.get(facilityId) as FacilityFacts;
    const endedAt = endOf(state);
    const readers = readersOf(scope.groupIds, {
      encounterId: id,
      facility,
      endedAt,
      listings,
      pings,
      consents,
    });
    if (readers.length === 0) continue;
    hasDied ||= isOfDeceased;
    const events = facts.events.get(id) ?? [];
    visits.set(id, {
      id,
      state,
      facility,
      readers,
      events,
      newestEvent: events.findLast(isNotRetracted) ?? null,
      // What a 42 CFR Part 2 facility wrote would outlive the consent among the descriptions.
      diagnoses: diagnosesOf(state, facility.isPart2 ? () => {} : noteDiagnosis),
      begun: state.admittedAt ? Date.parse(state.admittedAt.instant) : 0,
      stay: stayOf({ state, settings: settingsOf(events), timeZone: facility.timeZone }, now),
    });
    const visit = ruleVisit({ id, state, facility, ...timesOf(events) });
    ruleVisits.push(visit);
    if (facts.programs.length > 0) stays.push(programStay(visit, state, payer, facility));
  }
  stopAtDeath(visits, ruleVisits, now);
  const { timeZone } = listings[0] as ListingFacts;
  const flags = patientFlags(ruleVisits, now, timeZone, riskRule);
  hasDied ||= deathOf(ruleVisits) !== null;
  const enrolled = enrollments(stays, facts.programs, { now, hasDied });
  return {
    visits,
    ruleVisits,
    hasDied,
    flags,
    enrollments: enrolled.now,
    destination: (facilityId) => {
      const facility =
        facts.visits.some((visit) => visit.facilityId === facilityId) && facts.facilities.get(facilityId);
      // As in server/work/patients/load.ts.
      const isRead = () => [...visits.values()].some((visit) => visit.facility.id === facilityId);
      return facility ? { name: facility.name, isHidden: facility.isPart2 && !isRead() } : undefined;
    },
    flagsFor: (permission) => {
      const groupIds = permission && scope.partialGrants[permission];
      if (!groupIds) return flags;
      const mayRead = ({ id }: RuleVisit) => visits.get(id)?.readers.some((groupId) => groupIds.includes(groupId));
      return patientFlags(ruleVisits.filter(mayRead), now, timeZone, riskRule);
    },
    changesAt: earliest([flags.changesAt, enrolled.changesAt], [...visits.values()], now),
  };
}

/** In a facility's own lists, a stay goes on that only an answer by a link has ended: its own system knows better (docs/decisions/0069). */
const asFacilityKnows = (state: ShownState): ShownState =>
  state.endedByLink
    ? { ...state, status: 'IN_PROGRESS', dischargedAt: null, disposition: null, dischargedTo: null }
    : state;

/** Stays are counted up to the death, also if a discharge after it says otherwise; up to now as `deathSeen` has it. */
function stopAtDeath(visits: Map<string, VisibleVisit>, ruleVisits: readonly RuleVisit[], now: number): void {
  const diedAt = deathOf(ruleVisits);
  if (diedAt === null) return;
  const isTakenBack = isDeathInDoubt(ruleVisits);
  for (const [id, visit] of visits) {
    if ((endOf(visit.state) ?? 0) <= diedAt) continue;
    const stay =
      isTakenBack || visit.begun > diedAt
        ? visit.stay
        : stayOf(
            { state: visit.state, settings: settingsOf(visit.events), timeZone: visit.facility.timeZone },
            now,
            diedAt,
          );
    visits.set(id, { ...visit, stay, ...(visit.begun <= diedAt && { isOverByDeath: true }) });
  }
}

/** Returns when the visit ended, in milliseconds: infinity while it is open or planned, null if no time is known. */
function endOf({ status, admittedAt, dischargedAt }: ShownState): number | null {
  if (status !== 'FINISHED' && status !== 'CANCELLED') return Number.POSITIVE_INFINITY;
  const end = dischargedAt ?? admittedAt;
  return end ? Date.parse(end.instant) : null;
}

export const isNotRetracted = ({ state }: EventFacts | PingFacts): boolean => state !== 'CANCELLED';
export const hasHappened = ({ state: { status } }: VisibleVisit): boolean =>
  status !== 'CANCELLED' && status !== 'PLANNED';

/** Returns the settings of the arrivals, admissions and transfers, as server/work/patients/visit-times.ts does. */
const settingsOf = (events: readonly EventFacts[]): Setting[] =>
  events.filter((event) => isNotRetracted(event) && BEGINS.has(event.code)).map(({ setting }) => setting);
const BEGINS = new Set<EventFacts['code']>(['PRESENTED', 'ADMIT', 'TRANSFER']);

/** Returns the times that `RuleVisitSource` has from events, in milliseconds. */
function timesOf(events: readonly EventFacts[]): Pick<RuleVisitSource, 'presentedAt' | 'inpatientFrom' | 'diedAt'> {
  const times = { presentedAt: null, inpatientFrom: null, diedAt: null } as ReturnType<typeof timesOf>;
  let leftOn: number | null = null;
  for (const event of events) {
    if (!isNotRetracted(event)) continue;
    const { code, setting, isDay, day } = event;
    const at = event.at * 1000;
    if (code === 'PRESENTED') times.presentedAt ??= at;
    // As in server/work/patients/queries.ts, a date counts to the end of its day.
    if (code === 'DECEASED') times.diedAt ??= isDay ? at + DAY - 1 : at;
    if (code === 'DISCHARGE') leftOn ??= day;
    // A second stay under the number of the first, with nights at home in between.
    if (code === 'PRESENTED' || code === 'ADMIT') {
      if (leftOn !== null && day > leftOn) times.inpatientFrom = null;
      leftOn = null;
    }
    if (!BEGINS.has(code)) continue;
    if (setting === 'INPATIENT') times.inpatientFrom ??= at;
    else if (times.inpatientFrom !== null && at > times.inpatientFrom) times.inpatientFrom = null;
  }
  return times;
}

function diagnosesOf({ diagnoses }: ShownState, note: HistoryOptions['noteDiagnosis']): readonly string[] {
  const values = new Set<string>();
  for (const { code, description } of byRank(diagnoses)) {
    const value = code.trim().toUpperCase() || description?.trim();
    if (!value) continue;
    if (description) note(value, description);
    values.add(value);
  }
  return [...values];
}

/** Returns the visit that the person's row is about (`visitToShow`); `server/work/search/row-keys.ts` finds the same in the database. */
export function latestVisit({ visits, ruleVisits }: VisibleHistory): VisibleVisit | null {
  const candidates = [...visits.values()].filter(hasHappened).map((visit) => ({
    visit,
    setting: visit.state.setting,
    status: visit.state.status,
    begun: visit.begun,
    newestAt: visit.newestEvent?.at ?? Math.floor(visit.begun / 1000),
  }));
  return visitToShow(candidates, deathOf(ruleVisits) !== null)?.visit ?? null;
}

/** Returns the diagnoses of the visits that began before this one. */
export function priorDiagnoses(visit: VisibleVisit | null, { visits }: VisibleHistory): readonly string[] {
  if (visit === null || visits.size < 2) return [];
  const earlier = [...visits.values()].filter(
    (other) => other !== visit && hasHappened(other) && other.begun < visit.begun,
  );
  return [...new Set(earlier.flatMap(({ diagnoses }) => diagnoses))];
}

const programStay = (
  visit: RuleVisit,
  { dischargedAt, drg }: ShownState,
  payer: ProgramStay['payer'],
  { timeZone }: FacilityFacts,
): ProgramStay => ({ visit, dischargedOn: dischargedAt?.localDate ?? null, timeZone, drg: drg ?? null, payer });

function earliest(changes: readonly (number | null)[], visits: readonly VisibleVisit[], now: number): number | null {
  let next = Math.min(...changes.map((at) => at ?? Number.POSITIVE_INFINITY));
  for (const { state, facility } of visits)
    if (isOngoing(state)) next = Math.min(next, nextMidnight(now, facility.timeZone));
  return Number.isFinite(next) ? next : null;
}

/**
 * Loads patients as a team sees them. A row is a person, or in the inbox a person and an encounter. Details from several groups of the team
 * are merged, the oldest listing first.
 */
import type { Encounter, Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import type { RisingRiskRule } from '#contract/rising-risk-words.ts';
import { type ActorTransaction, askAbout } from '#server/people/access/door.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { FollowUpContext } from '#server/record/rules/follow-up.ts';
import type { Enrollment } from '#server/record/rules/hl7-programs.ts';
import { type PatientFlags, patientFlags } from '#server/record/rules/patient-flags.ts';
import type { RuleVisit } from '#server/record/rules/rule-visit.ts';
import { type AttemptRow, attemptsIn, attemptsOfPersons } from '#server/work/contact-attempts/queries.ts';
import type { KeptWork } from '#server/work/worklist/arrangement.ts';
import { workOfVisits } from '#server/work/worklist/queries.ts';
import { cardOf, resolutionsFor } from './card.ts';
import { currentListings } from './current-listings.ts';
import { dateOfDeath, deathIn, deathSeen } from './death.ts';
import { destinationFor } from './destination-for.ts';
import { encounterOf, isDischargeUnclear } from './encounter.ts';
import { hasLeft, listedFields } from './listed-fields.ts';
import { coordinatorsOf } from './listed-people.ts';
import { type OrganizationRules, organizationRules } from './organization-rules.ts';
import { pingOf } from './ping.ts';
import { type ReasonContext, reasonFor, reasonPingOf } from './ping-reason.ts';
import { presenceAfter } from './presence.ts';
import { eachOnce, enrollmentsOf, programCohortsOf } from './programs.ts';
import {
  deathsOf,
  eventsAsPings,
  type FacilityRow,
  facilitiesOf,
  type ListingRow,
  listingsOf,
  type PingRow,
  pingsOf,
  type VisitRow,
  viewsOf,
  visitsOf,
} from './queries.ts';
import { riskInfoOf } from './risk-info.ts';
import { ruleVisitOf } from './rule-visit-of.ts';
import { isWaiverEligible, type WaiverRow, waiversOf } from './three-day-waiver.ts';

/** The row to load: a person, with one encounter or none. */
export interface PatientKey {
  personId: string;
  encounterId: string | null;
  /** An event of this encounter, shown as the row's ping even if the team got no ping for it. */
  eventId?: string;
  /** Whether the events of this encounter are shown like pings if the team got none for it, as for a visit to its own facility. */
  showsEvents?: boolean;
}

const THIRTEEN_MONTHS = 395 * 86_400_000;

/** A row, and what it was made from: a single patient's page shows more of that. */
export interface LoadedPatient {
  patient: Patient;
  personId: string;
  /** Those whose details count: `currentListings`. */
  current: readonly ListingRow[];
  /** All, the oldest first. */
  listings: readonly ListingRow[];
  /** The groups whose address, phones and insurance the actor may see. */
  detailed: ReadonlySet<string>;
  /** The visits that the actor may read, usually of the last 13 months, and the row's own. */
  visits: readonly VisitRow[];
  counted: readonly RuleVisit[];
  flags: PatientFlags;
  riskRule: RisingRiskRule;
  /** The HL7-based programs that the person is in now. */
  enrollments: readonly Enrollment[];
  facilities: Map<string, FacilityRow>;
  timeZone: string;
  /** What the clocks after a discharge depend on. */
  followUp: FollowUpContext;
  /** Until when the visit with this id is counted: now, or the death (`deathSeen`). */
  untilOf: (visitId: string | undefined) => Date;
  /** Returns one of the visits, with these pings. */
  encounterOf: (visit: VisitRow, pings: Ping[]) => Encounter;
  pingOf: (row: PingRow) => Ping;
}

/** What is found out for a single patient only. */
const ONLY_OF_ONE = { similarPatients: [], wishinPulseEnabled: false, hasVynca: false };

/** Returns the rows in the order of the keys, without those that the team may not see. */
export async function loadPatients(tx: ActorTransaction, keys: PatientKey[], now: Date): Promise<Patient[]> {
  return (await loadRows(tx, keys, now)).map(({ patient }) => patient);
}

/** Returns the same rows with what they were made from. `since`: from when visits are loaded, null for all; by default the last 13 months. */
export async function loadRows(
  tx: ActorTransaction,
  keys: PatientKey[],
  now: Date,
  since: Date | null = new Date(now.getTime() - THIRTEEN_MONTHS),
): Promise<LoadedPatient[]> {
  const personIds = [...new Set(keys.map((key) => key.personId))];
  const encounterIds = keys.flatMap((key) => key.encounterId ?? []);
  const [, listed, visits, sent, deaths, views, attempts, rules, work] = await Promise.all([
    askAbout(tx, personIds),
    listingsOf(tx, personIds),
    visitsOf(tx, personIds, encounterIds, since),
    pingsOf(tx, encounterIds),
    deathsOf(tx, personIds),
    viewsOf(tx, encounterIds),
    attemptsOfPersons(tx, personIds),
    organizationRules(tx),
    workOfVisits(tx, encounterIds),
  ]);
  const listings = Map.groupBy(listed, (row) => row.personId);
  const withPings = new Set(sent.map(({ encounterId, listingPersonId }) => `${encounterId} ${listingPersonId}`));
  const unsent = keys.filter((key) => key.showsEvents && !withPings.has(`${key.encounterId} ${key.personId}`));
  const encounterEvents = unsent.flatMap(({ encounterId }) => encounterId ?? []);
  const pings = [...sent, ...(await eventsAsPings(tx, { eventIds: [], encounterIds: encounterEvents }))];
  const withPing = new Set(pings.map(({ eventId, listingPersonId }) => `${eventId} ${listingPersonId}`));
  const withoutPing = keys.filter(({ eventId, personId }) => eventId && !withPing.has(`${eventId} ${personId}`));
  const eventIds = withoutPing.flatMap(({ eventId }) => eventId ?? []);
  const events = await eventsAsPings(tx, { eventIds, encounterIds: [] });
  const departures = [...visits.map(({ state }) => state), ...[...pings, ...events].map(({ detail }) => detail)];
  const facilityIds = new Set([
    ...visits.map((v) => v.groupId),
    ...[...pings, ...events].map((p) => p.facilityId),
    ...departures.flatMap(({ transferredTo }) => transferredTo ?? []),
  ]);
  const snfStays = visits.filter(({ state }) => state.setting === 'SNF').map(({ id }) => id);
  const [facilities, waivers] = await Promise.all([facilitiesOf(tx, [...facilityIds]), waiversOf(tx, snfStays)]);
  const visitsBy = Map.groupBy(visits, (visit) => visit.personId);
  const pingsBy = Map.groupBy(pings, (ping) => `${ping.listingPersonId}_${ping.encounterId}`);
  return keys.flatMap((key) => {
    const own = listings.get(key.personId);
    if (!own?.[0]) return [];
    return [
      patientOf({
        tx,
        key,
        listings: own as [ListingRow, ...ListingRow[]],
        visits: visitsBy.get(key.personId) ?? [],
        pings: pingsBy.get(`${key.personId}_${key.encounterId}`) ?? [],
        hasPings: withPings.has(`${key.encounterId} ${key.personId}`),
        seenUntil: views.get(key.encounterId ?? '') ?? null,
        work: work.get(key.encounterId ?? '') ?? null,
        event: events.find(({ eventId }) => eventId === key.eventId),
        facilities,
        waivers,
        rules,
        attempts: attempts.filter(({ personId }) => personId === key.personId),
        died: deaths.has(key.personId) ? { on: deaths.get(key.personId) ?? null } : null,
        now,
      }),
    ];
  });
}

interface Parts {
  tx: ActorTransaction;
  key: PatientKey;
  listings: [ListingRow, ...ListingRow[]];
  visits: VisitRow[];
  pings: PingRow[];
  /** Whether the team got these pings. Otherwise they are events in the same form. */
  hasPings: boolean;
  /** Until when the user has seen the pings of the visit. */
  seenUntil: string | null;
  /** What the team has arranged about the visit. */
  work: KeptWork | null;
  /** The row's event, if the team got no ping for it. */
  event: PingRow | undefined;
  facilities: Map<string, FacilityRow>;
  /** The statuses of three-day waivers, the newest first. */
  waivers: WaiverRow[];
  attempts: AttemptRow[];
  rules: OrganizationRules;
  died: { on: string | null } | null;
  now: Date;
}

function patientOf(parts: Parts): LoadedPatient {
  const { tx, key, listings, visits, pings, event, facilities, waivers, died, now } = parts;
  const [oldest] = listings;
  const current = currentListings(listings, hasLeft);
  const detailed = new Set(tx.actor.groupsWith('canViewAllPatientDetails'));
  const seesInsurance = listings.some(({ groupId }) => detailed.has(groupId));
  const counted = visits.map((visit) => ruleVisitOf(visit, facilities));
  const flags = patientFlags(counted, now.getTime(), oldest.timeZone, parts.rules.riskRule);
  const enrolled = enrollmentsOf(counted, parts);
  const context = reasonContextOf(parts, counted, flags);
  const [coordinators, destination] = [coordinatorsOf(current), destinationFor(visits, facilities)];
  const pingContext = {
    now,
    actor: tx.actor,
    facilities,
    coordinators,
    visits,
    destination,
    reasonOf: (row: PingRow) => reasonFor(reasonPingOf(row, facilities, visits), context),
  };
  const shownPing = (row: PingRow) => ({ ...pingOf(row, pingContext), ...(seesInsurance ? {} : { payor: null }) });
  const shownPings = pings.map(shownPing);
  const isAsked = ({ eventIdentifier }: Ping) => key.eventId === undefined || eventIdentifier === key.eventId;
  const currentPing = event ? shownPing(event) : shownPings.find(isAsked);
  const visit = visits.find(({ id }) => id === key.encounterId);
  const seen = { hasDied: died !== null, visits: counted, pings: shownPings, now };
  const { death, mayLive, untilOf } = deathSeen(context.died, seen);
  const waiverOf = (id: string | undefined) => waivers.find(({ encounterId }) => encounterId === id);
  const encounter = (of: VisitRow, ofIt: Ping[]): Encounter => ({
    ...encounterOf(of, {
      facilities,
      pings: ofIt,
      visits: counted,
      destination,
      until: untilOf(of.id),
      waiver: waiverOf(of.id),
      coverage: { listings, hasDied: died !== null },
    }),
    ...(seesInsurance ? {} : { payors: [] }),
  });
  const stay = visit ? encounter(visit, shownPings) : null;
  const listed = listedFields(listings, { detailed, tagged: new Set(tx.actor.groupsWith('canViewPatientTags')) });
  const patient: Patient = {
    id: `${oldest.id}_${key.encounterId ?? '0'}`,
    ...listed,
    programs: eachOnce([...listed.programs, ...programCohortsOf(enrolled, { facilities, seesInsurance })]),
    careCoordinators: coordinators,
    emergencyRoomVisitCount: flags.emergencyRoomVisitCount,
    emergencyRoomCount: flags.emergencyRoomCount,
    encounterCounts: { ...flags.encounterCounts },
    ...death,
    risingRiskInfo: riskInfoOf(flags, current, tx.actor),
    ...dateOfDeath(context.died, visits, counted, facilities),
    is3dWaiverEligible: isWaiverEligible(stay, waiverOf(stay?.id), { visits: counted, until: untilOf(stay?.id) }),
    ...ONLY_OF_ONE,
    currentPing: currentPing ?? null,
    currentPingEncounter: stay,
    ...(mayLive && visit && { nowAt: presenceAfter(visit, { visits, counted, facilities }) }),
    card: parts.hasPings ? cardOf(shownPings, viewerOf(parts, visit)) : null,
    hasPart2Records: visits.some(({ groupId }) => facilities.get(groupId)?.isPart2Facility),
  };
  const made = {
    current,
    listings,
    detailed,
    visits,
    counted,
    flags,
    riskRule: parts.rules.riskRule,
    enrollments: enrolled,
    facilities,
    timeZone: oldest.timeZone,
    followUp: context,
    untilOf,
    encounterOf: encounter,
    pingOf: shownPing,
  };
  return { patient, personId: key.personId, ...made };
}

/** Returns what the reasons of the person's pings depend on. `counted`: the visits as the rules see them. */
function reasonContextOf(
  { listings, visits, facilities, attempts, rules: { holidays }, died, now }: Parts,
  counted: readonly RuleVisit[],
  flags: PatientFlags,
): ReasonContext {
  const [{ timeZone }] = listings;
  return {
    visits: counted,
    flags,
    died: deathIn(counted, died, timeZone, facilities),
    withUnclearDischarge: new Set(visits.filter(isDischargeUnclear).map(({ id }) => id)),
    timeZone,
    ownFacilities: listings.filter((l) => l.groupType === 'SNF').map((l) => ({ name: l.groupName, type: l.groupType })),
    attempts: attemptsIn(timeZone, attempts),
    holidays,
    today: localDateOf(now.getTime(), timeZone),
  };
}

/** Whether a ping may be resolved as back on census is up to the group that created the patient. */
const viewerOf = (
  { tx, listings: [{ groupId }], pings, seenUntil, work, died, now }: Parts,
  stay: VisitRow | undefined,
) => ({
  seenUntil,
  work,
  closers: new Map(pings.map(({ eventId, closedBefore }) => [eventId, closedBefore])),
  now,
  abilities: {
    change: pings.every(({ mayChange }) => mayChange),
    resolutions: resolutionsFor({
      backOnCensus: tx.actor.groupsWith('canResolveBackToCensus').includes(groupId),
      isOwnFacility: stay !== undefined && tx.actor.permissions.has(stay.groupId),
      hasDied: died !== null,
    }),
  },
});

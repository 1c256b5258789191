/**
 * Loads patients as a team sees them. A row is a person, or in the inbox a person and an encounter. Details from several groups of the team
 * are merged, the oldest listing first.
 */

import type { Encounter, Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Destination } from '#server/record/rules/destination.ts';
import { type PatientFlags, patientFlags } from '#server/record/rules/patient-flags.ts';
import { deathOf, type RuleVisit, ruleVisit } from '#server/record/rules/rule-visit.ts';
import { type AttemptRow, attemptsIn, attemptsOfPersons } from '#server/work/contact-attempts/queries.ts';
import { cardOf } from './card.ts';
import { currentListings } from './current-listings.ts';
import { encounterOf } from './encounter.ts';
import { hasLeft, listedFields } from './listed-fields.ts';
import { coordinatorsOf } from './listed-people.ts';
import { pingOf } from './ping.ts';
import { type ReasonContext, reasonFor, reasonPingOf } from './ping-reason.ts';
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

const DAY = 86_400_000;
const YEAR = 365 * DAY;

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
  facilities: Map<string, FacilityRow>;
  timeZone: string;
  /** Until when stays are counted: now, or the death. */
  until: Date;
  /** Returns one of the visits, with these pings. */
  encounterOf: (visit: VisitRow, pings: Ping[]) => Encounter;
  pingOf: (row: PingRow) => Ping;
}

/** Returns the rows in the order of the keys, without those that the team may not see. */
export async function loadPatients(tx: ActorTransaction, keys: PatientKey[], now: Date): Promise<Patient[]> {
  return (await loadRows(tx, keys, now)).map(({ patient }) => patient);
}

/** Returns the same rows with what they were made from. `since`: from when visits are loaded, null for all; by default the last 13 months. */
export async function loadRows(
  tx: ActorTransaction,
  keys: PatientKey[],
  now: Date,
  since: Date | null = new Date(now.getTime() - YEAR - 30 * DAY),
): Promise<LoadedPatient[]> {
  const personIds = [...new Set(keys.map((key) => key.personId))];
  const encounterIds = keys.flatMap((key) => key.encounterId ?? []);
  const [listed, visits, sent, deaths, views, attempts] = await Promise.all([
    listingsOf(tx, personIds),
    visitsOf(tx, personIds, encounterIds, since),
    pingsOf(tx, encounterIds),
    deathsOf(tx, personIds),
    viewsOf(tx, encounterIds),
    attemptsOfPersons(tx, personIds),
  ]);
  const snfStays = visits.filter(({ state }) => state.setting === 'SNF').map(({ id }) => id);
  const waivers = await waiversOf(tx, snfStays);
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
  const facilities = await facilitiesOf(tx, [
    ...new Set([
      ...visits.map((v) => v.groupId),
      ...[...pings, ...events].map((p) => p.facilityId),
      ...departures.flatMap(({ transferredTo }) => transferredTo ?? []),
    ]),
  ]);
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
        event: events.find(({ eventId }) => eventId === key.eventId),
        facilities,
        waivers,
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
  /** The row's event, if the team got no ping for it. */
  event: PingRow | undefined;
  facilities: Map<string, FacilityRow>;
  /** The statuses of three-day waivers, the newest first. */
  waivers: WaiverRow[];
  attempts: AttemptRow[];
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
  const flags = patientFlags(counted, now.getTime(), oldest.timeZone);
  const context: ReasonContext = {
    visits: counted,
    flags,
    died: deathIn(counted, died, oldest.timeZone, facilities),
    timeZone: oldest.timeZone,
    ownFacilities: listings.filter((l) => l.groupType === 'SNF').map((l) => ({ name: l.groupName, type: l.groupType })),
    attempts: attemptsIn(oldest.timeZone, parts.attempts),
    today: localDateOf(now.getTime(), oldest.timeZone),
  };
  const coordinators = coordinatorsOf(current);
  const destination = destinationFor(visits, facilities);
  const pingContext = {
    now,
    actor: tx.actor,
    facilities,
    coordinators,
    visits,
    destination,
    reasonOf: (row: PingRow) => reasonFor(reasonPingOf(row), context, now.getTime()),
  };
  const shownPing = (row: PingRow) => ({ ...pingOf(row, pingContext), ...(seesInsurance ? {} : { payor: null }) });
  const shownPings = pings.map(shownPing);
  const currentPing = event
    ? shownPing(event)
    : shownPings.find(({ eventIdentifier }) => key.eventId === undefined || eventIdentifier === key.eventId);
  const visit = visits.find(({ id }) => id === key.encounterId);
  const until = new Date(Math.min(now.getTime(), context.died?.at ?? now.getTime()));
  const waiverOf = (id: string | undefined) => waivers.find(({ encounterId }) => encounterId === id);
  const encounter = (of: VisitRow, ofIt: Ping[]): Encounter => {
    const shownStay = encounterOf(of, {
      facilities,
      pings: ofIt,
      visits: counted,
      destination,
      until,
      waiver: waiverOf(of.id),
    });
    return seesInsurance ? shownStay : { ...shownStay, payors: [] };
  };
  const stay = visit ? encounter(visit, shownPings) : null;
  const patient: Patient = {
    id: `${oldest.id}_${key.encounterId ?? '0'}`,
    ...listedFields(listings, { detailed, tagged: new Set(tx.actor.groupsWith('canViewPatientTags')) }),
    careCoordinators: coordinators,
    emergencyRoomVisitCount: flags.emergencyRoomVisitCount,
    emergencyRoomCount: flags.emergencyRoomCount,
    encounterCounts: { ...flags.encounterCounts },
    deceased: died !== null,
    deceasedDate: died && (context.died?.on ?? null),
    is3dWaiverEligible: isWaiverEligible(stay, waiverOf(stay?.id), { visits: counted, until }),
    similarPatients: [],
    wishinPulseEnabled: false,
    hasVynca: false,
    currentPing: currentPing ?? null,
    currentPingEncounter: stay,
    card: parts.hasPings ? cardOf(shownPings, viewerOf(parts)) : null,
  };
  const made = {
    current,
    listings,
    detailed,
    visits,
    counted,
    flags,
    facilities,
    timeZone: oldest.timeZone,
    until,
    encounterOf: encounter,
    pingOf: shownPing,
  };
  return { patient, personId: key.personId, ...made };
}

/** Whether a ping may be resolved as back on census is up to the group that created the patient. */
const viewerOf = ({ tx, listings: [{ groupId }], seenUntil }: Parts) => ({
  seenUntil,
  backOnCensus: tx.actor.groupsWith('canResolveBackToCensus').includes(groupId),
});

/** The destination of a transfer is hidden if the facility is under 42 CFR Part 2 and the team may read none of the person's visits there. */
function destinationFor(visits: VisitRow[], facilities: Map<string, FacilityRow>) {
  return (facilityId: string): Destination | undefined => {
    const facility = facilities.get(facilityId);
    const isHidden = facility?.isPart2Facility && !visits.some(({ groupId }) => groupId === facilityId);
    return facility && { name: facility.name, isHidden: isHidden ?? true };
  };
}

/** Returns the death with its time: of the earliest DECEASED event, or else the date that a facility reported. A row says one date for both. */
function deathIn(
  visits: RuleVisit[],
  died: Parts['died'],
  timeZone: string,
  facilities: Map<string, FacilityRow>,
): ReasonContext['died'] {
  const at = deathOf(visits);
  const on = died?.on ?? null;
  if (at !== null) {
    const place = facilities.get(visits.find(({ diedAt }) => diedAt === at)?.facilityId ?? '');
    return { at, on: on && localDateOf(at, place?.timeZone ?? timeZone) };
  }
  return died && { at: on === null ? null : instantOfLocal(Date.parse(on) + DAY, timeZone) - 1, on };
}

/** Returns a visit as the rules see it. */
export function ruleVisitOf(visit: VisitRow, facilities: Map<string, FacilityRow>): RuleVisit {
  const facility = facilities.get(visit.groupId);
  if (!facility) throw new Error(`The facility ${visit.groupId} of an encounter was not loaded`);
  const { id, state, presentedAt, inpatientFrom, diedAt } = visit;
  return ruleVisit({
    id,
    state,
    facility,
    presentedAt: presentedAt === null ? null : Date.parse(presentedAt),
    inpatientFrom: inpatientFrom === null ? null : Date.parse(inpatientFrom),
    diedAt: diedAt === null ? null : Date.parse(diedAt),
  });
}

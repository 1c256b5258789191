/**
 * Loads patients as a team sees them. A row is a person, or in the inbox a person and an encounter. Details from several groups of the team
 * are merged, the oldest listing first.
 */
import type { Patient } from '#contract/patients.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Destination } from '#server/record/rules/destination.ts';
import { patientFlags } from '#server/record/rules/patient-flags.ts';
import { deathOf, type RuleVisit, ruleVisit } from '#server/record/rules/rule-visit.ts';
import { currentListings, firstCurrent } from './current-listings.ts';
import { encounterOf } from './encounter.ts';
import { pingOf } from './ping.ts';
import { type ReasonContext, reasonFor } from './ping-reason.ts';
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
const hasLeft = ({ leftAt }: ListingRow): boolean => leftAt !== null;

/** Returns the rows in the order of the keys, without those that the team may not see. */
export async function loadPatients(tx: ActorTransaction, keys: PatientKey[], now: Date): Promise<Patient[]> {
  const personIds = [...new Set(keys.map((key) => key.personId))];
  const encounterIds = keys.flatMap((key) => key.encounterId ?? []);
  const [listed, visits, sent, deaths, waivers] = await Promise.all([
    listingsOf(tx, personIds),
    visitsOf(tx, personIds, encounterIds, new Date(now.getTime() - YEAR - 30 * DAY)),
    pingsOf(tx, encounterIds),
    deathsOf(tx, personIds),
    waiversOf(tx, encounterIds),
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
        event: events.find(({ eventId }) => eventId === key.eventId),
        facilities,
        waiver: waivers.find(({ encounterId }) => encounterId === key.encounterId),
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
  /** The row's event, if the team got no ping for it. */
  event: PingRow | undefined;
  facilities: Map<string, FacilityRow>;
  /** The newest status of the stay's three-day waiver. */
  waiver: WaiverRow | undefined;
  died: { on: string | null } | null;
  now: Date;
}

function patientOf({ tx, key, listings, visits, pings, event, facilities, waiver, died, now }: Parts): Patient {
  const [oldest] = listings;
  const current = currentListings(listings, hasLeft);
  const [named = oldest] = current;
  const detailed = new Set(tx.actor.groupsWith('canViewAllPatientDetails'));
  const shown = listings.filter((listing) => detailed.has(listing.groupId));
  const address = firstCurrent(shown, hasLeft);
  const counted = visits.map((visit) => ruleVisitOf(visit, facilities));
  const flags = patientFlags(counted, now.getTime(), oldest.timeZone);
  const context: ReasonContext = {
    visits: counted,
    flags,
    died: deathIn(counted, died, oldest.timeZone, facilities),
    timeZone: oldest.timeZone,
    ownFacilities: listings.filter((l) => l.groupType === 'SNF').map((l) => ({ name: l.groupName, type: l.groupType })),
    today: localDateOf(now.getTime(), oldest.timeZone),
  };
  const coordinators = unique(current.flatMap((l) => l.careCoordinators));
  const destination = destinationFor(visits, facilities);
  const tagged = new Set(tx.actor.groupsWith('canViewPatientTags'));
  const isTagged = ({ groupId }: ListingRow) => tagged.has(groupId);
  const pingContext = {
    now,
    actor: tx.actor,
    facilities,
    coordinators,
    visits,
    destination,
    reasonOf: (row: PingRow) => reasonFor(reasonInput(row), context, now.getTime()),
  };
  const seesInsurance = shown.length > 0;
  const shownPing = (row: PingRow) => ({ ...pingOf(row, pingContext), ...(seesInsurance ? {} : { payor: null }) });
  const shownPings = pings.map(shownPing);
  const currentPing = event
    ? shownPing(event)
    : shownPings.find(({ eventIdentifier }) => key.eventId === undefined || eventIdentifier === key.eventId);
  const visit = visits.find(({ id }) => id === key.encounterId);
  const until = new Date(Math.min(now.getTime(), context.died?.at ?? now.getTime()));
  const stay = visit
    ? encounterOf(visit, { facilities, pings: shownPings, visits: counted, destination, until, waiver })
    : null;
  return {
    id: `${oldest.id}_${key.encounterId ?? '0'}`,
    firstName: named.firstName,
    middleName: named.middleName,
    lastName: named.lastName,
    nameSuffix: named.nameSuffix,
    gender: named.gender,
    dateOfBirth: named.dateOfBirth,
    address: address ? addressOf(address) : null,
    detailsVisible: shown.length > 0,
    creatorGroupId: oldest.groupId,
    creatorGroupName: oldest.groupName,
    listings: listings.map((l) => listingIn(l, detailed)),
    programs: unique(current.flatMap((l) => l.programs)).map((name) => ({ name })),
    practices: unique(current.flatMap((l) => l.practices)).map((name) => ({ name })),
    providers: providersOf(current),
    careCoordinators: coordinators.map((fullName, index) => ({ id: String(index + 1), fullName, telephone: null })),
    patientTags: unique([
      ...current.filter(isTagged).flatMap((l) => l.tags),
      ...listings.filter(isTagged).flatMap((l) => l.teamTags),
    ]),
    insurancePlans: unique(shown.flatMap((l) => l.insurance)),
    emergencyRoomVisitCount: flags.emergencyRoomVisitCount,
    emergencyRoomCount: flags.emergencyRoomCount,
    encounterCounts: { ...flags.encounterCounts },
    deceased: died !== null,
    deceasedDate: died && (context.died?.on ?? null),
    is3dWaiverEligible: isWaiverEligible(stay, waiver, { visits: counted, until }),
    similarPatients: [],
    currentPing: currentPing ?? null,
    currentPingEncounter: stay && !seesInsurance ? { ...stay, payors: [] } : stay,
  };
}

const listingIn = (l: ListingRow, detailed: ReadonlySet<string>): Patient['listings'][number] => ({
  rosterPatientId: l.id,
  groupId: l.groupId,
  groupName: l.groupName,
  memberId: detailed.has(l.groupId) ? l.memberId : null,
  leftAt: l.leftAt,
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

const reasonInput = (row: PingRow) => ({
  encounterId: row.encounterId,
  code: row.code,
  state: row.state,
  // A discharge has the setting that it ended.
  setting: row.setting,
  at: Date.parse(row.eventAt),
  day: row.eventDay,
  disposition: row.detail.disposition,
  managementStatus: row.managementStatus,
  isMoved: row.isMoved,
});

function addressOf(l: ListingRow): NonNullable<Patient['address']> {
  const { address1, address2, city, state, zip, homePhone, mobilePhone } = l;
  return { address1, address2, city, state, zip, homePhone, mobilePhone };
}

function providersOf(listings: readonly ListingRow[]): Patient['providers'] {
  const named = listings.filter((l) => l.providerLastName !== null);
  const byName = new Map(named.map((l) => [l.providerNpi ?? `${l.providerFirstName} ${l.providerLastName}`, l]));
  return [...byName.values()].map((l) => ({
    id: l.id,
    firstName: l.providerFirstName ?? '',
    lastName: l.providerLastName ?? '',
    fullName: [l.providerFirstName, l.providerLastName].filter(Boolean).join(' '),
    npi: l.providerNpi,
    telephone: null,
  }));
}

const unique = (values: string[]): string[] => [...new Set(values)];

/** A single patient with everything that lists leave out (docs/fields.md). */
import { isDeathDisposition } from '#contract/dispositions.ts';
import type { ProgramEnrollment } from '#contract/hl7-programs.ts';
import type { PatientDetails } from '#contract/patient-details.ts';
import type { Permission } from '#contract/permissions.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { isOutpatient } from '#server/record/fold/visit-state.ts';
import { episodesOf } from '#server/record/rules/episode.ts';
import { hasHappened, isOngoing } from '#server/record/rules/rule-visit.ts';
import { ccdsOfVisits } from '#server/work/documents/ccds-of-visits.ts';
import { dateOf } from '#server/work/patients/encounter.ts';
import { getPatient } from '#server/work/patients/get.ts';
import { cohortsOf, coordinatorsOf, orgsOf, providersOf } from '#server/work/patients/listed-people.ts';
import type { LoadedPatient } from '#server/work/patients/load.ts';
import { entryVersion } from '#server/work/patients/manual-visit.ts';
import { hasPart2Records } from '#server/work/patients/part2-records.ts';
import { programCohortsOf, programEnrollmentOf, programInfoOf } from '#server/work/patients/programs.ts';
import type { ListingRow, VisitRow } from '#server/work/patients/queries.ts';
import { careOf } from './care.ts';
import { encounterDetailsOf, triggersOf } from './encounter-details.ts';
import { insurancePlansOf } from './insurance-plans.ts';
import { type EventRow, gotPing, latestEvents, latestNotice, type PhoneRow, phonesOf } from './queries.ts';
import { unplannedVisitsOf } from './unplanned-visits.ts';

/** A patient, and the person for further statements. `links` is empty. */
export interface Details {
  personId: string;
  patient: PatientDetails;
}

/** Returns the patient. Errors: NOT_FOUND. */
export async function getPatientDetails(tx: ActorTransaction, patientId: string, now: Date): Promise<Details> {
  return detailsOf(tx, await getPatient(tx, patientId, now), now);
}

/**
 * Returns the patient if one of the transaction's groups got a ping of the visit that the id names, without what comes from other visits. Errors:
 * NOT_FOUND.
 */
export async function getDetailsOfPing(tx: ActorTransaction, patientId: string, now: Date): Promise<Details> {
  const loaded = await getPatient(tx, patientId, now);
  const [, encounterId = '0'] = patientId.split('_');
  if (!(await gotPing(tx, loaded.personId, encounterId))) throw new ApiError('NOT_FOUND');
  const { personId, patient } = await detailsOf(tx, loaded, now);
  const { lastHospitalDischargeEncounter: last } = patient;
  const lastIsPinged = last?.id === encounterId;
  return {
    personId,
    patient: {
      ...patient,
      lastHospitalDischargeEncounter: lastIsPinged ? last : null,
      copEvent: null,
      onlyPing: true,
    },
  };
}

async function detailsOf(tx: ActorTransaction, loaded: LoadedPatient, now: Date): Promise<Details> {
  const stay = loaded.patient.currentPingEncounter;
  const [care, phones, notice, events, isPart2, ccds, version] = await Promise.all([
    careOf(tx, loaded),
    phonesOf(tx, loaded.personId),
    latestNotice(tx, loaded.personId),
    latestEvents(tx, stay ? triggersOf(stay.id, loaded) : []),
    hasPart2Records(tx, loaded.personId),
    ccdsOfVisits(tx, loaded.personId, loaded.patient.id),
    entryVersion(tx, { personId: loaded.personId, encounterId: stay?.id ?? null }),
  ]);
  return {
    personId: loaded.personId,
    patient: {
      ...loaded.patient,
      ...care,
      ...whoAndWhere(loaded, tx),
      ...flagsOf(loaded, tx),
      risingRiskInfo: loaded.patient.risingRiskInfo && {
        ...loaded.patient.risingRiskInfo,
        unplannedVisits: unplannedVisitsOf(loaded, now.getTime()),
      },
      currentPingEncounter: currentEncounter(loaded, events, ccds),
      lastHospitalDischargeEncounter: lastHospitalVisit(loaded),
      phoneNumbers: phoneNumbersOf(phones, loaded, tx),
      copEvent: notice && { eventDate: notice.date, eventStatus: notice.code, facilityName: notice.facilityName },
      patientHl7BasedProgramsInfo: loaded.enrollments.map((one) => programInfoOf(one, shownWith(loaded))),
      ccdExistsForAnyEncounter: ccds.size > 0,
      hasPart2Records: isPart2,
      entryVersion: version,
      links: [],
    },
  };
}

/** Returns the HL7-based programs that the patient is in now, with their definitions. */
export const programsOfMessages = (loaded: LoadedPatient): ProgramEnrollment[] =>
  loaded.enrollments.map((one) => programEnrollmentOf(one, shownWith(loaded)));

const shownWith = ({ facilities, patient }: LoadedPatient) => ({ facilities, seesInsurance: patient.detailsVisible });

type WhoAndWhere = Pick<
  PatientDetails,
  | 'address'
  | 'currentPayor'
  | 'insurancePlans'
  | 'programs'
  | 'practices'
  | 'orgs'
  | 'cohorts'
  | 'providers'
  | 'careCoordinators'
  | 'disabled'
  | 'currentlyManaged'
  | 'attendingProvider'
>;

function whoAndWhere(loaded: LoadedPatient, tx: ActorTransaction): WhoAndWhere {
  const { patient, current, listings, detailed, visits, counted } = loaded;
  const visit = visitOf(loaded);
  const shown = listings.filter(({ groupId }) => detailed.has(groupId));
  const plans = patient.detailsVisible ? insurancePlansOf(shown, visits, visit) : [];
  const [orgs, practices] = [orgsOf(current), cohortsOf(current, 'PRACTICE')];
  const programs = [...cohortsOf(current, 'PROGRAM'), ...programCohortsOf(loaded.enrollments, shownWith(loaded))];
  const isListed = listings.some(({ leftAt }) => leftAt === null);
  const isAtFacility = counted.some((each) => isOngoing(each) && tx.groupIds.includes(each.facilityId));
  const isInProgram = listings.some(({ leftAt, groupType }) => leftAt === null && groupType === 'PROGRAM');
  return {
    address: patient.address && addressOf(patient.address, shown),
    currentPayor: plans.find(({ selected }) => selected)?.value ?? null,
    insurancePlans: plans,
    programs,
    practices,
    orgs,
    cohorts: [...orgs, ...programs, ...practices],
    providers: providersOf(current),
    careCoordinators: coordinatorsOf(current),
    disabled: !isListed,
    currentlyManaged: isInProgram || isAtFacility,
    attendingProvider: patient.currentPingEncounter?.attendingProvider ?? null,
  };
}

/** `shown`: the listings whose address may be shown; the one that is shown is the first current one, as in lists. */
function addressOf(address: NonNullable<LoadedPatient['patient']['address']>, shown: readonly ListingRow[]) {
  const { city, state, zip } = address;
  const listing = shown.find(({ leftAt }) => leftAt === null) ?? shown[0];
  return {
    ...address,
    address3: listing?.address3 ?? null,
    cityAndState: [city, state].filter(Boolean).join(', ') || null,
    standardizedZip: /^\d{5}/.exec(zip ?? '')?.[0] ?? null,
  };
}

const visitOf = ({ patient, visits }: LoadedPatient): VisitRow | undefined =>
  visits.find(({ id }) => id === patient.currentPingEncounter?.id);

function currentEncounter(
  loaded: LoadedPatient,
  events: ReadonlyMap<string, EventRow>,
  ccds: ReadonlyMap<string, string>,
): PatientDetails['currentPingEncounter'] {
  const encounter = loaded.patient.currentPingEncounter;
  const visit = visitOf(loaded);
  if (!encounter || !visit) return null;
  const episodes = episodesOf(loaded.counted);
  return encounterDetailsOf(visit, encounter, { ...loaded, latestEvents: events, ccds, episodes });
}

function lastHospitalVisit({
  visits,
  facilities,
  encounterOf,
}: LoadedPatient): PatientDetails['lastHospitalDischargeEncounter'] {
  // As for the event (docs/events.md): a death is no discharge, and neither is the end of an outpatient visit.
  const endOf = ({ state }: VisitRow) => Date.parse(state.dischargedAt?.instant ?? '');
  const isOver = (visit: VisitRow) =>
    visit.state.status === 'FINISHED' &&
    visit.state.dischargedAt !== null &&
    !isOutpatient(visit.state) &&
    !isEndedByDeath(visit, endOf(visit)) &&
    facilities.get(visit.groupId)?.facilityType === 'HOS';
  const [last] = visits.filter(isOver).sort((a, b) => endOf(b) - endOf(a));
  return last ? encounterOf(last, []) : null;
}

/** `end` in milliseconds. Of a death without a visit, only the death is known. */
const isEndedByDeath = ({ state, diedAt }: VisitRow, end: number): boolean =>
  isDeathDisposition(state.disposition) ||
  (diedAt !== null && (state.admittedAt === null || Date.parse(diedAt) <= end));

function flagsOf(
  { flags, current, counted, visits }: LoadedPatient,
  { actor }: ActorTransaction,
): Pick<PatientDetails, 'huFlag' | 'covid19Info' | 'careGaps' | 'advanceCareDocuments' | 'currentlyBillingAgencies'> {
  const within = (permission: Permission) => {
    const groups = new Set(actor.groupsWith(permission));
    return current.filter(({ groupId }) => groups.has(groupId));
  };
  return {
    huFlag: flags.hospitalUse,
    covid19Info: within('canViewCovid19Status').length > 0 ? covidOf({ flags, counted, visits }) : null,
    careGaps: merged(within('canViewCareGapsWorklistAlpha'), (row) => row.careGaps),
    advanceCareDocuments: merged(current, (row) => row.advanceCareDocuments),
    currentlyBillingAgencies: merged(current, (row) => row.billingAgencies),
  };
}

const merged = (listings: readonly ListingRow[], valuesOf: (row: ListingRow) => string[]): string[] => [
  ...new Set(listings.flatMap(valuesOf)),
];

function covidOf({
  flags,
  counted,
  visits,
}: Pick<LoadedPatient, 'flags' | 'counted' | 'visits'>): PatientDetails['covid19Info'] {
  if (flags.covid19 === null) return null;
  const ill = new Set(counted.filter((visit) => visit.mentionsCovid && hasHappened(visit)).map(({ id }) => id));
  const states = visits.filter(({ id }) => ill.has(id)).map(({ state }) => state);
  const [first] = states.map(({ admittedAt }) => admittedAt).sort((a, b) => timeOf(a) - timeOf(b));
  const [last] = states.map((state) => state.dischargedAt ?? state.admittedAt).sort((a, b) => timeOf(b) - timeOf(a));
  return {
    flag: flags.covid19 === 'ACTIVE',
    expired: flags.covid19 === 'EXPIRED',
    mostRecentDate: dateOf(last ?? null),
    startDate: dateOf(first ?? null),
  };
}

const timeOf = (moment: { instant: string } | null): number => (moment ? Date.parse(moment.instant) : 0);

/** Those of other organizations are shown like an address; those of the team's groups only where it is. A number that a group has twice is shown once. */
function phoneNumbersOf(
  phones: readonly PhoneRow[],
  { patient, detailed }: LoadedPatient,
  { actor, groupIds }: ActorTransaction,
): PatientDetails['phoneNumbers'] {
  if (!patient.detailsVisible) return [];
  const own = new Set(groupIds);
  const shown = phones.filter(({ groupId }) => detailed.has(groupId) || !own.has(groupId));
  const once = new Map(shown.toReversed().map((row) => [`${row.groupId} ${row.phone.replace(/\D/g, '')}`, row]));
  return [...once.values()]
    .reverse()
    .sort((a, b) => Number(own.has(b.groupId)) - Number(own.has(a.groupId)))
    .map(({ groupName, groupType, phone, kind, updatedAt, organizationId }) => ({
      groupName,
      groupType,
      phone,
      updatedDate: updatedAt,
      type: kind,
      currentOrganization: organizationId === actor.organizationId,
    }));
}

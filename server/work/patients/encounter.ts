import { counted } from '#contract/counted.ts';
import { admitSourceLabel, dispositionLabel } from '#contract/dispositions.ts';
import type { Setting } from '#contract/event-codes.ts';
import type { DiagnosisDetails } from '#contract/patient-details.ts';
import type { Encounter } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { expectedDays, expectedDischargeDay } from '#server/record/fold/expected-stay.ts';
import type { VisitFlag } from '#server/record/fold/folded-visit.ts';
import { isOpenStatus, type KnownDiagnosis, type VisitState } from '#server/record/fold/visit-state.ts';
import { type Destination, destinationOf } from '#server/record/rules/destination.ts';
import { type InpatientRun, inpatientRun } from '#server/record/rules/inpatient-nights.ts';
import { byRank, type RuleVisit } from '#server/record/rules/rule-visit.ts';
import { attendingOf, facilityOf } from './ping.ts';
import type { FacilityRow, VisitRow } from './queries.ts';
import { isOutpatientAccount, type StayLength, stayLength } from './stay-length.ts';
import { type WaiverCoverage, type WaiverRow, waiverFields } from './three-day-waiver.ts';
import type { VisitTimes } from './visit-times.ts';

export interface EncounterContext {
  facilities: Map<string, FacilityRow>;
  /** The team's pings of this encounter, newest first. */
  pings: Ping[];
  /** The person's visits that the reader may see. */
  visits: readonly RuleVisit[];
  /** Returns the facility that a patient was transferred to. */
  destination: (facilityId: string) => Destination | undefined;
  /** Until when stays are counted: now, or the death. */
  until: Date;
  /** The newest status of its three-day waiver. */
  waiver: WaiverRow | undefined;
  coverage: WaiverCoverage;
}

const NO_END = { dischargedAt: null, disposition: null, dischargedTo: null, transferredTo: undefined } as const;

/** Returns an encounter in the form of the contract. */
export function encounterOf(visit: VisitRow, context: EncounterContext): Encounter {
  const { facilities, pings, visits, destination, until, waiver, coverage } = context;
  // Nothing that the sender took back, such as a discharge, is a fact about the stay.
  const isCanceled = visit.state.status === 'CANCELLED';
  const state = isCanceled ? { ...visit.state, ...NO_END } : visit.state;
  const counted = visits.find(({ id }) => id === visit.id);
  const dischargeTo = destinationOf(state, destination);
  const facility = facilities.get(visit.groupId);
  if (!facility) throw new Error(`The facility ${visit.groupId} of an encounter was not loaded`);
  const diagnoses = diagnosesOf(visit);
  return {
    id: visit.id,
    admittingFacility: facilityOf(facility),
    status: state.status,
    ...(state.onlyPlanned && { onlyPlanned: true }),
    setting: state.setting,
    attendingProvider: attendingOf(visit),
    admittedFrom: admitSourceLabel(state.admitSource),
    dischargeTo,
    // The disposition of a transfer says what kind of facility it was to.
    dischargeDisposition: dischargeTo === null ? null : dispositionLabel(state.disposition),
    pointOfCare: state.location?.pointOfCare ?? null,
    room: state.location?.room ?? null,
    bed: state.location?.bed ?? null,
    admitReason: state.admitReason,
    admittedDate: dateOf(state.admittedAt),
    ...(state.registeredAt && { registeredDate: dateOf(state.registeredAt) ?? undefined }),
    ...(state.series && { series: { visits: state.series.contacts, lastDate: dayOrInstantOf(state.series.lastAt) } }),
    ...inpatientSince(visit),
    admissionDatedByReceipt: isAdmissionDatedByReceipt(state),
    dischargedDate: dateOf(state.dischargedAt),
    ...(isDischargeUnclear(visit) && { dischargeContradicted: true }),
    ...nightsOf(counted && inpatientRun(counted, visits, until.getTime())),
    ...(isCanceled || isOutpatientAccount(state.setting, visit.settings)
      ? NO_LENGTH
      : durationOf(visit, facility, until)),
    expectedDischargeDate: dateOf(state.expectedDischargeAt) ?? expectedDischargeDay(state),
    expectedLengthOfStay: expectedDays(state),
    diagnosis: diagnoses[0] ?? null,
    allEncounterDiagnoses: diagnoses,
    payors: payorsOf(state),
    ...waiverFields(counted, waiver, {
      visits,
      timeZone: facility.timeZone,
      until,
      payers: state.payers,
      coverage,
    }),
    pings,
  };
}

/**
 * Whether the facility sent a discharge of the open stay with disposition 30, still a patient: the fold doesn't believe it, and people have to ask.
 */
export const isDischargeUnclear = ({ state }: VisitRow): boolean =>
  isOpenStatus(state.status) &&
  ((state.flags as VisitFlag[] | undefined)?.includes('DISCHARGE_WITH_STILL_PATIENT') ?? false);

function nightsOf(run: InpatientRun | null | undefined): Pick<Encounter, 'inpatientNights' | 'nightsWithEarlierStay'> {
  if (!run) return { inpatientNights: null };
  const { nights, own, since } = run;
  return {
    inpatientNights: nights,
    ...(since !== null && { nightsWithEarlierStay: { own, since } }),
  };
}

/** Returns a time as the contract has it: the day alone if the time of day is unknown. */
export const dateOf = (moment: Moment | null): string | null => moment && dayOrInstantOf(moment);
const dayOrInstantOf = ({ precision, localDate, instant }: Moment): string =>
  precision === 'day' ? localDate : instant;

/** Returns the visit's payers, each with its plan. */
export const payorsOf = ({ payers }: Pick<VisitRow['state'], 'payers'>): string[] =>
  payers.map(({ company, plan, code }) => [company ?? code, plan].filter(Boolean).join(' · ')).filter(Boolean);

/** Returns the visit's diagnoses: final before working before admitting, the principal one first. */
export const diagnosesOf = ({ state }: { state: Pick<VisitRow['state'], 'diagnoses'> }): DiagnosisDetails[] =>
  byRank(state.diagnoses).map(diagnosisOf);

function diagnosisOf({ code, description, type, codeSystem, since, before }: KnownDiagnosis): DiagnosisDetails {
  const mainCode = code.split('.')[0] ?? code;
  const parentCode = mainCode === code ? null : mainCode;
  const history = { ...(since && { since }), ...(before && { before: [...before] }) };
  return { synonym: description, fullCode: code, mainCode, parentCode, type, codeSystem, ...history };
}

/** Of these, a stay that was an inpatient one was changed by its hospital (condition code 44). */
const OUTPATIENT_SETTINGS = new Set<Setting>(['OBSERVATION', 'OUTPATIENT']);

type Began = Omit<VisitTimes, 'presentedAt' | 'diedAt'> & {
  state: Pick<VisitState, 'setting' | 'admittedAt' | 'arrivedAt'>;
};

/**
 * Returns how an inpatient stay began before its admission: nights as an inpatient count from that (42 CFR 409.30(a)(1)). Of a stay that was changed
 * to observation or outpatient care, always the admission that the change took back.
 */
export function inpatientSince({
  state: { setting, admittedAt, arrivedAt },
  settings,
  firstObservedAt,
  firstInpatientAt,
  inpatientFrom,
}: Began): Pick<Encounter, 'observedFrom' | 'inpatientFrom'> {
  const isChanged = OUTPATIENT_SETTINGS.has(setting);
  const since = isChanged ? firstInpatientAt : setting === 'INPATIENT' ? inpatientFrom : null;
  if (since === null || admittedAt === null) return {};
  // Otherwise only the time of the admission was corrected.
  if (settings.every((each) => each === 'INPATIENT')) return {};
  const from = Date.parse(since);
  const observed = firstObservedAt === null ? from : Date.parse(firstObservedAt);
  const began = arrivedAt ?? admittedAt;
  // The beginning may be known only by its day.
  const observedFrom = Date.parse(began.instant) === observed ? dateOf(began) : new Date(observed).toISOString();
  return {
    ...(observed < from && { observedFrom: observedFrom ?? undefined }),
    ...((isChanged || Date.parse(admittedAt.instant) < from) && { inpatientFrom: new Date(from).toISOString() }),
  };
}

function isAdmissionDatedByReceipt({ admittedAt, datedByReceipt = [] }: VisitRow['state']): boolean {
  const dated = admittedAt?.instant.slice(0, 19);
  return dated !== undefined && datedByReceipt.some((event) => event.endsWith(dated));
}

const NO_LENGTH = { lengthOfStay: null, leaveDays: null, visitDuration: null };

/** In words, days are counted as for `lengthOfStay`, which leaves out time on leave. */
function durationOf(
  { state }: VisitRow,
  { timeZone }: FacilityRow,
  until: Date,
): Pick<Encounter, keyof typeof NO_LENGTH> {
  const length = stayLength(state, timeZone, until.getTime());
  if (!length) return NO_LENGTH;
  return { lengthOfStay: length.days, leaveDays: length.leaveDays, visitDuration: inWords(length) };
}

/** Returns '3 days', '5 hours' or '25 minutes'. */
export function inWords({ days, minutes, isInDays }: Pick<StayLength, 'days' | 'minutes' | 'isInDays'>): string {
  if (isInDays) return counted(days, 'day');
  return minutes < 60 ? counted(minutes, 'minute') : counted(Math.floor(minutes / 60), 'hour');
}

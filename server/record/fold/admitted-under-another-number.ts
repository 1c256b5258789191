/**
 * Patients who are admitted from the ED or observation under another number. Some hospitals open a new account for the stay, and neither end the first one
 * (A03 with PV1-36 09) nor say that the new one continues it (MRG of an A06). The patient would then seem to be still in the ED.
 */
import { HOUR } from '#contract/durations.ts';
import type { Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { isBefore } from './event-time.ts';
import type { FacilityVisit, FoldedEvent } from './folded-visit.ts';
import { isOpenStay, type VisitDraft } from './visit-draft.ts';
import { ADMITTED_HERE, isBeforeAdmission, isOpenStatus } from './visit-state.ts';

/** *Ours*: few patients wait for a bed, or are under observation, for three days. */
const LONGEST_BEFORE_ADMISSION = 72 * HOUR;

/**
 * Returns the ED visits and observation stays that have no end, and whose patient was admitted within 72 hours after they began: as an inpatient, or from
 * the ED to observation. `visits`: those at one facility.
 */
export function admittedUnderAnotherNumber(visits: readonly FacilityVisit[]): FacilityVisit[] {
  const admissions = visits.flatMap(admissionsOf);
  if (admissions.length === 0) return [];
  return visits.filter((visit) => {
    const arrival = visit.events.find(isBeginning);
    if (!arrival || !hasNoEnd(visit)) return false;
    return admissions.some((admission) => admission.visit !== visit && follows(admission, visit, arrival.at));
  });
}

interface Admission {
  visit: FacilityVisit;
  /** When its stay began, maybe under observation. */
  begunAt: Moment;
  at: Moment;
  setting: Setting;
}

/** Returns the admissions of a stay that began with one; none for other visits, such as one that began in the ED. */
function admissionsOf(visit: FacilityVisit): Admission[] {
  const [first, ...later] = visit.events.filter(isBeginning);
  if (first?.code !== 'ADMIT') return [];
  return [first, ...later].map(({ at, setting }) => ({ visit, begunAt: first.at, at, setting }));
}

const BEGINNINGS = new Set<FoldedEvent['code']>(['PRESENTED', 'ADMIT']);
const isBeginning = ({ code }: FoldedEvent): boolean => BEGINNINGS.has(code);

function hasNoEnd({ state, events }: FacilityVisit): boolean {
  if (!isBeforeAdmission(state.setting) && !isBilledAsOutpatient(state, events)) return false;
  const last = events.at(-1);
  return isOpenStatus(state.status) || (last?.code === 'CLOSED' && !last.isManual);
}

/** An ED visit that an update reports as an outpatient's, of someone who was not in a bed. */
const isBilledAsOutpatient = ({ setting }: FacilityVisit['state'], events: readonly FoldedEvent[]): boolean =>
  setting === 'OUTPATIENT' && events.filter(isBeginning).every(({ code }) => code === 'PRESENTED');

function follows({ visit, begunAt, at, setting }: Admission, before: FacilityVisit, arrivedAt: Moment): boolean {
  const isNext = setting === 'INPATIENT' || (setting === 'OBSERVATION' && before.state.setting !== 'OBSERVATION');
  if (!isNext || visit.recordNumber !== before.recordNumber || isBefore(begunAt, arrivedAt)) return false;
  // A death that the admission was before is reported for all visits of the patient.
  const death = before.events.find(({ code }) => code === 'DECEASED');
  if (death && isBefore(death.at, at)) return false;
  return Date.parse(at.instant) - Date.parse(arrivedAt.instant) <= LONGEST_BEFORE_ADMISSION;
}

/** Ends the visit as an A03 with PV1-36 09 would: the patient was not discharged, so there is no event. */
export function endByAdmission(visit: VisitDraft): void {
  if (!isOpenStay(visit)) return;
  visit.phase = 'ended';
  visit.isAdmittedHere = true;
  visit.state.disposition = ADMITTED_HERE;
}

/**
 * Patients who are admitted from the ED or observation under another number. Some hospitals open a new account for the stay, and neither end the first one
 * (A03 with PV1-36 09) nor say that the new one continues it (MRG of an A06). The patient would then seem to be still in the ED.
 */
import { HOUR } from '#contract/durations.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { isBefore } from './event-time.ts';
import type { FacilityVisit, FoldedEvent } from './folded-visit.ts';
import { isOpenStay, type VisitDraft } from './visit-draft.ts';
import { ADMITTED_HERE, isBeforeAdmission, isOpenStatus } from './visit-state.ts';

/** *Ours*: few patients wait for a bed, or are under observation, for three days. */
const LONGEST_BEFORE_ADMISSION = 72 * HOUR;

/**
 * Returns the ED visits and observation stays that have no end, and whose patient was admitted as an inpatient within 72 hours after they began. `visits`:
 * those at one facility.
 */
export function admittedUnderAnotherNumber(visits: readonly FacilityVisit[]): FacilityVisit[] {
  const admissions = visits.flatMap((visit) => admissionOf(visit) ?? []);
  if (admissions.length === 0) return [];
  return visits.filter((visit) => {
    const arrival = visit.events.find(isBeginning);
    if (!arrival || !hasNoEnd(visit)) return false;
    return admissions.some((admission) => admission.visit !== visit && follows(admission, visit, arrival.at));
  });
}

interface Admission {
  visit: FacilityVisit;
  at: Moment;
}

/** Returns the admission of a stay that began with it; null for other visits, such as one that began in the ED. */
function admissionOf(visit: FacilityVisit): Admission | null {
  const first = visit.events.find(isBeginning);
  return first?.code === 'ADMIT' && first.setting === 'INPATIENT' ? { visit, at: first.at } : null;
}

const BEGINNINGS = new Set<FoldedEvent['code']>(['PRESENTED', 'ADMIT']);
const isBeginning = ({ code }: FoldedEvent): boolean => BEGINNINGS.has(code);

function hasNoEnd({ state, events }: FacilityVisit): boolean {
  if (!isBeforeAdmission(state.setting) || state.deceased) return false;
  const last = events.at(-1);
  return isOpenStatus(state.status) || (last?.code === 'CLOSED' && !last.isManual);
}

function follows(admission: Admission, { recordNumber }: FacilityVisit, arrivedAt: Moment): boolean {
  const waited = Date.parse(admission.at.instant) - Date.parse(arrivedAt.instant);
  return (
    admission.visit.recordNumber === recordNumber &&
    !isBefore(admission.at, arrivedAt) &&
    waited <= LONGEST_BEFORE_ADMISSION
  );
}

/** Ends the visit as an A03 with PV1-36 09 would: the patient was not discharged, so there is no event. */
export function endByAdmission(visit: VisitDraft): void {
  if (!isOpenStay(visit)) return;
  visit.phase = 'ended';
  visit.isAdmittedHere = true;
  visit.state.disposition = ADMITTED_HERE;
}

/**
 * Patients who are admitted from the ED or observation under another number. Hospitals open a new account for the stay, and some never end the first one
 * (A03 with PV1-36 09) or say that the new one continues it (MRG of an A06). The first visit then looks as if the patient were still in the ED.
 */
import { HOUR } from '#contract/durations.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { isBefore } from './event-time.ts';
import type { FacilityVisit, FoldedEvent } from './folded-visit.ts';
import type { VisitDraft } from './visit-draft.ts';
import { ADMITTED_HERE, isBeforeAdmission, isOpenStatus } from './visit-state.ts';

/** Ours: patients wait in the ED for a bed, and under observation, for two days, seldom for three. */
const LONGEST_BEFORE_ADMISSION = 72 * HOUR;

/** Returns the visits in the ED or under observation without an end whose patient was admitted as an inpatient after them, at the same facility and under another number. */
export function admittedAnew(visits: readonly FacilityVisit[]): FacilityVisit[] {
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

/** The admission of a stay that began with it. A patient who came to the ED again began there. */
function admissionOf(visit: FacilityVisit): Admission | null {
  const [first] = visit.events.filter(isBeginning);
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
  if (visit.phase !== 'open' && visit.phase !== 'on-leave') return;
  visit.phase = 'ended';
  visit.isAdmittedHere = true;
  visit.state.disposition = ADMITTED_HERE;
}

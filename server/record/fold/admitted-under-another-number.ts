/**
 * Patients who are admitted from the ED or observation under another number. Some hospitals open a new account for the stay, and neither end the first one
 * (A03 with PV1-36 09) nor say that the new one continues it (MRG of an A06). The patient would then seem to be still in the ED. Or they end it when the patient
 * is upstairs, as a discharge (A03 with PV1-36 01), and someone would call the patient at home.
 */
import { HOUR } from '#contract/durations.ts';
import type { Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { isAtOrAfter, isBefore } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import type { FacilityVisit, FoldedEvent } from './folded-visit.ts';
import { isOpenStay, type VisitDraft } from './visit-draft.ts';
import { ADMITTED_HERE, isBeforeAdmission, isOpenStatus } from './visit-state.ts';
import { isOurs } from './visit-triggers.ts';

/** *Ours*: what is heard of patients who wait for a bed, or are under observation, is seldom three days old. A bill comes later than that. */
const LONGEST_SILENCE = 72 * HOUR;

/**
 * Returns the ED visits and observation stays that had no end when their patient was admitted, as an inpatient or from the ED to observation, if there were
 * never more than 72 hours without a message about them before; each with the time of that admission. `visits`: those at one facility. `factsOf`: the facts
 * of a visit.
 */
export function admittedUnderAnotherNumber(
  visits: readonly FacilityVisit[],
  factsOf: (visit: FacilityVisit) => readonly Fact[],
): [FacilityVisit, Moment][] {
  const admissions = visits
    .flatMap(admissionsOf)
    .toSorted((a, b) => Date.parse(a.at.instant) - Date.parse(b.at.instant));
  if (admissions.length === 0) return [];
  return visits.flatMap((visit): [FacilityVisit, Moment][] => {
    const arrival = visit.events.find(isBeginning);
    if (!arrival || !isBeforeAnAdmission(visit)) return [];
    const next = admissions.find(
      (admission) =>
        admission.visit !== visit &&
        hasNoEndBefore(admission.at, visit) &&
        follows(admission, visit, arrival.at) &&
        wasNeverSilent(arrival.at, admission.at, heardOf(factsOf(visit))),
    );
    return next ? [[visit, next.at]] : [];
  });
}

/** Returns when messages about the visit were written. The job that closes ED visits has heard nothing. */
const heardOf = (facts: readonly Fact[]): Moment[] =>
  facts.flatMap(({ adt, sentElsewhere }) =>
    sentElsewhere || isOurs(adt.trigger) || !adt.visit ? [] : (adt.recordedAt ?? adt.sentAt ?? []),
  );

function wasNeverSilent(arrived: Moment, admitted: Moment, heard: readonly Moment[]): boolean {
  const [from, to] = [arrived, admitted].map(({ instant }) => Date.parse(instant)) as [number, number];
  const between = heard.map(({ instant }) => Date.parse(instant)).filter((at) => from < at && at < to);
  return [...between.sort((a, b) => a - b), to].every((at, n) => at - (between[n - 1] ?? from) <= LONGEST_SILENCE);
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

const ENDS = new Set<FoldedEvent['code']>(['DISCHARGE', 'DECEASED']);

const isBeforeAnAdmission = ({ state, events }: FacilityVisit): boolean =>
  isBeforeAdmission(state.setting) || isBilledAsOutpatient(state, events);

/**
 * Whether the visit is open, was closed because no end was reported, or has an end at or after the admission: no one leaves the ED from a bed upstairs. A death
 * may be that of the inpatient.
 */
function hasNoEndBefore(admission: Moment, { state, events }: FacilityVisit): boolean {
  const last = events.at(-1);
  if (isOpenStatus(state.status) || !last) return isOpenStatus(state.status);
  if (last.isManual) return false;
  return last.code === 'CLOSED' || (ENDS.has(last.code) && isAtOrAfter(last.at, admission));
}

/** An ED visit that an update reports as an outpatient's, of someone who was not in a bed. */
const isBilledAsOutpatient = ({ setting }: FacilityVisit['state'], events: readonly FoldedEvent[]): boolean =>
  setting === 'OUTPATIENT' && events.filter(isBeginning).every(({ code }) => code === 'PRESENTED');

function follows({ visit, begunAt, at, setting }: Admission, before: FacilityVisit, arrivedAt: Moment): boolean {
  const isNext = setting === 'INPATIENT' || (setting === 'OBSERVATION' && before.state.setting !== 'OBSERVATION');
  if (!isNext || visit.recordNumber !== before.recordNumber || isBefore(begunAt, arrivedAt)) return false;
  // A death that the admission was before is reported for all visits of the patient.
  const death = before.events.find(({ code }) => code === 'DECEASED');
  return !(death && isBefore(death.at, at));
}

/** Ends the visit as an A03 with PV1-36 09 would: the patient was not discharged, so there is no event. */
export function endByAdmission(visit: VisitDraft): void {
  if (!isOpenStay(visit)) return;
  visit.phase = 'ended';
  visit.isAdmittedHere = true;
  visit.state.disposition = ADMITTED_HERE;
}

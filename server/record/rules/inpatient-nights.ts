/**
 * Nights for Medicare's three-day rule, which a stay in a skilled nursing facility requires (42 CFR 409.30): consecutive days as an
 * inpatient, without the day of discharge, and without time in the ED, under observation, in a swing bed or on leave.
 */
import { localDateOf, localDayOf } from '#server/platform/calendar/time-zone.ts';
import { admissionOf, hasHappened, isInpatientStay, isOngoing, type RuleVisit } from './rule-visit.ts';
import { isToOtherCare, steppedDownFrom } from './transfers.ts';

const OUTPATIENT_AT_HOSPITAL = new Set<RuleVisit['setting']>(['EMERGENCY', 'OBSERVATION']);

/** Local days: a night is from one to the next. */
interface Span {
  from: number;
  to: number;
}

/** Midnights as an inpatient. */
export interface InpatientRun {
  /** Without interruption, the longest time: what the rule asks for. */
  nights: number;
  /** Those of this stay alone. */
  own: number;
  /** The day (YYYY-MM-DD) of the admission of the first stay whose nights count too, at its hospital; null if only this one's do. */
  since: string | null;
}

/** Returns the nights that count for the rule, as `inpatientRun` does. */
export const inpatientNights = (...asked: Parameters<typeof inpatientRun>): number | null =>
  inpatientRun(...asked)?.nights ?? null;

/**
 * Returns the midnights that the patient has been an inpatient without interruption, up to `now` (milliseconds) or the death: of several such
 * times between leaves, the longest. A stay that continues one at another hospital without a night in between counts together with it; time at home on the
 * day of the discharge is no night (the rule counts calendar days). For a
 * swing bed these are the nights before it. 0 in the ED and under observation; null where the rule doesn't apply, or the times are unknown.
 * Days are those of each stay's hospital. `visits`: all of the person's.
 */
export function inpatientRun(visit: RuleVisit, visits: readonly RuleVisit[], now: number): InpatientRun | null {
  if (!hasHappened(visit)) return null;
  if (OUTPATIENT_AT_HOSPITAL.has(visit.setting)) return { nights: 0, own: 0, since: null };
  const others = visits.filter(({ id }) => id !== visit.id);
  const acute = steppedDownFrom(visit, others);
  if (acute && isToOtherCare(acute.disposition)) {
    const before = inpatientRun(acute, others, now);
    return before && { ...before, own: 0, since: before.since ?? admissionDay(acute) };
  }
  const end = endOf(visit, isOngoing(visit) && !isOvertaken(visit, others) ? now : null);
  const own = spanOf(visit, end);
  if (!own) return null;
  const chain = [{ visit, span: own }];
  const ofStay = longest(chain);
  let { from } = own;
  // Backward from stay to stay, the latest first. An open stay does not continue: its discharge is missing.
  const earlier = others.flatMap((other) => {
    const span = isHospitalStay(other, others) ? spanOf(other, endOf(other, null)) : null;
    return span ? [{ visit: other, span }] : [];
  });
  for (const stay of earlier.sort((a, b) => b.span.from - a.span.from)) {
    // A discharge after midnight may follow an admission before it. Any later one was entered late.
    if (stay.span.from >= from || stay.span.to < from || stay.span.to > from + 1) continue;
    chain.push({ visit: stay.visit, span: { ...stay.span, to: from } });
    from = stay.span.from;
  }
  const [first] = chain.reverse();
  const nights = longest(chain);
  return { nights, own: ofStay, since: first && nights > ofStay ? admissionDay(first.visit) : null };
}

function admissionDay(visit: RuleVisit): string | null {
  const at = admissionOf(visit);
  return at === null ? null : localDateOf(at, visit.timeZone);
}

/** Returns the discharge, else `open`; a death comes before both, also one that a later discharge contradicts. */
function endOf({ dischargedAt, diedAt }: RuleVisit, open: number | null): number | null {
  const end = dischargedAt ?? open;
  return end === null ? null : Math.min(end, diedAt ?? end);
}

/** Whether the patient has been admitted elsewhere since, so the discharge is missing and the end unknown. */
function isOvertaken(visit: RuleVisit, others: readonly RuleVisit[]): boolean {
  const from = admissionOf(visit);
  return others.some((other) => {
    const at = admissionOf(other);
    if (!hasHappened(other) || other.facilityId === visit.facilityId || at === null || from === null) return false;
    return at > from && (isInpatientStay(other) || other.setting === 'SNF');
  });
}

/** Whether the stay is one in a hospital bed that counts: a swing bed does not. */
function isHospitalStay(stay: RuleVisit, others: readonly RuleVisit[]): boolean {
  const before = hasHappened(stay) ? steppedDownFrom(stay, others) : null;
  return hasHappened(stay) && !(before && isToOtherCare(before.disposition));
}

/** The local days between which the patient was an inpatient. */
function spanOf(visit: RuleVisit, end: number | null): Span | null {
  const { timeZone } = visit;
  const start = admissionOf(visit);
  if (!isInpatientStay(visit) || visit.isInpatientUndated || start === null || end === null) return null;
  return { from: localDayOf(start, timeZone), to: localDayOf(end, timeZone) };
}

/** Returns the most nights in a row. The day a leave begins counts as a discharge, the day of return as an admission. `chain`: in order. */
function longest(chain: readonly { visit: RuleVisit; span: Span }[]): number {
  let most = 0;
  let from = chain[0]?.span.from ?? 0;
  for (const { visit, span } of chain) {
    for (const leave of visit.leaves) {
      // A leave may have begun under observation, or not have ended when the stay did.
      const left = Math.max(localDayOf(leave.from, visit.timeZone), span.from);
      const back = Math.min(leave.to === null ? span.to : localDayOf(leave.to, visit.timeZone), span.to);
      if (back <= left) continue;
      most = Math.max(most, left - from);
      from = back;
    }
  }
  return Math.max(most, (chain.at(-1)?.span.to ?? from) - from, 0);
}

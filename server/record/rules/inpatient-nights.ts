/**
 * Nights for Medicare's three-day rule, which a stay in a skilled nursing facility requires (42 CFR 409.30): consecutive days as an
 * inpatient, without the day of discharge, and without time in the ED or under observation.
 */
import { localDayOf } from '#server/platform/calendar/time-zone.ts';
import { admissionOf, hasHappened, isInpatientStay, isOngoing, type RuleVisit } from './rule-visit.ts';

const OUTPATIENT_AT_HOSPITAL = new Set<RuleVisit['setting']>(['EMERGENCY', 'OBSERVATION']);

/**
 * Returns the midnights that the patient has been an inpatient, up to `now` (milliseconds) or the death. A stay that continues one at
 * another hospital without a night in between counts together with it. 0 in the ED and under observation; null where the rule doesn't
 * apply, or the times are unknown. Days are those of the time zone. `visits`: all of the person's.
 */
export function inpatientNights(
  visit: RuleVisit,
  visits: readonly RuleVisit[],
  timeZone: string,
  now: number,
): number | null {
  if (!hasHappened(visit)) return null;
  if (OUTPATIENT_AT_HOSPITAL.has(visit.setting)) return 0;
  const span = spanOf(visit, timeZone, now);
  if (!span) return null;
  const others = visits.flatMap((other) => (other.id === visit.id ? [] : (spanOf(other, timeZone, now) ?? [])));
  let { from } = span;
  // Backward from stay to stay, the latest first.
  for (const earlier of others.sort((a, b) => b.from - a.from)) {
    if (earlier.from < from && earlier.to >= from) from = earlier.from;
  }
  return Math.max(0, span.to - from);
}

/** The local days between which the patient was an inpatient. */
function spanOf(visit: RuleVisit, timeZone: string, now: number): { from: number; to: number } | null {
  const start = admissionOf(visit);
  const end = visit.dischargedAt ?? (isOngoing(visit) ? Math.min(now, visit.diedAt ?? now) : null);
  if (!hasHappened(visit) || !isInpatientStay(visit) || start === null || end === null) return null;
  return { from: localDayOf(start, timeZone), to: localDayOf(end, timeZone) };
}

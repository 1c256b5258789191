/** How visits at different places follow each other: transfers, hand-offs between EDs, and step-downs to another kind of bed. */
import { isDeathDisposition, isFromHospital } from '#contract/dispositions.ts';
import { DAY } from '#contract/durations.ts';
import type { Setting } from '#contract/event-codes.ts';
import { localDayOf } from '#server/platform/calendar/time-zone.ts';
import { isBeforeAdmission } from '#server/record/fold/visit-state.ts';
import { isToCommunity } from './care-after.ts';
import {
  admissionOf,
  hasHappened,
  isAcuteInpatient,
  isEmergencyVisit,
  isInpatientStay,
  isOngoing,
  type RuleVisit,
  startOf,
} from './rule-visit.ts';

/** Longer than any rule looks back, so the calendar days needn't be counted. */
const LONG_AGO = 32 * DAY;

type PlacedIn = Pick<RuleVisit, 'timeZone'>;

/**
 * Returns the calendar days from an instant of one visit to an instant of another, each by the clock of its own facility, as the pages show them: a stay
 * that ended on October 20 is followed within 30 days by an admission late on November 19. What came later is not an earlier day, whatever the zones.
 */
export function daysBetween(from: number, at: PlacedIn, to: number, then: PlacedIn): number {
  if (to - from > LONG_AGO) return Number.POSITIVE_INFINITY;
  const days = localDayOf(to, then.timeZone) - localDayOf(from, at.timeZone);
  return to >= from ? Math.max(0, days) : Math.min(0, days);
}

/** UB-04: discharged to another acute-care hospital, without and with a planned readmission. Psychiatric hospitals (65, 93) give no acute care. */
const TO_ACUTE_CARE = new Set(['02', '05', '43', '66', '82', '85', '88', '94']);
/** UB-04: to a swing bed or a hospice bed, which are no hospital care. */
const TO_OTHER_CARE = new Set(['51', '61', '89']);
/** UB-04: to rehabilitation, long-term acute care or psychiatry, which are hospital care but not acute. */
const TO_LONGER_CARE = new Set(['62', '63', '65', '90', '91', '93']);

/** Whether the patient was sent on to this visit from that stay, by the next day: the admission source or the disposition says so. */
export function isSentOn(stay: RuleVisit, visit: RuleVisit): boolean {
  const at = startOf(visit);
  if (stay.dischargedAt === null || at === null || daysBetween(stay.dischargedAt, stay, at, visit) > 1) return false;
  if (isFromHospital(visit.admitSource)) return isSourceOf(stay, visit);
  return TO_ACUTE_CARE.has(stay.disposition ?? '') && stay.facilityId !== visit.facilityId;
}

/**
 * Whether this admission is the rest of that stay: the patient was sent on, or is at another hospital on the day of the discharge. Few senders say
 * that it is a transfer, but "home" says that it isn't.
 */
export function isMovedOn(stay: RuleVisit, visit: RuleVisit): boolean {
  const at = startOf(visit);
  const { dischargedAt, disposition } = stay;
  if (dischargedAt === null || at === null || stay.facilityId === visit.facilityId) return isSentOn(stay, visit);
  const isHome = disposition !== null && isToCommunity(disposition);
  return isSentOn(stay, visit) || (daysBetween(dischargedAt, stay, at, visit) === 0 && !isHome);
}

/** Whether a stay is where the admission source can mean: 4 is another hospital, D another unit of the same one. */
const isSourceOf = (stay: RuleVisit, { facilityId, admitSource }: RuleVisit): boolean =>
  (stay.facilityId === facilityId) === (admitSource?.trim().toUpperCase() === 'D');

/** Settings that a patient may come from without having been an acute inpatient. */
const NOT_ACUTE_INPATIENT = new Set<Setting>(['EMERGENCY', 'OBSERVATION', 'SNF', 'LTAC', 'REHAB']);

/**
 * Whether a stay continues one at another hospital (PV1-14 4) or in another unit (D). An inpatient stay there that went on, or ended that
 * day or the day before, proves it. A hand-off from an ED, or from care that is not acute, is no transfer. If nothing is known of where the
 * patient was, the source is believed: it was a hospital that sends no messages.
 */
export function isTransferIn(visit: RuleVisit, visits: readonly RuleVisit[]): boolean {
  const at = admissionOf(visit);
  if (at === null || !isFromHospital(visit.admitSource)) return false;
  const before = visits.filter((other) => other.id !== visit.id && isUpTo(other, at, visit));
  const isContinued = before.some((other) => isAcuteInpatient(other) && isSourceOf(other, visit));
  return isContinued || !before.some(({ setting }) => NOT_ACUTE_INPATIENT.has(setting));
}

/** Whether the visit began before `at` and went on then, or ended that day or the day before. Without a discharge, an end is unknown. */
function isUpTo(visit: RuleVisit, at: number, then: RuleVisit): boolean {
  const from = startOf(visit);
  if (!hasHappened(visit) || from === null || from > at) return false;
  return daysBetween(visit.dischargedAt ?? (isOngoing(visit) ? at : from), visit, at, then) <= 1;
}

/**
 * Returns the stay whose disposition announced the bed that this stay is: a swing bed, rehabilitation, long-term acute care, psychiatry or
 * hospice, by the next day, at the same or another hospital. Who came through the ED did not come for that bed.
 */
export function steppedDownFrom(visit: RuleVisit, visits: readonly RuleVisit[]): RuleVisit | null {
  const at = admissionOf(visit);
  if (at === null || !isAcuteInpatient(visit) || visit.cameThroughEmergency) return null;
  const stays = visits.filter((stay) => {
    const { disposition, dischargedAt } = stay;
    const code = disposition ?? '';
    if (dischargedAt === null || !(TO_OTHER_CARE.has(code) || TO_LONGER_CARE.has(code))) return false;
    if (stay.id === visit.id || !hasHappened(stay) || !isInpatientStay(stay)) return false;
    const gap = daysBetween(dischargedAt, stay, at, visit);
    return (admissionOf(stay) ?? at) < at && gap >= 0 && gap <= 1;
  });
  return latest(stays);
}

/** Whether the bed after this disposition is no hospital care, so its nights are none in a hospital. */
export const isToOtherCare = (disposition: string | null): boolean => TO_OTHER_CARE.has(disposition ?? '');

/** UB-04: admitted to this hospital. Someone may wait for a bed for days. */
const ADMITTED_HERE = '09';
const LONGEST_WAIT_DAYS = 3;
/** After midnight, when it is no longer the same day. */
const SOON = DAY / 4;

/**
 * Whether the account of an ED or observation visit led to the stay at the same hospital: it ended with an admission there (PV1-36 09), or on the
 * day on which the stay began, or went on then, because some hospitals end all accounts of a patient when the stay ends. Not if the stay has an arrival in the
 * ED of its own.
 */
export function leadsTo(from: RuleVisit, to: RuleVisit): boolean {
  const [begun, at] = [startOf(from), startOf(to)];
  if (!isBeforeAdmission(from.setting) || from.facilityId !== to.facilityId || from.id === to.id) return false;
  if (to.setting === 'EMERGENCY' || to.presentedHere || begun === null || at === null || begun > at) return false;
  if (isDeathDisposition(from.disposition)) return false;
  const end = from.dischargedAt ?? begun;
  const isInTime = daysBetween(begun, from, at, to) <= LONGEST_WAIT_DAYS;
  if (from.disposition === ADMITTED_HERE) return isInTime;
  if (at <= end && isInTime) return true;
  return Math.abs(at - end) <= SOON || daysBetween(end, from, at, to) === 0;
}

/**
 * Returns by visit id the id of the ED visit that it counts as: its own, the account with which the stay began in the ED, or the one at another
 * hospital that sent the patient on to its ED.
 */
export function emergencyVisits(visits: readonly RuleVisit[]): ReadonlyMap<string, string> {
  const emergencies = visits.filter((visit) => hasHappened(visit) && isEmergencyVisit(visit));
  emergencies.sort((a, b) => (startOf(a) ?? 0) - (startOf(b) ?? 0) || compare(a.id, b.id));
  const counted = new Map<string, string>();
  for (const [place, visit] of emergencies.entries()) {
    const before = emergencies[place - 1];
    const isSame = before && (isHandedOver(before, visit) || leadsTo(before, visit));
    const first = isSame ? counted.get(before.id) : undefined;
    counted.set(visit.id, first ?? visit.id);
  }
  return counted;
}

function isHandedOver(from: RuleVisit, to: RuleVisit): boolean {
  const [begun, at] = [startOf(from), startOf(to)];
  if (from.setting !== 'EMERGENCY' || from.dischargedAt === null || from.facilityId === to.facilityId) return false;
  if (begun === null || at === null || begun >= at || !TO_ACUTE_CARE.has(from.disposition ?? '')) return false;
  return daysBetween(from.dischargedAt, from, at, to) <= 1;
}

const latest = (visits: RuleVisit[]): RuleVisit | null =>
  visits.toSorted((a, b) => (b.dischargedAt ?? 0) - (a.dischargedAt ?? 0) || compare(a.id, b.id))[0] ?? null;

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

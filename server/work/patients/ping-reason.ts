/**
 * Why a ping matters: the strongest reason only, from the visits that the reader may see. Visits are counted, never messages.
 */
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { GroupType } from '#contract/groups.ts';
import { isOpen, type ManagementStatus } from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { contradictsDeath } from '#server/record/rules/contradiction.ts';
import { type Attempt, contactSince, followUpDue } from '#server/record/rules/follow-up.ts';
import type { PatientFlags } from '#server/record/rules/patient-flags.ts';
import { isBackAfterStay } from '#server/record/rules/readmissions.ts';
import { DAY } from '#server/record/rules/rule-clock.ts';
import { isDeathInDoubt, type RuleVisit } from '#server/record/rules/rule-visit.ts';
import { emergencyVisits } from '#server/record/rules/transfers.ts';
import type { PingRow } from './queries.ts';

export interface ReasonPing {
  encounterId: string;
  code: EventCode;
  state: EventState;
  setting: Setting;
  /** Milliseconds. */
  at: number;
  /** The calendar day at the facility. */
  day: string;
  disposition: string | null;
  managementStatus: ManagementStatus;
  /** The visit belongs to another person now: a match was undone, or new demographics changed it. */
  isMoved: boolean;
}

/** Returns what the rules ask of a ping. */
export const reasonPingOf = (row: PingRow): ReasonPing => ({
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

export interface ReasonContext {
  /** The person's visits that the reader may see. */
  visits: readonly RuleVisit[];
  flags: PatientFlags;
  /**
   * The death, if one was reported. `at` in milliseconds, the end of the day if only that is known, or when it was reported; null if none
   * is known. `on`: the day of death, if known.
   */
  died: { at: number | null; on: string | null } | null;
  /** The time zone of days: the oldest listing's. */
  timeZone: string;
  /** The team's facilities that list the person as their patient. */
  ownFacilities: readonly { name: string; type: GroupType }[];
  /** The team's attempts to reach the person. */
  attempts: readonly Attempt[];
  /** The reader's current date, YYYY-MM-DD. */
  today: string;
}

/** Returns the reason to show with a ping, or null. */
export function reasonFor(ping: ReasonPing, context: ReasonContext, now: number): Ping['reason'] {
  if (ping.state === 'CANCELLED' && ping.isMoved)
    return { code: 'UNMATCHED', label: 'This visit is no longer matched to this patient', severity: 'caution' };
  if (ping.state === 'CANCELLED') return { code: 'RETRACTED', label: 'Retracted by the sender', severity: 'critical' };
  const ofDead = isDeathInDoubt(context.visits) ? DEATH_IN_DOUBT : PATIENT_DIED;
  if (ping.code === 'DECEASED') return ofDead;
  if (context.died) return afterDeath(ping, context.died, context) ?? ofDead;
  if (ping.code === 'ADMIT' || ping.code === 'PRESENTED') return arrivalReason(ping, context);
  if (ping.code === 'DISCHARGE') return followUpReason(ping, context, now);
  return null;
}

const PATIENT_DIED = { code: 'DECEASED', label: 'Patient died', severity: 'critical' } as const;
const DEATH_IN_DOUBT = {
  code: 'AFTER_DEATH',
  label: 'Reported as died, then as living. Check with the facility',
  severity: 'critical',
} as const;

function afterDeath(
  ping: ReasonPing,
  { at, on }: NonNullable<ReasonContext['died']>,
  { visits, timeZone }: ReasonContext,
): Ping['reason'] {
  const visit = visits.find(({ id }) => id === ping.encounterId);
  if (at === null || !contradictsDeath(ping, at, visit)) return null;
  // Without the day of death, the time is that of the report.
  const reported = on ? `for ${monthAndDay(on)}` : `on ${monthAndDay(localDateOf(at, timeZone))}`;
  const label = `Contradicts the death reported ${reported}. Check with the facility`;
  return { code: 'AFTER_DEATH', label, severity: 'critical' };
}

function arrivalReason(ping: ReasonPing, context: ReasonContext): Ping['reason'] {
  const { visits, flags, ownFacilities, timeZone } = context;
  const readmission = flags.visits.get(ping.encounterId)?.readmission;
  if (readmission && ping.code === 'ADMIT' && ping.setting === 'INPATIENT') {
    const label = `${ordinal(readmission.ordinal)} admission in 30 days`;
    return { code: 'READMISSION', label, severity: 'caution' };
  }
  const emergency = ping.code === 'PRESENTED' ? emergencyNumber(ping, visits, timeZone) : 0;
  if (emergency >= 3)
    return { code: 'FREQUENT_ED', label: `${ordinal(emergency)} ED visit in 60 days`, severity: 'caution' };
  const visit = visits.find(({ id }) => id === ping.encounterId);
  const isShort = ping.setting === 'EMERGENCY' || ping.setting === 'OBSERVATION';
  if (visit && isShort && isBackAfterStay(visit, visits, timeZone))
    return { code: 'RECENT_DISCHARGE', label: 'Discharged from a hospital in the last 30 days', severity: 'caution' };
  const [home] = ownFacilities;
  if (home) return { code: 'RESIDENT_IN_HOSPITAL', label: `Known to ${home.name}`, severity: 'neutral' };
  return null;
}

/** Returns which ED visit in 60 days this is. One that another ED sent the patient to is the same visit. */
function emergencyNumber(ping: ReasonPing, visits: readonly RuleVisit[], timeZone: string): number {
  const counted = emergencyVisits(visits, timeZone);
  const before = visits.filter((visit) => isWithin60DaysBefore(ping, visit));
  const found = new Set(before.flatMap(({ id }) => counted.get(id) ?? []));
  return found.add(counted.get(ping.encounterId) ?? ping.encounterId).size;
}

function isWithin60DaysBefore(ping: ReasonPing, visit: RuleVisit): boolean {
  const at = visit.dischargedAt ?? visit.admittedAt;
  return visit.id !== ping.encounterId && at !== null && at <= ping.at && at > ping.at - 60 * DAY;
}

/** Two attempts in time are enough for a claim, so nothing is overdue then; a contact is still owed. */
const ENOUGH_ATTEMPTS = 2;

function followUpReason(ping: ReasonPing, { visits, today, attempts }: ReasonContext, now: number): Ping['reason'] {
  if (!isOpen(ping.managementStatus)) return null;
  const due = followUpDue(ping, visits, now);
  if (due === null) return null;
  const { isReached, timelyAttempts } = contactSince(ping, due, attempts);
  if (isReached) return null;
  if (timelyAttempts >= ENOUGH_ATTEMPTS) {
    const label = `Not reached after ${timelyAttempts} attempts. Keep trying`;
    return { code: 'FOLLOW_UP_DUE', label, severity: 'caution' };
  }
  const tried = timelyAttempts > 0 ? ', 1 attempt' : '';
  return due < today
    ? { code: 'FOLLOW_UP_OVERDUE', label: `Follow-up was due ${weekdayAndDate(due)}${tried}`, severity: 'critical' }
    : { code: 'FOLLOW_UP_DUE', label: `Follow-up due ${weekdayAndDate(due)}${tried}`, severity: 'caution' };
}

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });
/** Returns 2026-11-24 as 'Tue 11/24'. */
const weekdayAndDate = (day: string): string => `${WEEKDAY.format(Date.parse(day))} ${monthAndDay(day)}`;
/** Returns 2026-11-24 as '11/24'. */
const monthAndDay = (day: string): string => `${Number(day.slice(5, 7))}/${Number(day.slice(8, 10))}`;

export function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}

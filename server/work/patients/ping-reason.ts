/**
 * Why a ping matters: the strongest reason only, from the visits that the reader may see. Visits are counted, never messages.
 */
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { GroupType } from '#contract/groups.ts';
import { isOpen, type ManagementStatus } from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { followUpDue } from '#server/record/rules/follow-up.ts';
import { DAY } from '#server/record/rules/rule-clock.ts';
import { hasHappened, isEmergencyVisit, isInpatientStay, type RuleVisit } from '#server/record/rules/rule-visit.ts';

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

export interface ReasonContext {
  /** The person's visits that the reader may see. */
  visits: readonly RuleVisit[];
  /** The team's facilities that list the person as their patient. */
  ownFacilities: readonly { name: string; type: GroupType }[];
  /** The reader's current date, YYYY-MM-DD. */
  today: string;
}

/** Returns the reason to show with a ping, or null. */
export function reasonFor(ping: ReasonPing, context: ReasonContext, now: number): Ping['reason'] {
  if (ping.state === 'CANCELLED' && ping.isMoved)
    return { code: 'UNMATCHED', label: 'This visit is no longer matched to this patient', severity: 'caution' };
  if (ping.state === 'CANCELLED') return { code: 'RETRACTED', label: 'Retracted by the sender', severity: 'critical' };
  if (ping.code === 'DECEASED') return { code: 'DECEASED', label: 'Patient died', severity: 'critical' };
  if (ping.code === 'ADMIT' || ping.code === 'PRESENTED') return arrivalReason(ping, context);
  if (ping.code === 'DISCHARGE') return followUpReason(ping, context, now);
  return null;
}

function arrivalReason(ping: ReasonPing, { visits, ownFacilities }: ReasonContext): Ping['reason'] {
  const others = visits.filter((visit) => visit.id !== ping.encounterId && hasHappened(visit));
  const within = (visit: RuleVisit, days: number) => {
    const at = visit.dischargedAt ?? visit.admittedAt;
    return at !== null && at <= ping.at && at > ping.at - days * DAY;
  };
  const stays = others.filter((visit) => isInpatientStay(visit) && within(visit, 30)).length;
  if (stays > 0 && ping.code === 'ADMIT') {
    return { code: 'READMISSION', label: `${ordinal(stays + 1)} admission in 30 days`, severity: 'caution' };
  }
  const emergency = others.filter((visit) => isEmergencyVisit(visit) && within(visit, 60)).length;
  if (ping.code === 'PRESENTED' && emergency >= 2) {
    return { code: 'FREQUENT_ED', label: `${ordinal(emergency + 1)} ED visit in 60 days`, severity: 'caution' };
  }
  if (stays > 0)
    return { code: 'READMISSION', label: 'Discharged from a hospital in the last 30 days', severity: 'caution' };
  const [home] = ownFacilities;
  if (home) return { code: 'RESIDENT_IN_HOSPITAL', label: `Known to ${home.name}`, severity: 'neutral' };
  return null;
}

function followUpReason(ping: ReasonPing, { visits, today }: ReasonContext, now: number): Ping['reason'] {
  if (!isOpen(ping.managementStatus)) return null;
  const due = followUpDue(ping, visits, now);
  if (due === null) return null;
  return due < today
    ? { code: 'FOLLOW_UP_OVERDUE', label: `Follow-up was due ${weekdayAndDate(due)}`, severity: 'critical' }
    : { code: 'FOLLOW_UP_DUE', label: `Follow-up due ${weekdayAndDate(due)}`, severity: 'caution' };
}

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });
/** Returns 2026-11-24 as 'Tue 11/24'. */
const weekdayAndDate = (day: string): string =>
  `${WEEKDAY.format(Date.parse(day))} ${Number(day.slice(5, 7))}/${Number(day.slice(8, 10))}`;

export function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}

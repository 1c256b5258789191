/**
 * Why a ping matters: the strongest reason only, from the visits that the reader may see. Visits are counted, never messages.
 */
import { DAY } from '#contract/durations.ts';
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { GroupType } from '#contract/groups.ts';
import { isOpen, type ManagementStatus } from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { addDays } from '#server/platform/calendar/business-days.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { usDay } from '#server/platform/calendar/us-dates.ts';
import { contradictsDeath, isDeathDoubtful } from '#server/record/rules/contradiction.ts';
import {
  type FollowUpContext,
  isDestinationAsked,
  type NextFollowUp,
  nextFollowUp,
  shownDueDay,
} from '#server/record/rules/follow-up.ts';
import type { PatientFlags } from '#server/record/rules/patient-flags.ts';
import { stayBefore } from '#server/record/rules/readmissions.ts';
import {
  isAcuteSetting,
  isDeathInDoubt,
  isDeathWithdrawn,
  type RuleVisit,
  startOf,
} from '#server/record/rules/rule-visit.ts';
import { daysBetween, emergencyVisits } from '#server/record/rules/transfers.ts';
import type { FacilityRow, PingRow, VisitRow } from './queries.ts';
import { retractedLabel } from './retracted.ts';

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
  /** The sender merged the visit into another one. */
  isMerged: boolean;
  /** What was taken back, if it is canceled. */
  retracted: string;
}

/** Returns what the rules ask of a ping. `facilities`: by id. `visits`: those that the ping may be of. */
export const reasonPingOf = (
  row: PingRow,
  facilities: ReadonlyMap<string, FacilityRow>,
  visits: readonly VisitRow[],
): ReasonPing => ({
  encounterId: row.encounterId,
  code: row.code,
  state: row.state,
  // A discharge has the setting that it ended.
  setting: row.setting,
  at: Date.parse(row.eventAt),
  day: row.eventDay,
  disposition: row.detail.disposition ?? row.detail.dischargedTo,
  managementStatus: row.managementStatus,
  isMoved: row.isMoved,
  isMerged: visits.some(({ id, state }) => id === row.encounterId && state.isMerged === true),
  retracted: row.state === 'CANCELLED' ? retractedIn(row, facilities.get(row.facilityId)?.timeZone ?? 'UTC') : '',
});

const retractedIn = ({ code, eventAt, eventPrecision, eventDay: day }: PingRow, timeZone: string): string =>
  retractedLabel({ code, at: eventPrecision === 'day' ? null : Date.parse(eventAt), day }, timeZone);

export interface ReasonContext extends FollowUpContext {
  /** The person's visits that the reader may see. */
  visits: readonly RuleVisit[];
  flags: PatientFlags;
  /**
   * The death, if one was reported. `at` in milliseconds, the end of the day if only that is known, or when it was reported; null if none
   * is known. `on`: the day of death, if known.
   */
  died: { at: number | null; on: string | null } | null;
  /** The open visits whose facility sent a discharge that contradicts itself. */
  withUnclearDischarge: ReadonlySet<string>;
  /** The time zone of days: the oldest listing's. */
  timeZone: string;
  /** The team's facilities that list the person as their patient. */
  ownFacilities: readonly { name: string; type: GroupType }[];
}

/** Returns the reason to show with a ping, or null. */
export function reasonFor(ping: ReasonPing, context: ReasonContext): Ping['reason'] {
  if (ping.state === 'CANCELLED' && ping.isMoved)
    return { code: 'UNMATCHED', label: 'This visit is no longer matched to this patient', severity: 'caution' };
  if (ping.state === 'CANCELLED' && ping.isMerged)
    return { code: 'RETRACTED', label: 'The facility merged this visit into another one', severity: 'caution' };
  if (ping.state === 'CANCELLED') return { code: 'RETRACTED', label: ping.retracted, severity: 'critical' };
  const ofDead = reasonOfDead(context);
  if (ping.code === 'DECEASED') return ofDead;
  if (context.died) return afterDeath(ping, context.died, context) ?? ofDead;
  if (ping.code === 'ADMIT' || ping.code === 'PRESENTED') return arrivalReason(ping, context);
  if (ping.code === 'DISCHARGE') return followUpReason(ping, context);
  return null;
}

const PATIENT_DIED = { code: 'DECEASED', label: 'Patient died', severity: 'critical' } as const;
/** The sender stands by it, and another stay says otherwise. */
const CONTRADICTED = { ...PATIENT_DIED, label: 'Reported as died, contradicted since' } as const;

function reasonOfDead({ visits, died }: ReasonContext): Ping['reason'] {
  if (isDeathInDoubt(visits)) return deathInDoubt(visits);
  return isDeathDoubtful(visits, died?.at ?? null) ? CONTRADICTED : PATIENT_DIED;
}

const deathInDoubt = (visits: readonly RuleVisit[]): Ping['reason'] => ({
  code: 'AFTER_DEATH',
  label: `Reported as died, then ${isDeathWithdrawn(visits) ? 'withdrawn' : 'as living'}. Check with the facility`,
  severity: 'critical',
});

function afterDeath(
  ping: ReasonPing,
  { at, on }: NonNullable<ReasonContext['died']>,
  { visits, timeZone }: ReasonContext,
): Ping['reason'] {
  const visit = visits.find(({ id }) => id === ping.encounterId);
  if (at === null || !contradictsDeath(ping, at, visit)) return null;
  // Without the day of death, the time is that of the report.
  const day = on ?? localDateOf(at, timeZone);
  const label = `Contradicts the death reported ${on ? 'for' : 'on'} ${usDay(day)}. Check with the facility`;
  return { code: 'AFTER_DEATH', label, severity: 'critical' };
}

const DISCHARGE_UNCLEAR = {
  code: 'DISCHARGE_UNCLEAR',
  label: 'Discharge sent with “still a patient”. Confirm with the facility',
  severity: 'caution',
} as const;

function arrivalReason(ping: ReasonPing, context: ReasonContext): Ping['reason'] {
  const { visits, flags, ownFacilities } = context;
  if (context.withUnclearDischarge.has(ping.encounterId)) return DISCHARGE_UNCLEAR;
  const readmission = flags.visits.get(ping.encounterId)?.readmission;
  const visit = visits.find(({ id }) => id === ping.encounterId);
  const before = visit && isAcuteSetting(ping.setting) ? stayBefore(visit, visits) : null;
  if (visit && readmission && ping.code === 'ADMIT' && ping.setting === 'INPATIENT') {
    const index = before ?? visits.find(({ id }) => id === readmission.triggerEncounterId);
    if (index) return { code: 'READMISSION', label: readmittedLabel(visit, index), severity: 'caution' };
  }
  const emergency = ping.code === 'PRESENTED' ? emergencyNumber(ping, visits) : 0;
  if (emergency >= 3)
    return { code: 'FREQUENT_ED', label: `${ordinal(emergency)} ED visit in 60 days`, severity: 'caution' };
  if (visit && before) return { code: 'RECENT_DISCHARGE', label: dischargedLabel(visit, before), severity: 'caution' };
  const [home] = ownFacilities;
  if (home) return { code: 'RESIDENT_IN_HOSPITAL', label: `Known to ${home.name}`, severity: 'neutral' };
  return null;
}

/**
 * Returns how many days before a visit a stay ended, as both facilities' calendars count, and when. A row may be read weeks later: "in the last 30 days"
 * would be false by then.
 */
function endBefore(visit: RuleVisit, stay: RuleVisit): { days: number; on: string } | null {
  const [at, left] = [startOf(visit), stay.dischargedAt];
  if (at === null || left === null) return null;
  return { days: daysBetween(left, stay, at, visit), on: usDay(localDateOf(left, stay.timeZone)) };
}

const inDays = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

function readmittedLabel(visit: RuleVisit, before: RuleVisit): string {
  const end = endBefore(visit, before);
  if (!end) return 'Readmitted within 30 days of a discharge';
  return end.days === 0
    ? `Readmitted on the day of discharge, ${end.on}`
    : `Readmitted ${inDays(end.days)} after discharge on ${end.on}`;
}

function dischargedLabel(visit: RuleVisit, before: RuleVisit): string {
  const end = endBefore(visit, before);
  if (!end) return 'Discharged from a hospital before';
  return `Discharged from a hospital ${end.days === 0 ? 'on the same day' : `${inDays(end.days)} before`}, ${end.on}`;
}

/** Returns which ED visit in 60 days this is, by their arrivals, as for High ED use. One that another ED sent the patient to is the same visit. */
function emergencyNumber(ping: ReasonPing, visits: readonly RuleVisit[]): number {
  const counted = emergencyVisits(visits);
  const own = counted.get(ping.encounterId) ?? ping.encounterId;
  const isBefore = (at: number | null) => at !== null && at <= ping.at && at > ping.at - 60 * DAY;
  return (
    1 +
    visits.filter((visit) => visit.id !== own && counted.get(visit.id) === visit.id && isBefore(startOf(visit))).length
  );
}

function followUpReason(ping: ReasonPing, context: ReasonContext): Ping['reason'] {
  if (!isOpen(ping.managementStatus)) return null;
  if (isDestinationAsked(ping, context.visits, context))
    return {
      code: 'DESTINATION_UNCLEAR',
      label: 'Destination unclear. Confirm with the facility',
      severity: 'caution',
    };
  const clock = nextFollowUp(ping, context.visits, context);
  if (clock === null) return null;
  const code = clock.state === 'OVERDUE' ? 'FOLLOW_UP_OVERDUE' : 'FOLLOW_UP_DUE';
  const { today } = context;
  return {
    code,
    label: followUpLabel(clock, today),
    severity: severityOf(clock, today),
    dueOn: shownDueDay(clock, today),
  };
}

/** A visit that is due next week is no caution yet. */
function severityOf({ rule, state, soonOn }: NextFollowUp, today: string): NonNullable<Ping['reason']>['severity'] {
  if (state === 'OVERDUE') return 'critical';
  return rule === 'TCM_VISIT' && state === 'DUE' && soonOn !== null && today < soonOn ? 'neutral' : 'caution';
}

/**
 * Returns the rule's name with its day: 'TCM contact due 11/24/2026', 'TCM visit due today'. Of what is overdue, the first day on which it was. A visit
 * after a contact that was too late is not named after the service, which can't be claimed.
 */
function followUpLabel(clock: NextFollowUp, today: string): string {
  const { rule, state, dueOn, attempts, isTooLate } = clock;
  const what = rule === 'TCM_CONTACT' ? 'TCM contact' : isTooLate ? 'Follow-up visit' : 'TCM visit';
  const tried = isTooLate
    ? '. Contact was late, no TCM claim'
    : attempts > 1
      ? `. Not reached in ${attempts} attempts, keep trying`
      : attempts === 1
        ? ', 1 attempt'
        : '';
  const next = shownDueDay(clock, today);
  if (state === 'OVERDUE') return `${what} overdue since ${usDay(addDays(dueOn, 1))}${tried}`;
  return `${what} due ${next === today ? 'today' : usDay(next)}${tried}`;
}

function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}

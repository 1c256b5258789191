/** When a discharge has to be followed up, and what was done about it (docs/domain.md, "Follow-up after discharge"). */
import { type ContactChannel, type ContactOutcome, isContact } from '#contract/contact-words.ts';
import type { Setting } from '#contract/event-codes.ts';
import type { FollowUpRule } from '#contract/follow-up-words.ts';
import { addBusinessDays, addDays, type Holidays } from '#server/platform/calendar/business-days.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { careAfter, isToFacility } from './care-after.ts';
import { deathOf, hasHappened, isOngoing, type RuleVisit, startOf } from './rule-visit.ts';
import { leadsTo } from './transfers.ts';

/** Discharges from these settings start the clocks of transitional care management (CPT 99495, 99496). */
const SETTINGS = new Set<Setting>(['INPATIENT', 'OBSERVATION', 'SNF', 'LTAC', 'REHAB']);
const CONTACT_BUSINESS_DAYS = 2;
/** The visit: within 7 calendar days if the patient's care is highly complex (99496), within 14 otherwise (99495). */
const VISIT_SOON_DAYS = 7;
const VISIT_DAYS = 14;
/** Where a patient went is asked for this long. */
const ASKED_DAYS = 14;
/** The service covers the day of the discharge and the 29 days after it. */
const PERIOD_DAYS = 29;
/** Two separate attempts in time are enough for a claim, so nothing is overdue then; a contact is still owed. */
export const ENOUGH_ATTEMPTS = 2;
/** Calls within this time are one attempt. In milliseconds. The rule says "separate" without a figure. */
const SEPARATE = 2 * 3_600_000;

export interface Discharge {
  encounterId: string;
  setting: Setting;
  /** Milliseconds. */
  at: number;
  /** The calendar day at the facility. */
  day: string;
  /** UB-04, or the sender's words if there is no code; null if the sender says nothing. */
  disposition: string | null;
}

/** A team's attempt to reach a person. */
export interface Attempt {
  /** Milliseconds. */
  at: number;
  /** The calendar day where days are counted. */
  day: string;
  channel: ContactChannel;
  outcome: ContactOutcome;
}

/** Whether the person or a caregiver was reached. */
const isReached = ({ outcome }: Attempt): boolean => isContact(outcome);
/** Whether the person was seen, face to face or by video. */
const isVisit = ({ channel, outcome }: Attempt): boolean => channel === 'VISIT' && outcome === 'REACHED';

/** Why a discharge starts no clock. `visits`: all of the person's. */
export function notStartedBy(
  discharge: Discharge,
  visits: readonly RuleVisit[],
): 'OTHER_SETTING' | 'NOT_TO_COMMUNITY' | 'UNCLEAR' | null {
  if (!SETTINGS.has(discharge.setting)) return 'OTHER_SETTING';
  const destination = careAfter(discharge.disposition);
  if (destination === 'ELSEWHERE')
    return isToFacility(discharge.disposition) && isAtHome(discharge, visits) ? 'UNCLEAR' : 'NOT_TO_COMMUNITY';
  return destination === 'COMMUNITY' ? null : 'UNCLEAR';
}

/** Home health begins within 48 hours of the return home (42 CFR 484.55(a)(1)). */
const HOME_HEALTH_DAYS = 2;
/**
 * Whether home health services began so soon after the discharge, before any stay in a facility is known, that the patient seems to have gone home: they are
 * not given in a hospital or a nursing facility (42 CFR 409.42(a)).
 */
function isAtHome(discharge: Discharge, visits: readonly RuleVisit[]): boolean {
  const { at, day } = discharge;
  const isInFacilityBy = (time: number) =>
    visits.some((visit) => (facilityFrom(visit, discharge, visits)?.at ?? Number.POSITIVE_INFINITY) <= time);
  return visits.some((visit) => {
    const from = visit.setting === 'HHA' && hasHappened(visit) ? startOf(visit) : null;
    if (from === null) return false;
    const began = localDateOf(from, visit.timeZone);
    return began >= day && began <= addDays(day, HOME_HEALTH_DAYS) && !isInFacilityBy(Math.max(from, at));
  });
}

/** What ends the clocks of a discharge, and when: milliseconds, and the day where days are counted. STAY_OPEN: another stay went on when the patient left. */
export interface ClockEnd {
  reason: 'DIED' | 'IN_FACILITY' | 'STAY_OPEN';
  at: number;
  day: string;
}

/** Returns what ended the clocks of a discharge first; null if nothing did within the period of the service. A later discharge starts its own. `visits`: all of the person's. */
export function endOf(discharge: Discharge, visits: readonly RuleVisit[], timeZone: string): ClockEnd | null {
  const first = firstEnd(discharge, visits);
  if (!first) return null;
  const day = localDateOf(first.at, timeZone);
  return day > addDays(discharge.day, PERIOD_DAYS) ? null : { ...first, day };
}

/**
 * Whether the patient is still to be followed up after the discharge, also once the service can't be claimed: neither reported as died nor in a facility
 * since, at any time. All outreach stops with a death (docs/decisions/0041).
 */
export const isOwed = (discharge: Discharge, visits: readonly RuleVisit[]): boolean =>
  firstEnd(discharge, visits) === null;

function firstEnd(discharge: Discharge, visits: readonly RuleVisit[]): Omit<ClockEnd, 'day'> | null {
  const died = deathOf(visits);
  const ends = visits.flatMap((visit) => facilityFrom(visit, discharge, visits) ?? []);
  if (died !== null) ends.push({ reason: 'DIED', at: Math.max(died, discharge.at) });
  return ends.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

type TcmRule = Extract<FollowUpRule, `TCM_${string}`>;

/** A clock of transitional care management. Days are YYYY-MM-DD. */
export interface FollowUpClock {
  rule: TcmRule;
  /** The last day of the window; of a visit the 14th day after the discharge. */
  dueOn: string;
  /** Of a visit: the 7th day after the discharge. */
  soonOn: string | null;
  /** When it was done, in milliseconds; null if it was not. */
  metAt: number | null;
  /** Separate attempts within the window that reached nobody or were no visit. */
  attempts: number;
  /** MISSED: it was not done, and nothing can be done about it any more. ENDED: by what `endOf` says, before it was due. ENOUGH_ATTEMPTS: nobody was reached in time, but two attempts are on record; the team has to go on trying. */
  state: 'MET' | 'MET_LATE' | 'DUE' | 'DUE_TODAY' | 'OVERDUE' | 'MISSED' | 'ENDED' | 'ENOUGH_ATTEMPTS';
}

export interface FollowUpContext {
  attempts: readonly Attempt[];
  holidays: Holidays;
  /** YYYY-MM-DD, where the days of attempts are counted. */
  today: string;
}

/**
 * Returns both clocks of a discharge that started them. A contact meets the first, late or not; two timely attempts that reach nobody meet the requirement,
 * but the team has to go on trying (CMS MLN908628, "Interactive contact"). A visit is a contact too; one on the day of the discharge is not the visit of the
 * service. Someone who declined help was contacted, and the visit is still offered. What is done after the end counts for another discharge, or for none.
 */
export function followUpClocks(
  discharge: Pick<Discharge, 'at' | 'day'>,
  context: FollowUpContext,
  end: ClockEnd | null = null,
): [contact: FollowUpClock, visit: FollowUpClock] {
  const { attempts, holidays, today } = context;
  const since = attempts
    .filter(({ at }) => at >= discharge.at && (end === null || at < end.at))
    .toSorted((a, b) => a.at - b.at);
  const isOver = end !== null || addDays(discharge.day, PERIOD_DAYS) < today;
  const clockOf = (rule: TcmRule, dueOn: string, met: Attempt | undefined): FollowUpClock => {
    const tried = separate(
      since.filter((one) => one.day <= dueOn && !isReached(one) && one.outcome !== 'WRONG_NUMBER'),
    );
    const late = isOver ? 'MISSED' : 'OVERDUE';
    const open = dueOn < today ? late : dueOn === today ? 'DUE_TODAY' : 'DUE';
    const unmet = end !== null && end.day <= dueOn ? 'ENDED' : open;
    const state = met ? (met.day <= dueOn ? 'MET' : 'MET_LATE') : unmet;
    return { rule, dueOn, soonOn: null, metAt: met?.at ?? null, attempts: tried, state };
  };
  const contact = clockOf(
    'TCM_CONTACT',
    addBusinessDays(discharge.day, CONTACT_BUSINESS_DAYS, holidays),
    since.find(isReached),
  );
  const seen = since.find((one) => isVisit(one) && one.day > discharge.day);
  const visit = clockOf('TCM_VISIT', addDays(discharge.day, VISIT_DAYS), seen);
  const isEnough = contact.metAt === null && contact.state !== 'ENDED' && contact.attempts >= ENOUGH_ATTEMPTS;
  return [
    isEnough ? { ...contact, state: 'ENOUGH_ATTEMPTS' } : contact,
    { ...visit, attempts: 0, soonOn: addDays(discharge.day, VISIT_SOON_DAYS) },
  ];
}

/**
 * Whether neither a contact nor two separate attempts were made in time, so that the service can't be claimed any more, whatever is done later
 * (CMS MLN908628, "Interactive contact"). The visit is still owed to the patient.
 */
export const isContactMissed = ({
  state,
  attempts,
}: Pick<FollowUpClock, 'attempts'> & { state: FollowUpClock['state'] | 'NOT_RECORDED' }): boolean =>
  (state === 'MET_LATE' || state === 'OVERDUE' || state === 'MISSED') && attempts < ENOUGH_ATTEMPTS;

/** Returns how many separate attempts these are, oldest first. */
function separate(attempts: readonly Attempt[]): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of attempts) {
    if (at < last + SEPARATE) continue;
    count += 1;
    last = at;
  }
  return count;
}

/** The clock that a row shows. */
export interface NextFollowUp extends FollowUpClock {
  /** Of a visit: the contact before it was missed (`isContactMissed`). */
  isTooLate: boolean;
}

/**
 * Returns the clock that a row shows: the contact until it is made, or was tried often enough, then the visit; null if nothing is due. What was missed is
 * shown until the period of the service ends: a patient whom no one reached has waited since the contact was due, whatever else is overdue by then.
 */
export function nextFollowUp(
  discharge: Discharge,
  visits: readonly RuleVisit[],
  context: FollowUpContext & { timeZone: string },
): NextFollowUp | null {
  if (addDays(discharge.day, PERIOD_DAYS) < context.today || notStartedBy(discharge, visits) !== null) return null;
  if (endOf(discharge, visits, context.timeZone) !== null) return null;
  const [contact, visit] = followUpClocks(discharge, context);
  if (visit.metAt !== null) return null;
  if (contact.metAt !== null) return { ...visit, isTooLate: isContactMissed(contact) };
  const isTried = contact.state === 'ENOUGH_ATTEMPTS' && contact.dueOn < context.today;
  return { ...(isTried ? { ...visit, attempts: contact.attempts } : contact), isTooLate: false };
}

/** Returns the day that a row shows for the clock: of a visit the 7th day until it has passed, then the 14th. */
export const shownDueDay = ({ dueOn, soonOn }: FollowUpClock, today: string): string =>
  soonOn !== null && today <= soonOn ? soonOn : dueOn;

/**
 * Whether someone has to ask where the patient went: the sender's words or code don't say, or home health contradicts them, so no clock runs, and a
 * contact would still be in time.
 */
export function isDestinationAsked(
  discharge: Discharge,
  visits: readonly RuleVisit[],
  { today, timeZone }: { today: string; timeZone: string },
): boolean {
  if (notStartedBy(discharge, visits) !== 'UNCLEAR' || addDays(discharge.day, ASKED_DAYS) < today) return false;
  return endOf(discharge, visits, timeZone) === null;
}

/** Care outside the community. A resident stays one while on leave at a hospital, and "home" is then the facility. */
const IN_FACILITY = new Set<Setting>([...SETTINGS, 'HOSPICE']);
const AT_HOSPITAL = new Set<Setting>(['INPATIENT', 'OBSERVATION']);

/** Returns since when the visit is a stay in a facility that went on at the discharge, or began later; null if it is neither. */
function facilityFrom(
  visit: RuleVisit,
  { encounterId, at }: Discharge,
  visits: readonly RuleVisit[],
): Omit<ClockEnd, 'day'> | null {
  if (!hasHappened(visit) || !IN_FACILITY.has(visit.setting)) return null;
  if (visit.id === encounterId) return cameBack(visit, at) ? { reason: 'IN_FACILITY', at } : null;
  const from = startOf(visit);
  if (from !== null && from >= at) return { reason: 'IN_FACILITY', at: from };
  const left = visits.find(({ id }) => id === encounterId);
  // The discharge of the account before is reported with that of the stay, or after it.
  if (left && leadsTo(left, visit)) return { reason: 'IN_FACILITY', at };
  const wentOn = visit.dischargedAt === null ? isOngoing(visit) : visit.dischargedAt > at;
  if (!wentOn) return null;
  if (!AT_HOSPITAL.has(visit.setting)) return { reason: visit.status === 'ON_LEAVE' ? 'STAY_OPEN' : 'IN_FACILITY', at };
  // Of two hospital stays at the same time, the one that began first has a late or missing discharge.
  return from !== null && from > ((left && startOf(left)) ?? from) ? { reason: 'IN_FACILITY', at } : null;
}

/** Instants within this time are the same one: some readers have whole seconds only. In milliseconds. */
const SAME = 60_000;
/** Whether the patient came back on the day of this discharge, so that the stay went on (`record/fold/separate-stays.ts`): it is open, or ended later. */
const cameBack = (visit: RuleVisit, at: number): boolean =>
  visit.dischargedAt === null ? isOngoing(visit) : visit.dischargedAt > at + SAME;

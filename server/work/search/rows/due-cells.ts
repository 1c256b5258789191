/** What is due for a stay in the inbox, and how urgent its row is. Pure. */
import { DAY } from '#contract/durations.ts';
import { isOpen } from '#contract/management-status.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { type FollowUpClock, nextFollowUp, shownDueDay } from '#server/record/rules/follow-up.ts';
import type { EventFacts, ListingFacts, PingFacts } from './row-sources.ts';
import { isNotRetracted, type PersonFacts, type VisibleHistory } from './visible-history.ts';

export interface DueCells {
  /** OVERDUE, DUE_TODAY or DUE; null if nothing is due. */
  dueWork: string | null;
  /** YES for what a team works first: unresolved stays, and those in progress with something due. */
  needsAction: string | null;
  /** Days since 1970. */
  dueDay: number | null;
  /** Above 2: overdue, the longest first. 2 due today, 1 a readmission, 0 the rest. */
  urgency: number;
}

/** The urgency of what is due today. */
export const DUE_TODAY = 2;
/** The urgency of what is overdue is this less the day on which it was due (days since 1970), so that it need not change each day. */
const OVERDUE = 100_000;

/** Returns the cells of a stay. `pings`: one per event. `status`: of the whole stay. */
export function dueCells(
  pings: readonly PingFacts[],
  status: PingFacts['status'],
  facts: PersonFacts,
  history: VisibleHistory,
  now: number,
): DueCells {
  const { hasDied } = history;
  const clock = hasDied ? null : firstClock(pings, facts, history, now);
  const dueWork = clock && (clock.state === 'ENOUGH_ATTEMPTS' ? 'DUE' : clock.state);
  const dueDay = clock && Date.parse(shownDueDay(clock, todayOf(facts, now))) / DAY;
  // A death is seen to like any other unresolved ping; nothing is due after it.
  const isWork = status === 'NEW' || (status === 'IN_PROGRESS' && clock !== null);
  return {
    dueWork,
    needsAction: isWork ? 'YES' : null,
    dueDay,
    urgency:
      dueWork === 'OVERDUE'
        ? OVERDUE - (dueDay ?? 0)
        : dueWork === 'DUE_TODAY'
          ? DUE_TODAY
          : Number(isReadmission(pings, history)),
  };
}

const todayOf = ({ listings }: PersonFacts, now: number): string =>
  localDateOf(now, (listings[0] as ListingFacts).timeZone);

/** Returns what is due earliest for the discharges whose pings are open. */
function firstClock(pings: readonly PingFacts[], facts: PersonFacts, { ruleVisits }: VisibleHistory, now: number) {
  const { timeZone } = facts.listings[0] as ListingFacts;
  let first: FollowUpClock | null = null;
  for (const ping of pings) {
    const event = isOpen(ping.status) && isNotRetracted(ping) ? eventOf(ping, facts) : undefined;
    if (event?.code !== 'DISCHARGE') continue;
    const { encounterId, setting, disposition } = event;
    const discharge = { encounterId, setting, disposition, at: event.at * 1000, day: dayOf(event.day) };
    const clock = nextFollowUp(discharge, ruleVisits, {
      attempts: facts.attempts.map((one) => ({ ...one, day: localDateOf(one.at, timeZone) })),
      holidays: facts.holidays,
      today: todayOf(facts, now),
      timeZone,
    });
    if (clock && (first === null || clock.dueOn < first.dueOn)) first = clock;
  }
  return first;
}

const dayOf = (days: number): string => new Date(days * DAY).toISOString().slice(0, 10);

const eventOf = ({ eventId, encounterId }: PingFacts, { events }: PersonFacts): EventFacts | undefined =>
  events.get(encounterId)?.find(({ id }) => id === eventId);

/** As in server/work/patients/ping-reason.ts: an inpatient admission of a visit that is a readmission. */
function isReadmission(pings: readonly PingFacts[], { flags, visits }: VisibleHistory): boolean {
  return pings.some(({ encounterId, eventId, state }) => {
    if (state === 'CANCELLED' || !flags.visits.get(encounterId)?.readmission) return false;
    const event = visits.get(encounterId)?.events.find(({ id }) => id === eventId);
    return event?.code === 'ADMIT' && event.setting === 'INPATIENT';
  });
}

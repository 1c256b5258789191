/** How the clocks of a discharge ended, for the evidence about it. Another rule adds its clocks to `clocksOf`. */
import type { ClockOutcome, DischargeClock } from '#contract/evidence.ts';
import {
  type Discharge,
  ENOUGH_ATTEMPTS,
  endOf,
  type FollowUpClock,
  type FollowUpContext,
  followUpClocks,
  notStartedBy,
} from './follow-up.ts';
import type { RuleVisit } from './rule-visit.ts';

export interface ClockContext extends FollowUpContext {
  /** The person's visits that the reader may see. */
  visits: readonly RuleVisit[];
  /** The zone of days: the oldest listing's. */
  timeZone: string;
}

const OUTCOMES: Record<FollowUpClock['state'], ClockOutcome> = {
  MET: 'MET',
  MET_LATE: 'LATE',
  DUE: 'RUNNING',
  DUE_TODAY: 'RUNNING',
  OVERDUE: 'MISSED',
  MISSED: 'MISSED',
  ENDED: 'ENDED',
  ENOUGH_ATTEMPTS: 'ATTEMPTED',
};

/** Returns the clocks of transitional care management for a discharge, also if it did not start them. */
export function clocksOf(discharge: Discharge, context: ClockContext): DischargeClock[] {
  const notStarted = notStartedBy(discharge, context.visits);
  const end = endOf(discharge, context.visits, context.timeZone);
  return followUpClocks(discharge, context, end).map(({ rule, dueOn, metAt, attempts, state }) => {
    if (notStarted !== null) return { rule, due: null, outcome: 'NOT_STARTED', date: null, because: notStarted };
    // Who was reached late was tried often enough before.
    const isTried = state === 'MET_LATE' && attempts >= ENOUGH_ATTEMPTS;
    const outcome = isTried ? 'ATTEMPTED' : OUTCOMES[state];
    const isEnded = outcome === 'ENDED' && end !== null;
    const at = isEnded ? end.at : isTried ? null : metAt;
    return {
      rule,
      due: dueOn,
      outcome,
      date: at === null ? null : new Date(at).toISOString(),
      because: isEnded ? end.reason : null,
    };
  });
}

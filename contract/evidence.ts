/** What a team did about a discharge, on one page to print (docs/decisions/0068). */
import { z } from 'zod';
import { contactAttempt } from './contact-attempts.ts';
import { pingExplanation } from './explanations.ts';
import { NO_CLOCK_REASONS } from './follow-up-words.ts';
import { contactedStatus, followUpClock } from './follow-ups.ts';
import { managementStatusRecord } from './pings.ts';
import { day, instant, instantOrDay } from './primitives.ts';

/** MET: someone was reached in time. ATTEMPTED: two separate attempts in time, and no one was reached by now. LATE: someone was reached after the due day. ENDED: by an admission or the death. */
export const CLOCK_OUTCOMES = ['MET', 'ATTEMPTED', 'LATE', 'MISSED', 'RUNNING', 'ENDED', 'NOT_STARTED'] as const;
export type ClockOutcome = (typeof CLOCK_OUTCOMES)[number];

/** A period within which something is due after a discharge. */
export const dischargeClock = z.object({
  rule: z.enum(['TCM_CONTACT', 'TCM_VISIT']),
  /** The last day, at the patient's list; null if the clock did not start. */
  due: day.nullable(),
  outcome: z.enum(CLOCK_OUTCOMES),
  /** When the outcome was reached, if that is one moment; of a death the day if only that is known, and null if only its report is dated. */
  date: instantOrDay.nullable(),
  /** Why it was not started, or what ended it. */
  because: z.enum(NO_CLOCK_REASONS).nullable(),
});
export type DischargeClock = z.infer<typeof dischargeClock>;

export const dischargeEvidence = pingExplanation.extend({
  clocks: z.array(dischargeClock),
  /** As in `dischargeFollowUp`. */
  isOwed: z.boolean(),
  contactedStatus: contactedStatus.nullable(),
  /** Of HEDIS TRC; empty for a stay that the measure does not count. */
  windows: z.array(followUpClock),
  /** Status changes of the discharge's ping, oldest first. */
  statuses: z.array(managementStatusRecord),
  /** Since the discharge, oldest first. `recordedDate`: an entry made afterwards can be told from one made at once. */
  attempts: z.array(
    contactAttempt.omit({ isOwn: true }).extend({ recordedDate: instant, removedDate: instant.nullable() }),
  ),
});
export type DischargeEvidence = z.infer<typeof dischargeEvidence>;

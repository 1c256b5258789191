/** What a team owes a patient after a discharge: transitional care management, and the windows of HEDIS TRC (docs/decisions/0065). */
import { z } from 'zod';
import { SETTINGS } from './event-codes.ts';
import { FOLLOW_UP_RULES, FOLLOW_UP_STATE_LABELS, NO_CLOCK_REASONS } from './follow-up-words.ts';
import { day, id, instant, instantOrDay } from './primitives.ts';

const FOLLOW_UP_STATES = Object.keys(FOLLOW_UP_STATE_LABELS) as (keyof typeof FOLLOW_UP_STATE_LABELS)[];

export const followUpClock = z.object({
  rule: z.enum(FOLLOW_UP_RULES),
  /** The last day of the window, where the patient's days are counted. */
  dueOn: day,
  /** Of a visit: the last day for care of high complexity (99496). */
  soonOn: day.nullable(),
  /** Null if it was not done, or only the day is known. */
  metAt: instant.nullable(),
  /** Attempts within the window that reached nobody. */
  attempts: z.number().int(),
  /** NOT_RECORDED: Tidings does not record it. ENOUGH_ATTEMPTS: not reached, but two attempts in time are on record. */
  state: z.enum(FOLLOW_UP_STATES),
});
export type FollowUpClock = z.infer<typeof followUpClock>;

/** A discharge that was resolved as "Contacted patient". The time is that of the status. */
export const contactedStatus = z.object({ by: z.string(), date: instant });
export type ContactedStatus = z.infer<typeof contactedStatus>;

/** A discharge of the last sixty days. */
export const dischargeFollowUp = z.object({
  encounterId: id,
  eventIdentifier: id,
  facilityName: z.string(),
  timeZone: z.string(),
  dischargedAt: instantOrDay,
  setting: z.enum(SETTINGS),
  dischargedTo: z.string().nullable(),
  /** Why transitional care management does not apply, or stopped; null if its clocks run. */
  noClock: z.enum(NO_CLOCK_REASONS).nullable(),
  /** Of transitional care management; empty without a clock. */
  clocks: z.array(followUpClock),
  /** Neither a contact nor two separate attempts were made in time, so the service can't be claimed. */
  contactMissed: z.boolean(),
  /** The patient is still to be followed up: neither reported as died nor in a facility since. */
  isOwed: z.boolean(),
  /** The discharge is resolved as "Contacted patient" and no contact is logged. The status is no contact (docs/decisions/0119). */
  contactedStatus: contactedStatus.nullable(),
  /** Of HEDIS TRC; empty for a stay that the measure does not count. */
  windows: z.array(followUpClock),
});
export type DischargeFollowUp = z.infer<typeof dischargeFollowUp>;

/** When a death is dated. */
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { isLongBefore } from './death-before-stays.ts';
import { isCoarser } from './event-time.ts';
import type { VisitDraft } from './visit-draft.ts';

/** Returns the time of death unless it is more than a day before the stay: senders write a date such as 1/1/1900 for one they don't know. */
export function credibleDeath({ start, state }: Pick<VisitDraft, 'start' | 'state'>, at: Moment | null): Moment | null {
  const began = start?.at ?? state.admittedAt;
  return at && began && isLongBefore(at, began) ? null : at;
}

/**
 * Dates the death by PID-29 if any message of the visit has it: the discharge that reports a death (PV1-45) may follow hours later. A time more
 * than a day before the stay can't be that of this death. A day without a time counts only if nothing else happened on that day or later,
 * because as an event at its midnight the death would come before that.
 */
export function dateDeath({ death, start, state, events }: VisitDraft): void {
  const at = state.deceasedAt;
  if (!death || !credibleDeath({ start, state }, at) || !at || isCoarser(at, death.at)) return;
  const isLater = events.some((event) => event !== death && event.at.localDate >= at.localDate);
  if (at.precision === 'day' && isLater) return;
  Object.assign(death, { at, orderedAt: Date.parse(at.instant) });
}

/** Whether the death has the time of a message that only reported it: neither PID-29 nor the end of the stay says the day. */
export const isDatedByReport = ({ death, state: { deceasedAt, dischargedAt } }: VisitDraft): boolean =>
  death !== null &&
  !death.isManual &&
  death.at.localDate !== deceasedAt?.localDate &&
  death.at.instant !== dischargedAt?.instant;

/**
 * Marks times in a message's future, which can't be true: an event happens before it is recorded, and a message is sent before it is
 * received. Without the marks, a wrong clock or an admission entered in advance would sort after the discharge and leave the visit open.
 */

import { DAY } from '#contract/durations.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { AdtFacts, Moment, TimeField } from './adt-facts.ts';
import { isDatedByReceipt, timeIn } from './time-fields.ts';

/** How far a sender's clock can run ahead of ours, in milliseconds. */
const CLOCK_TOLERANCE = 10 * 60_000;

/** Triggers that announce what is planned. */
const PLANS = new Set(['A05', 'A14', 'A15', 'A16', 'A25', 'A26', 'A27', 'A38']);

/**
 * Returns the facts with a mark on each time that lies in their future, and with the time of receipt if an arrival or plan has no readable
 * time. Values are kept. `receivedAt` is an ISO 8601 instant.
 */
export function disbelieveFuture(adt: AdtFacts, receivedAt: string, timeZone: string): AdtFacts {
  const received = Date.parse(receivedAt);
  const written = [adt.recordedAt, adt.sentAt].flatMap((moment) => (moment ? [latestOf(moment)] : []));
  const writtenBy = written.length > 0 ? Math.min(received, Math.max(...written)) : received;
  const limits: Record<TimeField, number> = {
    ...limitsOfHappening(adt, writtenBy),
    died: writtenBy,
    recorded: received,
    sent: received,
  };
  const fields = (Object.keys(limits) as TimeField[]).filter((field) => {
    const moment = timeIn(adt, field);
    return moment && Date.parse(moment.instant) > limits[field] + CLOCK_TOLERANCE;
  });
  if (fields.length === 0 && !isDatedByReceipt(adt)) return adt;
  const instant = `${new Date(received).toISOString().slice(0, 19)}Z`;
  const moment: Moment = { instant, localDate: localDateOf(received, timeZone), precision: 'second' };
  return { ...withoutFutureDeath(adt, fields), disbelieved: { fields, receivedAt: moment } };
}

/** A date of death in the future that nothing else confirms (PID-30) is no death: senders enter expected dates and typing errors there. */
function withoutFutureDeath(adt: AdtFacts, fields: readonly TimeField[]): AdtFacts {
  const { isDeathByDate, ...patient } = adt.patient;
  if (!isDeathByDate || !fields.includes('died')) return adt;
  return { ...adt, patient: { ...patient, deceased: undefined } };
}

function limitsOfHappening({ trigger, visit }: AdtFacts, writtenBy: number) {
  const isPlan = PLANS.has(trigger) || visit?.classCode?.toUpperCase() === 'P';
  const limit = isPlan ? Number.POSITIVE_INFINITY : writtenBy;
  return { occurred: limit, admitted: limit, discharged: limit };
}

/** Returns the end of the day, minute or second that a time names. */
const latestOf = ({ instant, precision }: Moment): number =>
  Date.parse(instant) + (precision === 'day' ? DAY : precision === 'minute' ? 60_000 : 0);

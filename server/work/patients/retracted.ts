import { EVENT_LABELS, type EventCode } from '#contract/event-codes.ts';
import { usDay, usTime, usZone } from '#server/platform/calendar/us-dates.ts';

const NAMES: Partial<Record<EventCode, string>> = {
  ADMIT: 'Admission',
  PRESENTED: 'ED arrival',
  DISCHARGE: 'Discharge',
  TRANSFER: 'Transfer',
  CLOSED: 'Close',
  PAYOR_CHANGE: 'Payer change',
  RESUMED_SERVICES: 'Return from leave',
};

/**
 * Returns what the sender took back: "Discharge of 11/19/2026 10:46 PM ET canceled". A reason may be shown with another event of the stay, which still
 * holds, and to readers whose clocks show another time. `at`: milliseconds; null if only the day (YYYY-MM-DD) is known.
 */
export function retractedLabel(
  { code, at, day }: { code: EventCode; at: number | null; day: string },
  timeZone: string,
): string {
  if (code === 'DECEASED') return 'Death retracted';
  const time = at === null ? '' : ` ${usTime(at, timeZone)} ${usZone(at, timeZone)}`;
  return `${NAMES[code] ?? EVENT_LABELS[code]} of ${usDay(day)}${time} canceled`;
}

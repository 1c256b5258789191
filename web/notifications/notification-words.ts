import { counted } from '#contract/counted.ts';
import { DELIVERY_FAILURES } from '#contract/notification-words.ts';
import type {
  Delivery,
  NotificationPreference,
  NotificationPreferenceFields,
  QuietHours,
} from '#contract/notifications.ts';
import { formatDate, formatDateTime, formatTime } from '../ui/format/date.ts';

/** Returns "8 AM", "12 PM (noon)". */
const hourInWords = (hour: number): string => {
  if (hour === 0) return '12 AM (midnight)';
  if (hour === 12) return '12 PM (noon)';
  return hour < 12 ? `${hour} AM` : `${hour - 12} PM`;
};

/** The hours of a day, for a select. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourInWords(hour) }));

/** Whether a filter sends anything at all. */
export const notifies = (preference: NotificationPreference | undefined): boolean =>
  preference !== undefined && (preference.email || preference.text) && !preference.muted;

/** Returns "Email and text, right away", "Email, daily at 8 AM", "Muted" or "Off". */
export const preferenceInWords = (preference: NotificationPreferenceFields | undefined): string => {
  if (!preference || !(preference.email || preference.text)) return 'Off';
  if (preference.muted) return 'Muted';
  const { email, text, timing, hour } = preference;
  const channels = email && text ? 'Email and text' : email ? 'Email' : 'Text';
  return `${channels}, ${timing === 'AT_ONCE' ? 'right away' : `daily at ${hourInWords(hour)}`}`;
};

export const quietInWords = (quiet: QuietHours | null): string =>
  quiet ? `${hourInWords(quiet.from)} to ${hourInWords(quiet.until)}` : 'none';

/** Returns what a delivery was about: "2 new pings", "Correction of 1 ping". */
export const topicInWords = ({ topic, pings }: Delivery): string =>
  topic === 'CORRECTION' ? `Correction of ${counted(pings, 'ping', 'pings')}` : counted(pings, 'new ping', 'new pings');

/** Returns what became of a delivery: "Sent by email 10:42 AM", "Failed: the text message service refused it (21211)". */
export const fateInWords = ({ state, channel, at, failure, code }: Delivery, now: Date): string => {
  const how = channel === 'EMAIL' ? 'by email' : 'by text';
  const isToday = formatDate(at) === formatDate(now.toISOString());
  const when = isToday ? formatTime(at) : formatDateTime(at);
  const why =
    failure === null || failure === 'REFUSED'
      ? `the ${channel === 'EMAIL' ? 'mail server' : 'text message service'} didn't take it${code ? ` (${code})` : ''}`
      : DELIVERY_FAILURES[failure];
  switch (state) {
    case 'SENT':
      return `Sent ${how} ${when}`;
    case 'FAILED':
      return `Failed: ${why}. ${when} ${how}`;
    case 'SUPPRESSED':
      return `Not sent ${how}: ${why}. ${when}`;
    default:
      return `Waiting to be sent ${how}, since ${when}`;
  }
};

/** How an event was reported, for pages that show its details. */
import { linkInWords } from '#contract/link-words.ts';
import type { Ping } from '#contract/pings.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { eventPhrase } from './phrases.ts';

/** Returns what an amended event was reported as before its latest change: "Discharged — to Home, 11/20 10:46 PM"; "" if only other details changed. */
export const phraseBefore = (ping: Ping): string =>
  ping.was
    ? `${eventPhrase({ ...ping, ...ping.was })}, ${formatDateTime(ping.was.eventDate, ping.facility.timeZone)}`
    : '';

/** Returns who reported an event by a link, and when: 'Reported by link of Lakeshore Health, by “Ana Ruiz” (not verified), 11/20/2026 10:00 AM'. */
export const reportedByLink = ({ date, ...by }: NonNullable<Ping['reportedByLink']>): string =>
  `Reported by ${linkInWords(by)}, ${formatDateTime(date)}`;

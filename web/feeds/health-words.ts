import { counted } from '#contract/counted.ts';
import type { FeedHealth, FeedHealthSummary } from '#contract/feed-health.ts';
import type { FeedState } from '#contract/feed-health-words.ts';
import { formatDateTime } from '../ui/format/date.ts';
import {
  IconActivity,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconClock,
  IconPlayerPause,
} from '../ui/icons.ts';
import type { StatusLook } from '../ui/status-badge.tsx';

export const FEED_STATE_LOOKS = {
  HEARD: { label: 'As usual', color: 'positive', Icon: IconCircleCheck },
  SILENT: { label: 'Silent', color: 'caution', Icon: IconAlertTriangle },
  PAUSED: { label: 'Paused', color: 'gray', Icon: IconPlayerPause },
  NEW: { label: 'New', color: 'marine', Icon: IconActivity },
  UNHEARD: { label: 'No messages yet', color: 'gray', Icon: IconCircleDashed },
  WAITING: { label: 'Waiting for approval', color: 'marine', Icon: IconClock },
} as const satisfies Record<FeedState, StatusLook>;

const many = (count: number): string => count.toLocaleString('en-US');

/** Returns minutes as a limit: "within 5 min", "within 4 h". */
export const withinWords = (minutes: number | null): string => {
  if (minutes === null) return 'later than a day';
  if (minutes < 60) return `within ${minutes} min`;
  return minutes === 1440 ? 'within a day' : `within ${minutes / 60} h`;
};

/** Returns "210 in 24 h, usually 240". */
export const rateWords = ({ lastDay, usualDay }: FeedHealthSummary): string =>
  `${many(lastDay)} in 24 h${usualDay === null ? '' : `, usually ${many(usualDay)}`}`;

/** Returns the same in full, with the hours that it counts: up to now. */
export const rateSentence = ({ lastDay, usualDay }: FeedHealthSummary): string =>
  `${counted(lastDay, 'new message', 'new messages')} in this hour and the 23 before it${usualDay === null ? '' : `, usually about ${many(usualDay)}`}.`;

/** Returns what is wrong with the messages: "2 fields often missing", "1 code without a mapping". */
export const problemWords = ({ missingFields, unmappedCodes }: FeedHealthSummary): string[] => [
  ...(missingFields > 0 ? [`${counted(missingFields, 'field', 'fields')} often missing`] : []),
  ...(unmappedCodes > 0 ? [`${counted(unmappedCodes, 'code', 'codes')} without a mapping`] : []),
];

/** A day with so many times as many messages as usual, or as few, is not as usual. Weekends and holidays stay within it. */
const FACTOR = 3;
/** Differences of a few messages say nothing. */
const NOTABLE = 50;

/** Returns 'More' or 'Fewer' if the last 24 hours are far from usual; null if they are not, or nothing is known. */
const amiss = ({ state, lastDay, usualDay }: FeedHealthSummary): 'More' | 'Fewer' | null => {
  if (state !== 'HEARD' || usualDay === null || Math.abs(lastDay - usualDay) < NOTABLE) return null;
  return lastDay > FACTOR * usualDay ? 'More' : FACTOR * lastDay < usualDay ? 'Fewer' : null;
};

/** Returns how the state of a feed looks, and in a few words what it is. */
export const stateLook = (health: FeedHealthSummary): StatusLook => {
  const { state, silentSince, silentFacilities } = health;
  if (silentSince) return { ...FEED_STATE_LOOKS.SILENT, label: `Silent since ${formatDateTime(silentSince)}` };
  const rate = amiss(health);
  if (silentFacilities.length === 0)
    return rate ? { ...FEED_STATE_LOOKS.SILENT, label: `${rate} than usual` } : FEED_STATE_LOOKS[state];
  return { ...FEED_STATE_LOOKS.SILENT, label: `${counted(silentFacilities.length, 'facility', 'facilities')} silent` };
};

/** Returns the state of a feed in a sentence. */
export const stateSentence = (health: FeedHealth): string => {
  const { state, silentSince, usualSinceLast, usualDay, lastDay } = health;
  const [least, most] = [usualSinceLast[0] ?? 0, usualSinceLast.at(-1) ?? 0];
  const range = least === most ? many(most) : `${many(least)} to ${many(most)}`;
  switch (state) {
    case 'SILENT':
      return `No new message since ${formatDateTime(silentSince ?? '')}. In the same hours of earlier weeks there were ${range}. Check the sender's interface and the connection.`;
    case 'HEARD':
      if (amiss(health))
        return `${many(lastDay)} new messages in 24 hours, usually about ${many(usualDay ?? 0)}. Ask the sender whether something changed.`;
      return `Messages come as usual: about ${many(usualDay ?? 0)} in 24 hours.`;
    case 'PAUSED':
      return 'The feed is paused: its messages are kept and not processed, so its silence is not watched.';
    case 'NEW':
      return 'The feed is too new to know what is usual. Silence is watched from the third week on.';
    case 'UNHEARD':
      return 'No message has come yet.';
    case 'WAITING':
      return 'An operator has to approve the sender first.';
  }
};

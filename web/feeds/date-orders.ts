import { counted } from '#contract/counted.ts';
import type { DateOrder } from '#contract/feed-settings.ts';
import type { Feed } from '#contract/feeds.ts';

export const DATE_ORDER_LABELS: Record<DateOrder, string> = {
  MDY: 'Month first (March 4)',
  DMY: 'Day first (April 3)',
};

/** Returns what the dates in a feed's messages show about the order of month and day. */
export function seenOrder({ MDY, DMY, EITHER }: Feed['seenDates']): string {
  if (MDY + DMY + EITHER === 0) return 'None seen so far.';
  const seen = [
    ...(MDY > 0 ? [`${counted(MDY, 'message')} with a date that can only be month first`] : []),
    ...(DMY > 0 ? [`${counted(DMY, 'message')} with a date that can only be day first`] : []),
    ...(EITHER > 0 ? [`${counted(EITHER, 'message')} with a date that can be either`] : []),
  ];
  return `Seen: ${seen.join(', ')}.`;
}

/** What the page of feeds keeps in the URL: the view, the message that is open, and the filters of messages. Ids and codes, no one's data. */
import { idIn, oneOf, wholeIn } from '../router/search-values.ts';
import type { MessageFilters } from './feed-queries.ts';
import { MESSAGE_STATUS_LOOKS } from './message-status-badge.tsx';

const VIEWS = ['feeds', 'messages', 'try', 'reviews', 'missing'] as const;
export type View = (typeof VIEWS)[number];

export interface FeedsSearch {
  view: View;
  messageId: string | undefined;
  filters: MessageFilters;
}

const textIn = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value).slice(0, 200) : undefined;
const instantIn = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Reads the URL; what is not valid counts as not there. */
export const feedsSearchIn = (raw: Record<string, unknown>): FeedsSearch => ({
  view: oneOf(raw['view'], VIEWS) ?? 'feeds',
  messageId: idIn(raw['message']),
  filters: {
    feedId: idIn(raw['feed']),
    status: oneOf(raw['status'], Object.keys(MESSAGE_STATUS_LOOKS) as (keyof typeof MESSAGE_STATUS_LOOKS)[]),
    controlId: textIn(raw['control']),
    receivedFrom: instantIn(raw['after']),
    receivedTo: instantIn(raw['before']),
    pageNumber: wholeIn(raw['p']) ?? 1,
  },
});

/** Returns the search of the URL; another view than messages has no more than its name. */
export const searchOf = ({ view, messageId, filters }: FeedsSearch): Record<string, string | number | undefined> =>
  view === 'messages'
    ? {
        view,
        message: messageId,
        feed: filters.feedId,
        status: filters.status,
        control: filters.controlId,
        after: filters.receivedFrom,
        before: filters.receivedTo,
        p: filters.pageNumber > 1 ? filters.pageNumber : undefined,
      }
    : { view: view === 'feeds' ? undefined : view };

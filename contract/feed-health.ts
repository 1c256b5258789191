/** The health of feeds: silence against what is usual, rate, delay, missing fields and codes that the settings don't know. */
import { z } from 'zod';
import { FEED_FIELDS, FEED_STATES, type FeedField } from './feed-health-words.ts';
import { id, instant } from './primitives.ts';

export * from './feed-health-words.ts';

/** What the list of feeds says of a feed's health. */
export const feedHealthSummary = z.object({
  state: z.enum(FEED_STATES),
  /** When the last new message came, of a silent feed; null for any other. A duplicate isn't new. */
  silentSince: instant.nullable(),
  /** Facilities that are silent while the feed, which sends for several, is not: when the last message about each came. */
  silentFacilities: z.array(z.object({ facilityName: z.string(), since: instant })),
  /** New messages in the last 24 hours. */
  lastDay: z.number().int(),
  /** New messages in the same hours of earlier weeks: the median; null for a feed of less than three weeks. */
  usualDay: z.number().int().nullable(),
  /** Half of the messages of the last seven days arrived within so many minutes of their event; null if none had a time. */
  delayMinutes: z.number().int().nullable(),
  /** How many fields, besides the diagnosis, were missing in more than a tenth of the messages of the last seven days that should have them. */
  missingFields: z.number().int(),
  /** How many codes of the last seven days the settings don't map. */
  unmappedCodes: z.number().int(),
});
export type FeedHealthSummary = z.infer<typeof feedHealthSummary>;

export const feedHealth = feedHealthSummary.extend({
  id,
  /** Messages that usually came in the hours since the last one, in earlier weeks, sorted; empty for a feed that isn't quiet. */
  usualSinceLast: z.array(z.number().int()),
  /** How many messages of the last seven days arrived within how many minutes of their event; null minutes: later than a day. */
  delays: z.array(z.object({ withinMinutes: z.number().int().nullable(), messages: z.number().int() })),
  /** Of the last seven days, most often missing first. `messages`: arrivals or discharges that should have the field. */
  fields: z.array(
    z.object({
      field: z.enum(Object.keys(FEED_FIELDS) as [FeedField, ...FeedField[]]),
      messages: z.number().int(),
      missing: z.number().int(),
    }),
  ),
  /** Codes of the last seven days that the settings don't map, most frequent first. */
  codes: z.array(z.object({ field: z.enum(['PV1-2', 'PV1-36']), code: z.string(), messages: z.number().int() })),
  /** New messages in each of the last 48 whole hours, oldest first. */
  hours: z.array(z.object({ hour: instant, messages: z.number().int() })),
});
export type FeedHealth = z.infer<typeof feedHealth>;

/** A facility that a team's lists usually hear from, and don't now. */
export const listGap = z.object({
  groupId: id,
  facilityName: z.string(),
  since: instant,
  /** SILENT: no message came for longer than usual. PARTLY_SILENT: none by one of its feeds. PAUSED: messages are kept and not processed. */
  why: z.enum(['SILENT', 'PARTLY_SILENT', 'PAUSED']),
});
export type ListGap = z.infer<typeof listGap>;

/** Notifications of new pings that match saved filters. */
import { z } from 'zod';
import { SEARCH_CONTEXTS } from './facets.ts';
import {
  DELIVERY_CHANNELS,
  DELIVERY_FAILURES,
  DELIVERY_STATES,
  DELIVERY_TOPICS,
  TIMINGS,
  type Timing,
} from './notification-words.ts';
import { id, instant } from './primitives.ts';

export * from './notification-words.ts';

const hour = z.number().int().min(0).max(23);

/** The fields of a preference that the user sets. */
export const notificationPreferenceFields = z.object({
  email: z.boolean(),
  text: z.boolean(),
  timing: z.enum(Object.keys(TIMINGS) as [Timing, ...Timing[]]),
  /** The hour of the daily digest, in the user's time zone. */
  hour,
  muted: z.boolean(),
});
export type NotificationPreferenceFields = z.infer<typeof notificationPreferenceFields>;

export const notificationPreference = notificationPreferenceFields.extend({ filterId: id });
export type NotificationPreference = z.infer<typeof notificationPreference>;

/** Hours of the user's time zone. The hour `until` is no longer quiet. */
export const quietHours = z.object({ from: hour, until: hour }).refine(({ from, until }) => from !== until, {
  path: ['until'],
  message: 'Choose an hour that differs from the start.',
});
export type QuietHours = z.infer<typeof quietHours>;

/** What applies to all of a user's notifications. */
export const notificationSettings = z.object({
  quietHours: quietHours.nullable(),
  timeZone: z.string(),
  email: z.string(),
  /** The last four digits; null if no number is confirmed. */
  phone: z.string().nullable(),
  /** The number's owner replied STOP. */
  hasOptedOut: z.boolean(),
  /** Whether this installation sends emails and text messages. */
  canEmail: z.boolean(),
  canText: z.boolean(),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;

const FAILURES = Object.keys(DELIVERY_FAILURES) as (keyof typeof DELIVERY_FAILURES)[];

export const delivery = z.object({
  id,
  channel: z.enum(DELIVERY_CHANNELS),
  topic: z.enum(DELIVERY_TOPICS),
  state: z.enum(DELIVERY_STATES),
  /** When it was sent, or else queued. */
  at: instant,
  failure: z.enum([...FAILURES, 'REFUSED']).nullable(),
  /** The refusal of the mail server or text message service, for support. */
  code: z.string().nullable(),
  /** How many pings it reports. */
  pings: z.number().int(),
});
export type Delivery = z.infer<typeof delivery>;

/** Which list a notification's link opens, or which patient. */
export const notificationTarget = z.object({
  teamId: id,
  /** Null if the filter was deleted. */
  filterId: id.nullable(),
  searchContext: z.enum(SEARCH_CONTEXTS),
  /** Of a correction of one ping, which may be in no list any more, and of a document. */
  patientId: z.string().nullable(),
  /** Whether it is about a document of the patient. */
  opensDocuments: z.boolean(),
});

/** What Twilio posts for a message that someone sent to our number. It has more fields, which count in the signature. */
export const textReply = z.record(z.string().max(100), z.string().max(5000));

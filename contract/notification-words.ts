/** Words and limits of notifications. Without zod: the browser loads it as it is. */

/** When a filter notifies: within about a minute, or once a day. */
export const TIMINGS = { AT_ONCE: 'Right away', DAILY: 'Once a day' } as const;
export type Timing = keyof typeof TIMINGS;

export const DELIVERY_CHANNELS = ['EMAIL', 'TEXT'] as const;

/** What a delivery is about. */
export const DELIVERY_TOPICS = ['SAVED_FILTER', 'CORRECTION'] as const;
export type DeliveryTopic = (typeof DELIVERY_TOPICS)[number];

/** What became of a delivery. */
export const DELIVERY_STATES = ['QUEUED', 'SENT', 'FAILED', 'SUPPRESSED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why a delivery failed or was not sent. Any other failure is that of the service that was to deliver it. */
export const DELIVERY_FAILURES = {
  NOT_CONFIGURED: "this installation can't send it",
  UNCONFIRMED: 'not confirmed, but you may have received it',
  NO_ACCESS: 'you no longer have access to these pings',
  NO_NUMBER: 'no mobile number is confirmed',
  NUMBER_REMOVED: 'the mobile number was removed or changed',
  OPTED_OUT: 'this number replied STOP',
} as const;

/** How many deliveries are listed. */
export const DELIVERIES_SHOWN = 20;
/** The hour of a digest until another one is chosen. */
export const DEFAULT_DIGEST_HOUR = 8;
/** Messages about saved filters that a user gets within an hour at most. What comes above that waits and is joined. */
export const MESSAGES_AN_HOUR = 12;

/** The specification's failure text. */
export const PREFERENCES_FAILED = 'An error occurred getting Filter Notification Preferences. Please try again.';

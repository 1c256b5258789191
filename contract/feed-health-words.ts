/** States and fields of feeds. Free of schemas, because the browser loads it as it is. */

/**
 * PAUSED: someone paused it. WAITING: its sender isn't approved. UNHEARD: no message has come yet. SILENT: none came for longer than
 * usual. NEW: it is too new to know what is usual. HEARD: messages come as usual.
 */
export const FEED_STATES = ['HEARD', 'SILENT', 'PAUSED', 'NEW', 'UNHEARD', 'WAITING'] as const;
export type FeedState = (typeof FEED_STATES)[number];

/** The fields that lists and matching need, in words. */
export const FEED_FIELDS = {
  'PID-7': 'Birth date',
  'PID-8': 'Sex',
  'PID-11': 'ZIP code',
  'PV1-2': 'Patient class',
  'PV1-19': 'Visit number',
  'PV1-44': 'Admission time',
  'PV1-45': 'Discharge time',
  'PV1-36': 'Discharge disposition',
  'DG1-3': 'Diagnosis',
} as const;
export type FeedField = keyof typeof FEED_FIELDS;

/** Health is counted over so many days, including today. */
export const HEALTH_DAYS = 7;
/** A field that is missing in a larger share of the messages is shown as a problem. */
export const MISSING_SHARE = 0.1;

/** Words about received messages. Free of schemas, because the browser loads it as it is. */

/** Why a quarantined message is dismissed. */
export const DISMISSAL_CAUSES = {
  TEST: 'Test message or test patient',
  RESENT: 'The sender has sent it again, corrected',
  NOT_OURS: 'Not meant for us',
  OTHER: 'Other reason',
} as const;
export type DismissalCause = keyof typeof DISMISSAL_CAUSES;

export const DISMISSAL_NOTE_LIMIT = 200;

/** Changed settings are tried on at most so many messages, of so many days, for so many milliseconds. */
export const TRIAL_MESSAGES = 5000;
export const TRIAL_DAYS = 7;
export const TRIAL_TIME = 10_000;
export const TRIAL_EXAMPLES = 3;

/** What of a message can read differently, in words. */
export const TRIAL_CHANGES = {
  outcome: 'What becomes of the message',
  facility: 'Facility',
  setting: 'Setting (PV1-2)',
  disposition: 'Discharge disposition (PV1-36)',
  time: 'Times',
  recordNumber: 'Record number',
  other: 'Other values',
} as const;
export type TrialChange = keyof typeof TRIAL_CHANGES;

/** How and with what outcome a team tried to reach a patient. Without zod: the browser loads it as it is. */

export const CONTACT_CHANNELS = ['CALL', 'TEXT', 'MESSAGE', 'VISIT'] as const;
export type ContactChannel = (typeof CONTACT_CHANNELS)[number];

export const CHANNEL_LABELS: Record<ContactChannel, string> = {
  CALL: 'Call',
  TEXT: 'Text message',
  MESSAGE: 'Email or portal message',
  VISIT: 'Visit',
};

export const CONTACT_OUTCOMES = ['REACHED', 'DECLINED', 'LEFT_MESSAGE', 'NO_ANSWER', 'WRONG_NUMBER'] as const;
export type ContactOutcome = (typeof CONTACT_OUTCOMES)[number];

export const OUTCOME_LABELS: Record<ContactOutcome, string> = {
  REACHED: 'Reached the patient or a caregiver',
  DECLINED: 'Reached, declined help',
  LEFT_MESSAGE: 'Left a message',
  NO_ANSWER: 'No answer',
  WRONG_NUMBER: 'Wrong number',
};

/** Whether someone was spoken or written with in both directions: only that is a contact, anything else an attempt (CMS MLN908628). */
export const isContact = (outcome: ContactOutcome): boolean => outcome === 'REACHED' || outcome === 'DECLINED';

/** Characters. */
export const CONTACT_NOTE_MAX_LENGTH = 500;
export const MOST_ATTEMPTS_OF_PATIENT = 500;

/** Attempts of a team to reach a patient (docs/decisions/0063). */
import { z } from 'zod';
import { CONTACT_CHANNELS, CONTACT_NOTE_MAX_LENGTH, CONTACT_OUTCOMES } from './contact-words.ts';
import { id, instant, longText, realInstant } from './primitives.ts';

export const contactAttempt = z.object({
  id,
  attemptedAt: instant,
  channel: z.enum(CONTACT_CHANNELS),
  outcome: z.enum(CONTACT_OUTCOMES),
  /** Empty if there is none. */
  note: z.string(),
  /** The name of the user who recorded it, at that time. */
  by: z.string(),
  /** Whether the reader recorded it, and so may remove it. */
  isOwn: z.boolean(),
});
export type ContactAttempt = z.infer<typeof contactAttempt>;

/** `attemptedAt`: not in the future, and at most a year ago. */
export const newContactAttempt = z
  .object({
    attemptedAt: realInstant,
    channel: z.enum(CONTACT_CHANNELS),
    outcome: z.enum(CONTACT_OUTCOMES),
    note: longText(CONTACT_NOTE_MAX_LENGTH).trim().default(''),
  })
  .strict();
export type NewContactAttempt = z.infer<typeof newContactAttempt>;

/** Consents of patients to what a 42 CFR Part 2 facility discloses, each to one recipient (42 CFR 2.31). */
import { z } from 'zod';
import { day, id, instant, plainText, realDay } from './primitives.ts';

/** A group that can get a consent, by its name and that of its organization. */
export const consentRecipient = z.object({ groupId: id, groupName: z.string(), organizationName: z.string() });
export type ConsentRecipient = z.infer<typeof consentRecipient>;

/** Recipients in one answer. */
export const MOST_RECIPIENTS = 20;
/** What a recipient's name is searched by: the beginning of a word of the group's or the organization's name. */
export const recipientQuery = plainText(100).trim();

export const consent = z.object({
  id,
  facility: z.object({ id, name: z.string() }),
  recipient: consentRecipient,
  givenDate: instant,
  /** Who recorded it; null if that is not known. */
  recordedBy: z.string().nullable(),
  /** The last day on which it is in force, in the facility's time zone; null if it has none. */
  expiresDate: day.nullable(),
  /** Null while it is in force. */
  endedDate: instant.nullable(),
  endedBy: z.string().nullable(),
});
export type Consent = z.infer<typeof consent>;

/** The consents that the user's Part 2 facilities recorded for a patient, those in force first, and the facilities that can record one. */
export const consents = z.object({
  facilities: z.array(z.object({ id, name: z.string() })),
  consents: z.array(consent),
});
export type Consents = z.infer<typeof consents>;

export const newConsent = z.object({
  recipientGroupId: id,
  /** The Part 2 facility; may be absent if the patient is at only one of the user's. */
  facilityGroupId: id.optional(),
  /** The last day of the consent, in the facility's time zone, if the patient named one (42 CFR 2.31(a)(7)). */
  expiresDate: realDay.optional(),
});
export type NewConsent = z.infer<typeof newConsent>;

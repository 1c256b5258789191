/** What staff of a facility without a feed enter by hand: patients, and the events of their visits (docs/decisions/0058). */
import { z } from 'zod';
import { ENTRY_LIMITS } from './entry-limits.ts';
import { EVENT_CODES } from './event-codes.ts';
import { instantOrDay, plainText, zipCode } from './primitives.ts';
import { relationship } from './rosters.ts';

const named = plainText(ENTRY_LIMITS.name).trim().min(1);
const optional = (max: number) => plainText(max).trim().nullish();
/** MM/DD/YYYY or YYYY-MM-DD. */
const birthDate = z.string().trim().max(10);
const gender = z.enum(['Male', 'Female', 'Other', 'Unknown']);

const contactFields = {
  middleName: optional(ENTRY_LIMITS.name),
  nameSuffix: optional(ENTRY_LIMITS.suffix),
  address1: optional(ENTRY_LIMITS.line),
  city: optional(ENTRY_LIMITS.city),
  state: optional(ENTRY_LIMITS.state),
  zip: zipCode.nullish(),
  homePhone: plainText(ENTRY_LIMITS.phone)
    .trim()
    .refine((text) => text === '' || text.replace(/\D/g, '').length >= 7, 'Not a phone number. Use 10 digits.')
    .nullish(),
  ssnLast4: z
    .string()
    .regex(/^\d{4}$/)
    .nullish(),
  medicareId: optional(ENTRY_LIMITS.medicare),
};

const firstEvent = { status: z.enum(EVENT_CODES), eventDate: instantOrDay };

/** A patient with a first event. */
export const newPatient = z.object({
  ...contactFields,
  firstName: named,
  lastName: named,
  dateOfBirth: birthDate,
  gender,
  recordNumber: optional(ENTRY_LIMITS.record),
  ...firstEvent,
  /** What staff enter at a facility is about someone it treats, unless they say otherwise. */
  relationship: relationship.default('TREATMENT'),
});
export type NewPatient = z.infer<typeof newPatient>;

/** A correction of a patient. An absent field stays as it is, and null empties it. */
export const patientChange = z
  .object({
    ...contactFields,
    firstName: named.optional(),
    lastName: named.optional(),
    dateOfBirth: birthDate.optional(),
    gender: gender.optional(),
    /** `entryVersion` of the patient as the user saw them; without it nothing is compared. */
    version: z.string().max(20).optional(),
  })
  .strict();
export type PatientChange = z.infer<typeof patientChange>;

export const newEvent = z.object({ ...firstEvent, dischargedTo: plainText(ENTRY_LIMITS.line).nullish() });
export type NewEvent = z.infer<typeof newEvent>;

/** A correction of an event. An absent field stays as it is. */
export const eventChange = newEvent.partial().strict();
export type EventChange = z.infer<typeof eventChange>;

/** What staff of a facility without a feed enter by hand: patients, and the events of their visits (docs/decisions/0058). */
import { z } from 'zod';
import { EVENT_CODES } from './event-codes.ts';
import { instantOrDay, plainText } from './primitives.ts';
import { relationship } from './rosters.ts';

const named = plainText(100).trim().min(1);
const optional = (max: number) => plainText(max).trim().nullish();
/** MM/DD/YYYY or YYYY-MM-DD. */
const birthDate = z.string().trim().max(10);
const gender = z.enum(['Male', 'Female', 'Other', 'Unknown']);

const contactFields = {
  middleName: optional(100),
  nameSuffix: optional(20),
  address1: optional(200),
  city: optional(100),
  state: optional(30),
  zip: plainText(10)
    .trim()
    .refine((text) => text === '' || /^\d{5}(-?\d{4})?$/.test(text), 'Not a ZIP code. Use 5 or 9 digits.')
    .nullish(),
  homePhone: plainText(30)
    .trim()
    .refine((text) => text === '' || text.replace(/\D/g, '').length >= 7, 'Not a phone number. Use 10 digits.')
    .nullish(),
  ssnLast4: z
    .string()
    .regex(/^\d{4}$/)
    .nullish(),
  medicareId: optional(20),
};

const firstEvent = { status: z.enum(EVENT_CODES), eventDate: instantOrDay };

/** A patient with a first event. */
export const newPatient = z.object({
  ...contactFields,
  firstName: named,
  lastName: named,
  dateOfBirth: birthDate,
  gender,
  recordNumber: optional(60),
  ...firstEvent,
  relationship,
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

export const newEvent = z.object({ ...firstEvent, dischargedTo: plainText(200).nullish() });
export type NewEvent = z.infer<typeof newEvent>;

/** A correction of an event. An absent field stays as it is. */
export const eventChange = newEvent.partial().strict();
export type EventChange = z.infer<typeof eventChange>;

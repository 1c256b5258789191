/** Links for people at a facility without an account (docs/decisions/0069). */
import { z } from 'zod';
import { DOCUMENT_KINDS } from './documents.ts';
import {
  LINK_DESTINATIONS,
  LINK_MAX_HOURS,
  LINK_NOTE_MAX_LENGTH,
  LINK_PURPOSES,
  LINK_STATES,
} from './facility-link-words.ts';
import { day, id, instant, instantOrDay, isReal, longText, plainText } from './primitives.ts';

const realDay = day.refine((text) => isReal(text), 'Must be a date that exists.');
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:MM, such as 14:30.');

const answerer = {
  contactName: plainText(100).trim().min(1, 'Enter your name.'),
  contactPhone: plainText(40).trim().min(1, 'Enter a phone number.'),
  note: longText(LINK_NOTE_MAX_LENGTH).trim().default(''),
};

/** What someone at the facility answered. `date` and `time` are the facility's local time. */
export const linkAnswer = z
  .object({
    stillHere: z.boolean(),
    date: realDay.nullish(),
    time: timeOfDay.nullish(),
    destination: z.enum(LINK_DESTINATIONS).nullish(),
    ...answerer,
  })
  .strict()
  .refine(({ stillHere, date }) => stillHere || date != null, {
    path: ['date'],
    error: 'Enter the date of the discharge.',
  });
export type LinkAnswer = z.output<typeof linkAnswer>;

/** A file that someone at the facility uploaded. `size` in bytes. */
export const linkUpload = z.object({ ...answerer, kind: z.enum(DOCUMENT_KINDS), size: z.number().int() });
export type LinkUpload = z.output<typeof linkUpload>;

export const facilityLink = z.object({
  id,
  purpose: z.enum(LINK_PURPOSES),
  state: z.enum(LINK_STATES),
  /** The email address that it was sent to; null if it was copied. */
  recipient: z.string().nullable(),
  createdBy: z.string(),
  createdDate: instant,
  expiresDate: instant,
  openedDate: instant.nullable(),
  revokedBy: z.string().nullable(),
  /** Null without an answer, and for another purpose. */
  answer: linkAnswer.nullable(),
  /** Null without a file, and for another purpose. The file is among the patient's documents. */
  upload: linkUpload.nullable(),
  answeredDate: instant.nullable(),
});
export type FacilityLink = z.infer<typeof facilityLink>;

export const facilityLinks = z.object({
  /** The team's links about the stay, newest first. */
  links: z.array(facilityLink),
  /** For each purpose: why no link can be created, in words; null if one can. */
  refusals: z.record(z.enum(LINK_PURPOSES), z.string().nullable()),
});
export type FacilityLinks = z.infer<typeof facilityLinks>;

/** `recipient`: an email address at the facility; null to copy the link. */
export const newFacilityLink = z
  .object({
    purpose: z.enum(LINK_PURPOSES),
    recipient: z.email('Enter an email address, such as nurse@hospital.org.').max(254).nullable(),
    hours: z.number().int().min(1).max(LINK_MAX_HOURS),
  })
  .strict();
export type NewFacilityLink = z.infer<typeof newFacilityLink>;

/** The links with the new one. `url`: to be copied, and never shown again; null if it was mailed. */
export const createdFacilityLink = facilityLinks.extend({ url: z.string().nullable() });

const token = z.string().regex(/^[\w-]{43}$/);
const birthDate = z.string().regex(/^\d{2}\/\d{2}\/\d{4}$/, 'Enter the date as MM/DD/YYYY.');

/** What the holder of a link proves with each call: that they have it, and know whom it is about. */
export const linkProof = z.object({ token, birthDate }).strict();
export type LinkProof = z.infer<typeof linkProof>;

export const answerToLink = z.object({ token, birthDate, answer: linkAnswer }).strict();

/** The field `upload` of an upload, as JSON, before its file: so the file is received only from someone with the link who knows the birth date. */
export const uploadToLink = z.object({ token, birthDate, ...answerer }).strict();

/** The least that someone at the facility needs to answer. */
export const openedLink = z.object({
  purpose: z.enum(LINK_PURPOSES),
  patientName: z.string(),
  birthDate: z.string(),
  facilityName: z.string(),
  admittedDate: instantOrDay.nullable(),
  /** IANA name of the facility's time zone. */
  timeZone: z.string(),
  /** Who asks. */
  askedBy: z.string(),
  expiresDate: instant,
});
export type OpenedLink = z.infer<typeof openedLink>;

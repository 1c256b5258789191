/** Who has seen a patient, as an administrator may ask. */
import { z } from 'zod';
import { day, id, instant } from './primitives.ts';

/**
 * What someone did with a patient's record; `server/people/admin/accesses` says which call is which. found: a search for a name, a birth
 * date or an identifier. listed: a page of a list. similar: a warning about similar names. audited: this list. readable: visits at other
 * organizations became readable for a group. message, replayed, previewed: a message of a feed. matched: a match review that was read,
 * decided or undone. refused: any call about the patient. emergency: visits elsewhere were opened in an emergency.
 */
export const ACCESS_KINDS = [
  'opened',
  'visits-read',
  'care-team-read',
  'instructions-read',
  'form-read',
  'documents-listed',
  'document-read',
  'document-downloaded',
  'contacts-read',
  'follow-ups-read',
  'tags-read',
  'work-read',
  'consents-read',
  'waiver-read',
  'history-read',
  'explained',
  'looked-up',
  'left-for-exchange',
  'printed',
  'exported',
  'found',
  'listed',
  'similar',
  'entered',
  'details-changed',
  'event-entered',
  'event-changed',
  'event-deleted',
  'visit-deleted',
  'status-changed',
  'work-changed',
  'care-team-changed',
  'instructions-changed',
  'form-changed',
  'contact-recorded',
  'contact-removed',
  'tagged',
  'waiver-changed',
  'consent-recorded',
  'consent-ended',
  'links-read',
  'link-sent',
  'link-revoked',
  'link-ended',
  'link-opened',
  'link-refused',
  'link-answered',
  'audited',
  'readable',
  'message',
  'replayed',
  'previewed',
  'matched',
  'refused',
  'emergency',
] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/**
 * What made visits elsewhere readable: a roster, an entry by hand, the group's own feed, a decided review, or the end of a facility's 42 CFR
 * Part 2 mark.
 */
export const OPENING_KINDS = ['ROSTER', 'MANUAL', 'FEED', 'REVIEW', 'PART2_LIFTED'] as const;

/** Another organization whose teams have read the record. Its users are not named. */
export const readerElsewhere = z.object({
  organization: z.string(),
  /** Calls that read or listed the patient. */
  reads: z.number().int(),
  /** Times that a user opened visits in an emergency. */
  emergencies: z.number().int(),
  firstDate: instant,
  lastDate: instant,
});
export type ReaderElsewhere = z.infer<typeof readerElsewhere>;

/** The patient whose accesses are listed. */
export const accessedPatient = z.object({
  firstName: z.string(),
  middleName: z.string().nullable(),
  lastName: z.string(),
  nameSuffix: z.string().nullable(),
  dateOfBirth: day.nullable(),
});
export type AccessedPatient = z.infer<typeof accessedPatient>;

export const patientAccess = z.object({
  /** Unique within the list. */
  id: z.string(),
  /** The last time, of looks that are one entry. */
  date: instant,
  firstDate: instant,
  /** How many equal looks of one reader within minutes this entry stands for; an open page asks several times. */
  times: z.number().int(),
  /** Null for what a feed opened, and for what someone without an account did by a link. Names are null if they are no longer stored. */
  by: z.object({ id, name: z.string().nullable() }).nullable(),
  /** Null for `readable`, which is a group's, and for calls that were refused before a team was known. */
  team: z.object({ id, name: z.string() }).nullable(),
  /** Only for `readable`. */
  opening: z
    .object({
      group: z.object({ id, name: z.string() }),
      how: z.enum(OPENING_KINDS),
      /** Visits that ended before are not readable. */
      from: instant,
      /** Visits at other organizations, when they became readable. */
      visits: z.number().int(),
    })
    .nullable(),
  kind: z.enum(ACCESS_KINDS),
  /** The IP address that the call came from; null for what no call did. */
  address: z.string().nullable(),
  /** An open page loaded it again by itself, after its user had asked for the same. */
  isBackground: z.boolean(),
});
export type PatientAccess = z.infer<typeof patientAccess>;

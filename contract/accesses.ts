/** Who has seen a patient, as an administrator may ask. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';

/**
 * opened: the patient's page or the history of a ping. found: a search for a name, a birth date or an identifier. listed: a page of a list.
 * similar: a warning about similar names. changed: a status or an event. audited: this list. readable: visits at other organizations became
 * readable for a group. message: a message of a feed. matched: a match review that was read, decided or undone.
 */
export const ACCESS_KINDS = [
  'opened',
  'found',
  'listed',
  'similar',
  'changed',
  'audited',
  'readable',
  'message',
  'matched',
] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/**
 * What made visits elsewhere readable: a roster, an entry by hand, the group's own feed, a decided review, or the end of a facility's 42 CFR
 * Part 2 mark.
 */
export const OPENING_KINDS = ['ROSTER', 'MANUAL', 'FEED', 'REVIEW', 'PART2_LIFTED'] as const;

export const patientAccess = z.object({
  /** Unique within the list. */
  id: z.string(),
  date: instant,
  /** Null for what a feed opened. Names are null if they are no longer stored. */
  by: z.object({ id, name: z.string().nullable() }).nullable(),
  /** Null for `readable`, which is a group's. */
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
  /** An open page loaded it by itself after a live event. */
  isBackground: z.boolean(),
});
export type PatientAccess = z.infer<typeof patientAccess>;

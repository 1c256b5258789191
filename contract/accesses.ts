/** Who has seen a patient, as an administrator may ask. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';

/**
 * opened: the patient's page or the history of a ping. found: a search for a name, a birth date or an identifier. listed: a page of a list.
 * similar: a warning about similar names. changed: a status or an event. audited: this list.
 */
export const ACCESS_KINDS = ['opened', 'found', 'listed', 'similar', 'changed', 'audited'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

export const patientAccess = z.object({
  id,
  date: instant,
  /** Names are null if they are no longer stored. */
  by: z.object({ id, name: z.string().nullable() }),
  team: z.object({ id, name: z.string() }),
  kind: z.enum(ACCESS_KINDS),
  /** An open page loaded it by itself after a live event. */
  isBackground: z.boolean(),
});
export type PatientAccess = z.infer<typeof patientAccess>;

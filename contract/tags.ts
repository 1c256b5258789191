/** Tags of patients: those that a team gives, and those of rosters. */
import { z } from 'zod';
import { id, plainText } from './primitives.ts';

export const TAG_MAX_LENGTH = 100;
export const MOST_TAGS_OF_PATIENT = 50;
export const MOST_TAGS_OF_TEAM = 1000;

export const tagName = plainText(TAG_MAX_LENGTH).trim().min(1);

/** A tag of the selected team. */
export const tag = z.object({ id, name: z.string() });
export type Tag = z.infer<typeof tag>;

export const patientTags = z.object({
  /** Tags that the team has set, by name. */
  tags: z.array(tag),
  /** Tags from the rosters of the team's groups. Only an upload changes them. */
  rosterTags: z.array(z.string()),
});
export type PatientTags = z.infer<typeof patientTags>;

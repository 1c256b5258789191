/** What administrators do to several accounts at once. */
import { z } from 'zod';
import { id } from './primitives.ts';

/** The most accounts of one call. */
export const BULK_MOST_USERS = 500;

/**
 * GIVE_ROLE: the role on the team, for these of its groups or, with null, all of them; replaces what they hold there. TAKE_ACCESS: nothing there
 * from now on.
 */
export const userChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('DISABLE'),
    /** Who gets the stays that the user has taken on a team. No one if null, and for teams that are not named. */
    stays: z
      .array(z.object({ teamId: id, toUserId: id.nullable() }))
      .max(200)
      .optional(),
  }),
  z.object({ kind: z.enum(['ENABLE', 'END_SESSIONS', 'RESEND_ACTIVATION', 'SEND_RESET']) }),
  z.object({
    kind: z.literal('GIVE_ROLE'),
    teamId: id,
    groupIds: z.array(id).min(1).max(500).nullable(),
    roleId: id,
  }),
  z.object({ kind: z.literal('TAKE_ACCESS'), teamId: id, groupIds: z.array(id).min(1).max(500).nullable() }),
]);
export type UserChange = z.infer<typeof userChange>;

/** For each account whether it was changed. Whoever could not be changed stops nobody else. */
export const changedUsers = z.object({
  changed: z.array(id),
  refused: z.array(z.object({ id, errorKey: z.string(), message: z.string() })),
});
export type ChangedUsers = z.infer<typeof changedUsers>;

/** What users have taken, by team: how many stays, how many of them have an open ping, and who else on the team could take them. */
export const takenStays = z.array(
  z.object({
    team: z.object({ id, name: z.string() }),
    stays: z.number().int(),
    open: z.number().int(),
    colleagues: z.array(z.object({ id, name: z.string() })),
  }),
);
export type TakenStays = z.infer<typeof takenStays>;

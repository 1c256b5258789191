/** The audit log: what administrators changed, and people in their own accounts. */
import { z } from 'zod';
import { CHANGE_WORDS, type ChangeAction } from './change-words.ts';
import { id, instant } from './primitives.ts';

export const adminChange = z.object({
  id,
  date: instant,
  action: z.enum(Object.keys(CHANGE_WORDS) as [ChangeAction]),
  /** Who made the change; null if no one was signed in. */
  by: z.object({ id, name: z.string() }).nullable(),
  /** The connection used for the sign-in that made the change; null for other changes. The name is null once the connection is removed. */
  through: z.object({ id, name: z.string().nullable() }).nullable(),
  /** What was changed; the name is null if it is no longer stored. */
  subject: z.object({ id: id.nullable(), name: z.string().nullable() }),
  /** As the audit has it: ids and codes; `changes`, what each value was and became, by field; `secrets`, names of fields only. */
  detail: z.record(z.string(), z.unknown()),
});
export type AdminChange = z.infer<typeof adminChange>;

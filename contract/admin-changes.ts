/** The audit log: what administrators changed, and people in their own accounts; who signed in, and who was refused. */
import { z } from 'zod';
import { LOG_KINDS } from './audit-log-kinds.ts';
import { LOGGED_ACTIONS, type LoggedAction } from './audit-log-words.ts';
import { id, instant, realDay } from './primitives.ts';

/** What belongs to no organization, as an entry about someone who has no account. */
export const UNKNOWN_ORGANIZATION = { id: '0', name: 'Unknown' } as const;

/** What limits the audit log. */
export const changesFilters = z.object({
  /** Only what concerns this account. */
  userId: id.optional(),
  /** Only what this user did. */
  byId: id.optional(),
  kind: z.enum(LOG_KINDS).optional(),
  /** First and last day, in the reader's time zone. */
  from: realDay.optional(),
  to: realDay.optional(),
});
export type ChangesFilters = z.output<typeof changesFilters>;

export const adminChange = z.object({
  id,
  date: instant,
  action: z.enum(LOGGED_ACTIONS as [LoggedAction]),
  /** Who acted; null if no one was signed in. */
  by: z.object({ id, name: z.string() }).nullable(),
  /** The connection used for the sign-in that made the change; null for other changes. The name is null once the connection is removed. */
  through: z.object({ id, name: z.string().nullable() }).nullable(),
  /** What was changed; the name is null if it is no longer stored. Both are null for a call that was refused. */
  subject: z.object({ id: id.nullable(), name: z.string().nullable() }),
  /** Of a refusal: what was called, as this documentation says it. */
  call: z.string().nullable(),
  /** The organization whose log it is in, for operators, who see several; null for everyone else. Without one, UNKNOWN_ORGANIZATION. */
  organization: z.object({ id: z.union([id, z.literal(UNKNOWN_ORGANIZATION.id)]), name: z.string() }).nullable(),
  /** The caller's IP address; null where it was not recorded. */
  address: z.string().nullable(),
  /**
   * As the audit has it: ids and codes; `changes`, what each value was and became, by field; `secrets`, names of fields only. Of sign-ins and
   * refusals only `way`, `errorKey`, `teamId`, `repeated` and `since`.
   */
  detail: z.record(z.string(), z.unknown()),
});
export type AdminChange = z.infer<typeof adminChange>;

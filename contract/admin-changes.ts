/** What administrators, and people to their own accounts, have changed: told from the audit. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';

/** What is told, in words that go on from a name: 'Rosa Diaz invited'. Sign-ins are no changes. */
export const CHANGE_WORDS = {
  'user.invite': 'invited',
  'user.change': 'changed the account of',
  'user.link': 'took over the sign-in of',
  'user.disable': 'disabled the account of',
  'user.enable': 'enabled the account of',
  'user.resend-activation': 'sent the invitation again to',
  'user.end-sessions': 'ended all sessions of',
  'user.reset-mfa': 'reset the second factor of',
  'password.set': 'set a password by mail for',
  'password.change': 'changed the password of',
  'mfa.enrol': 'set up a second factor for',
  'mfa.remove': 'removed the second factor of',
  'passkey.add': 'added a passkey to',
  'passkey.remove': 'removed a passkey of',
  'phone.confirm': 'confirmed a number for notifications of',
  'team.add': 'added the team',
  'team.change': 'changed the team',
  'team.end': 'removed the team',
  'group.add': 'added the group',
  'group.change': 'changed the group',
  'group.end': 'removed the group',
  'group.reopen': 'opened again the group',
  'role.add': 'added the role',
  'role.change': 'changed the role',
  'role.end': 'removed the role',
  'access-request.grant': 'granted the request of',
  'access-request.decline': 'declined the request of',
  'sso-connection.add': 'added the connection',
  'sso-connection.change': 'changed the connection',
  'sso-connection.remove': 'removed the connection',
  'feed.add': 'added the feed',
  'feed.change': 'changed the settings of the feed',
  'feed.pause': 'paused the feed',
  'feed.resume': 'resumed the feed',
  'feed.replay': 'replayed the quarantine of the feed',
  'feed.end': 'removed the feed',
} as const;
export type ChangeAction = keyof typeof CHANGE_WORDS;

export const adminChange = z.object({
  id,
  date: instant,
  action: z.enum(Object.keys(CHANGE_WORDS) as [ChangeAction]),
  /** Who did it; null where nobody was signed in. */
  by: z.object({ id, name: z.string() }).nullable(),
  /** The connection whose sign-in brought it; null of other changes. The name is null where it was removed since. */
  through: z.object({ id, name: z.string().nullable() }).nullable(),
  /** To what; the name is null where it is no longer kept. */
  subject: z.object({ id: id.nullable(), name: z.string().nullable() }),
  /** As the audit has it: ids, codes and names of fields. */
  detail: z.record(z.string(), z.unknown()),
});
export type AdminChange = z.infer<typeof adminChange>;

import { HOUR } from '#contract/durations.ts';
import { type TokenPurpose, tokenPath } from '#contract/users.ts';
import type { Config } from '#server/config.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import {
  decisionLetter,
  type LetterText,
  type LinkReason,
  linkLetter,
  managedLetter,
  noticeLetter,
  purposeOf,
  renamedLetter,
} from './letter-texts.ts';
import { issueToken, TOKEN_LIFE } from './mailed-tokens.ts';

/** Links mailed to one account within an hour, so that a stranger cannot flood the owner's mailbox. Those that the owner has used don't count. */
const LINKS_AN_HOUR: Record<TokenPurpose, number> = { ACCOUNT_ACTIVATION: 1, PASSWORD_RESET: 5, ACCOUNT_UNLOCK: 1 };

/** Returns whether mail can reach its reader: it is sent, or shown in the demo mailbox. */
export const canMail = ({ smtp, demo }: Pick<Config, 'smtp' | 'demo'>): boolean => smtp !== null || demo;

/** Returns whether the user has been mailed, and has not used, all the links of this purpose that an hour allows. */
export async function linkLimitReached(
  db: Queryable,
  userId: string,
  purpose: TokenPurpose,
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - HOUR);
  const { rowCount } = await db.query(
    sql`select from account_tokens where user_id = ${userId} and purpose = ${purpose} and created_at > ${since} and used_at is null`,
  );
  return rowCount >= LINKS_AN_HOUR[purpose];
}

export interface LinkMail {
  userId: string;
  reason: LinkReason;
  publicUrl: string;
  /** For administrators, who may send a link as often as they like. */
  unlimited?: boolean;
}

/**
 * Mails a link that activates, resets or unlocks, in the caller's transaction. Returns false, and mails nothing, if the hour's limit is
 * reached or the user's organization manages the sign-in, because the link would set a password behind its back. Locks the user's row, so
 * that parallel calls count each other's links.
 */
export async function mailLink(
  tx: Queryable,
  { userId, reason, publicUrl, unlimited = false }: LinkMail,
  now: Date,
): Promise<boolean> {
  const purpose = purposeOf(reason);
  const { rows } = await tx.query<{ username: string; firstName: string }>(sql`
    select username, first_name as "firstName"
    from users u where id = ${userId} and not ${managedElsewhere} for no key update`);
  const [user] = rows;
  if (user === undefined) return false;
  if (!unlimited && (await linkLimitReached(tx, userId, purpose, now))) return false;
  const link = publicUrl + tokenPath(purpose, await issueToken(tx, userId, purpose, now));
  const text = linkLetter(reason, { firstName: user.firstName, link, validFor: TOKEN_LIFE[purpose].words });
  await postLetter(tx, { channel: 'e-mail', recipient: user.username, ...text }, now);
  if (purpose === 'ACCOUNT_ACTIVATION')
    await tx.query(sql`update users set last_activation_email_at = ${now} where id = ${userId}`);
  return true;
}

/** Notifies a user by mail of a change to the account. `what` is a sentence, e.g. 'Your password was changed.' */
export function mailNotice(
  tx: Queryable,
  { userId, what, publicUrl }: { userId: string; what: string; publicUrl: string },
  now: Date,
): Promise<void> {
  return mailOwner(tx, userId, (owner) => noticeLetter(what, { ...owner, publicUrl }), now);
}

/** Mails a user how a request was decided. `what` is a sentence, e.g. 'The access to Heron Care that you asked for was declined.' */
export function mailDecision(
  tx: Queryable,
  { userId, what, publicUrl }: { userId: string; what: string; publicUrl: string },
  now: Date,
): Promise<void> {
  return mailOwner(tx, userId, (owner) => decisionLetter(what, { ...owner, publicUrl }), now);
}

/** Notifies users by mail that the organization now signs them in. */
export const mailManaged = (tx: Queryable, userId: string, now: Date): Promise<void> =>
  mailOwner(tx, userId, managedLetter, now);

/** Notifies users by mail, before it happens, that they will sign in with another address: whoever reads its mail can reset the password. */
export const mailRenamed = (tx: Queryable, userId: string, username: string, now: Date): Promise<void> =>
  mailOwner(tx, userId, (owner) => renamedLetter(username, owner), now);

/** The owner of a disabled account gets no mail. */
async function mailOwner(
  tx: Queryable,
  userId: string,
  text: (owner: { firstName: string }) => LetterText,
  now: Date,
): Promise<void> {
  const { rows } = await tx.query<{ username: string; firstName: string }>(
    sql`select username, first_name as "firstName" from users where id = ${userId} and disabled_at is null`,
  );
  for (const { username, firstName } of rows) {
    await postLetter(tx, { channel: 'e-mail', recipient: username, ...text({ firstName }) }, now);
  }
}

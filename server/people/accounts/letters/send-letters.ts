import { type TokenPurpose, tokenPath } from '#contract/users.ts';
import type { Config } from '#server/config.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import { type LinkReason, linkLetter, noticeLetter, purposeOf } from './letter-texts.ts';
import { issueToken, TOKEN_LIVES } from './mailed-tokens.ts';

/** Mails an hour to one account, so that a stranger cannot fill somebody's mailbox. */
const AN_HOUR: Record<TokenPurpose, number> = { ACCOUNT_ACTIVATION: 1, PASSWORD_RESET: 5, ACCOUNT_UNLOCK: 1 };
const HOUR = 60 * 60 * 1000;

/** Whether mails leave this installation, or are kept where people can read them. */
export const canMail = ({ smtp, demo }: Pick<Config, 'smtp' | 'demo'>): boolean => smtp !== null || demo;

/** Whether no further link of this purpose is mailed to the user for now. */
export async function isEnough(db: Queryable, userId: string, purpose: TokenPurpose, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - HOUR);
  const { rowCount } = await db.query(
    sql`select from account_tokens where user_id = ${userId} and purpose = ${purpose} and created_at > ${since}`,
  );
  return rowCount >= AN_HOUR[purpose];
}

export interface LinkMail {
  userId: string;
  reason: LinkReason;
  publicUrl: string;
  /** An administrator asks: as often as he or she likes. */
  unlimited?: boolean;
}

/**
 * Mails a link that activates, resets or unlocks, in the caller's transaction; answers false where enough were mailed within the hour,
 * and where the user's organisation manages the password: the link would set one past it. Takes turns with others for the same user.
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
  if (!unlimited && (await isEnough(tx, userId, purpose, now))) return false;
  const link = publicUrl + tokenPath(purpose, await issueToken(tx, userId, purpose, now));
  const text = linkLetter(reason, { firstName: user.firstName, link, validFor: TOKEN_LIVES[purpose].words });
  await postLetter(tx, { channel: 'e-mail', recipient: user.username, ...text }, now);
  if (purpose === 'ACCOUNT_ACTIVATION')
    await tx.query(sql`update users set last_activation_email_at = ${now} where id = ${userId}`);
  return true;
}

/** Tells a user by mail what was done to the account. */
export async function mailNotice(
  tx: Queryable,
  { userId, what, publicUrl }: { userId: string; what: string; publicUrl: string },
  now: Date,
): Promise<void> {
  const { rows } = await tx.query<{ username: string; firstName: string }>(
    sql`select username, first_name as "firstName" from users where id = ${userId}`,
  );
  for (const { username, firstName } of rows) {
    const text = noticeLetter(what, { firstName, publicUrl });
    await postLetter(tx, { channel: 'e-mail', recipient: username, ...text }, now);
  }
}

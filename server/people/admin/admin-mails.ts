/** The mails that administration sends, written in its transaction. None of them contains text that a stranger typed. */
import { type ApplicationExperience, experienceBase } from '#contract/experiences.ts';
import { letsManage } from '#server/people/access/actor.ts';
import { mailLink } from '#server/people/accounts/letters/send-letters.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { findAppointers } from './own-access/appointments.ts';

interface Recipient {
  userId: string;
  username: string;
  /** Whether the organization's identity provider signs this user in. */
  isSSO: boolean;
}

/** Mails an invitation: a link that activates the account, or one to the sign-in page if the organization uses single sign-on. */
export async function mailInvitation(
  tx: Queryable,
  { userId, username, isSSO }: Recipient,
  publicUrl: string,
  now: Date,
): Promise<void> {
  if (!isSSO) {
    await mailLink(tx, { userId, reason: 'invited', publicUrl, unlimited: true }, now);
    return;
  }
  const body = `An account was created for you. Sign in with your organization's account:\n\n${publicUrl}/login\n`;
  await sendMail(tx, username, 'Your Tidings account', body, now);
  await tx.query(sql`update users set last_activation_email_at = ${now} where id = ${userId}`);
}

const sendMail = (tx: Queryable, recipient: string, subject: string, body: string, now: Date): Promise<void> =>
  postLetter(tx, { channel: 'e-mail', recipient, subject, body }, now);

/** Mails someone who already has an account that they were added to a group. */
export const mailAccessGranted = (tx: Queryable, username: string, groupName: string, publicUrl: string, now: Date) =>
  sendMail(
    tx,
    username,
    `You now have access to ${groupName}`,
    `An administrator approved your request to join ${groupName}.\n\n${publicUrl}/login`,
    now,
  );

/**
 * An administrator gets at most one mail and one reminder about a group in this time, no matter how many strangers ask to join it; an
 * operator one mail about a kind of approval; an address one mail that a request was declined.
 */
export const MAIL_EVERY = 60 * 60 * 1000;

/**
 * Mails the other administrators of a group that one of them asks for more access to it. Those who depend on that administrator get no mail,
 * because they may not confirm it.
 */
export async function mailWaitingAccess(
  tx: Queryable,
  { groupId, userId, publicUrl }: { groupId: string; userId: string; publicUrl: string },
  now: Date,
): Promise<void> {
  const subject = 'Access waits for your confirmation';
  const { rows } = await tx.query<{
    id: string;
    username: string;
    experience: ApplicationExperience;
    groupName: string;
  }>(sql`
    select distinct u.id, u.username, u.application_experience as experience, g.name as "groupName"
    from grants n join roles r on r.id = n.role_id join users u on u.id = n.user_id join groups g on g.id = n.group_id
    where n.group_id = ${groupId} and ${letsManage} and u.id <> ${userId} and u.disabled_at is null and u.activated_at is not null
      and not was_mailed(u.username, ${subject}, ${new Date(now.getTime() - MAIL_EVERY)}::timestamptz)`);
  for (const { id, username, experience, groupName } of rows) {
    if ((await findAppointers(tx, id, now)).has(userId)) continue;
    const link = `${publicUrl}${experienceBase(experience)}/admin/requests`;
    const body = `An administrator asked for more access to ${groupName}. Confirm or decline it:\n\n${link}\n`;
    await sendMail(tx, username, subject, body, now);
  }
}

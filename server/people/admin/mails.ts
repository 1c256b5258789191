/** The mails that administration causes, written in its transaction. What a stranger typed never stands in one. */
import { type ApplicationExperience, experienceBase } from '#contract/experiences.ts';
import { letsManage } from '#server/people/access/actor.ts';
import { mailLink } from '#server/people/accounts/letters/send-letters.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';

interface Recipient {
  userId: string;
  username: string;
  /** Whether the organisation's identity provider signs this user in. */
  isSSO: boolean;
}

/** Mails an invitation: a link that activates the account, or to the sign-in page where the organisation signs its people in. */
export async function mailActivation(
  tx: Queryable,
  { userId, username, isSSO }: Recipient,
  publicUrl: string,
  now: Date,
): Promise<void> {
  if (!isSSO) {
    await mailLink(tx, { userId, reason: 'invited', publicUrl, unlimited: true }, now);
    return;
  }
  const body = `An account has been made for you. Your organisation signs you in:\n\n${publicUrl}/login\n`;
  await writeMail(tx, username, 'Your account at Tidings', body, now);
  await tx.query(sql`update users set last_activation_email_at = ${now} where id = ${userId}`);
}

const writeMail = (tx: Queryable, recipient: string, subject: string, body: string, now: Date): Promise<void> =>
  postLetter(tx, { channel: 'e-mail', recipient, subject, body }, now);

/** Tells somebody who has an account that he or she was let into a group. */
export const mailLetIn = (tx: Queryable, username: string, groupName: string, publicUrl: string, now: Date) =>
  writeMail(
    tx,
    username,
    `You now belong to ${groupName}`,
    `An administrator let you into ${groupName}.\n\n${publicUrl}/login`,
    now,
  );

/** At most one mail in this time tells an administrator that somebody waits for a group, however many strangers ask. */
const REMIND_EVERY = 60 * 60 * 1000;

interface Waiting {
  group: { id: string; name: string };
  /** The username of the one to be mailed; null: all of the group's administrators. */
  administrator: string | null;
  publicUrl: string;
}

/** Tells administrators of a group that somebody asks to join it. */
export async function mailRequestWaits(
  tx: Queryable,
  { group, administrator, publicUrl }: Waiting,
  now: Date,
): Promise<void> {
  const subject = `Somebody asks to join ${group.name}`;
  const { rows } = await tx.query<{ username: string; experience: ApplicationExperience }>(sql`
    select distinct u.username, u.application_experience as experience
    from grants n join roles r on r.id = n.role_id join users u on u.id = n.user_id
    where n.group_id = ${group.id} and ${letsManage} and u.disabled_at is null and u.activated_at is not null
      and (${administrator}::text is null or u.username = ${administrator})
      and not exists (
        select from outbox o where o.recipient = u.username and o.subject = ${subject}
          and o.created_at > ${new Date(now.getTime() - REMIND_EVERY)})`);
  for (const { username, experience } of rows) {
    const link = `${publicUrl}${experienceBase(experience)}/admin/requests`;
    await writeMail(tx, username, subject, `See who asks, and answer, here:\n\n${link}\n`, now);
  }
}

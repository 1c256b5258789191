/** The mails about emergency accesses. None names a patient, and none to another organization names the reader. */
import { DAY } from '#contract/durations.ts';
import { MOST_EMERGENCIES } from '#contract/emergency.ts';
import { type ApplicationExperience, experienceBase } from '#contract/experiences.ts';
import { letsManage } from '#server/people/access/actor.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';

interface Letter {
  subject: string;
  text: string;
  /** Page of the administration that the letter links to. */
  page: 'accesses' | 'changes';
}

/** Mails the administrators of the groups, each once, unless they got a letter with this subject since then. */
async function mailAdministrators(
  tx: Queryable,
  groupIds: readonly string[],
  { subject, text, page, publicUrl }: Letter & { publicUrl: string },
  { now, unlessSince = now }: { now: Date; unlessSince?: Date },
): Promise<void> {
  const { rows } = await tx.query<{ username: string; experience: ApplicationExperience }>(sql`
    select distinct u.username, u.application_experience as experience
    from grants n join roles r on r.id = n.role_id join users u on u.id = n.user_id
    where n.group_id = any (${groupIds}::bigint[]) and ${letsManage} and u.disabled_at is null and u.activated_at is not null
      and not was_mailed(u.username, ${subject}, ${unlessSince}::timestamptz)
    order by u.username`);
  for (const { username, experience } of rows) {
    const body = `${text}\n\n${publicUrl}${experienceBase(experience)}/admin/${page}\n`;
    await postLetter(tx, { channel: 'e-mail', recipient: username, subject, body }, now);
  }
}

const OPENED: Letter = {
  subject: 'Emergency access to patient records',
  text: 'Someone at another organization used emergency access to open records of one of your facilities. See who looked at a patient under Patient access:',
  page: 'accesses',
};

/** Mails the administrators of the facilities whose records were opened. */
export const mailEmergency = (tx: Queryable, facilityIds: readonly string[], publicUrl: string, now: Date) =>
  mailAdministrators(tx, facilityIds, { ...OPENED, publicUrl }, { now });

const { hour, day } = MOST_EMERGENCIES;
const LIMIT = `the limit of emergency access (${hour} patients an hour, ${day} a day)`;
const ELSEWHERE: Letter = {
  subject: 'Limit of emergency access reached',
  text: `Someone at another organization reached ${LIMIT} after opening records of one of your facilities. See who looked at a patient under Patient access:`,
  page: 'accesses',
};
const OWN = (userId: string): Letter => ({
  subject: `Limit of emergency access reached by user ${userId}`,
  text: `Someone on one of your teams reached ${LIMIT}. Ask them what happened. The audit log has the name:`,
  page: 'changes',
});

/**
 * Mails that a user reached the limit: to the administrators of the groups that the user works for, and of the facilities whose records the
 * user opened within a day. Each gets one such letter a day.
 */
export async function mailLimit(
  tx: Queryable,
  { userId, groupIds, publicUrl }: { userId: string; groupIds: readonly string[]; publicUrl: string },
  now: Date,
): Promise<void> {
  const unlessSince = new Date(now.getTime() - DAY);
  const { rows } = await tx.query<{ id: string }>(sql`
    select distinct unnest(facility_group_ids) as id from emergency_accesses where user_id = ${userId} and began_at > ${unlessSince}`);
  const facilityIds = rows.map(({ id }) => id);
  await mailAdministrators(tx, groupIds, { ...OWN(userId), publicUrl }, { now, unlessSince });
  await mailAdministrators(tx, facilityIds, { ...ELSEWHERE, publicUrl }, { now, unlessSince });
}

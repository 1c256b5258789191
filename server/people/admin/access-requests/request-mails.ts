/**
 * Mails about requests to join a group. An administrator hears of each request, at once or once the hour after the last mail is over, and
 * gets at most one such mail an hour about a group, however many strangers ask. None contains what a stranger typed.
 */
import { DAY } from '#contract/durations.ts';
import { type ApplicationExperience, experienceBase } from '#contract/experiences.ts';
import { letsManage } from '#server/people/access/actor.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { MAIL_EVERY } from '../admin-mails.ts';

/** The job that mails administrators about requests that came within an hour after a mail. */
export const WAITING_REQUESTS_TASK = 'mail-waiting-requests';
/** In milliseconds. Letters are forgotten later, and a request that waits for longer must not be mailed anew then. */
const HEARD_OF_WITHIN = 7 * DAY;

interface Group {
  id: string;
  name: string;
}

/** Mails the administrators of a group, at most once a day, that there was no room for a request. The caller has locked its requests. */
export async function mailFullQueue(
  tx: Queryable,
  { group, publicUrl }: { group: Group; publicUrl: string },
  now: Date,
): Promise<void> {
  const subject = `Too many requests to join ${group.name}`;
  const { rows } = await tx.query<{ username: string; experience: ApplicationExperience }>(sql`
    select distinct u.username, u.application_experience as experience
    from grants n join roles r on r.id = n.role_id join users u on u.id = n.user_id
    where n.group_id = ${group.id} and ${letsManage} and u.disabled_at is null and u.activated_at is not null
      and not was_mailed(u.username, ${subject}, ${new Date(now.getTime() - DAY)}::timestamptz)`);
  for (const { username, experience } of rows) {
    const link = `${publicUrl}${experienceBase(experience)}/admin/requests`;
    const body = `So many requests to join ${group.name} are waiting that new ones are refused. Decline those from people you don't know:\n\n${link}\n\nIf you expect someone, invite them under Users.\n`;
    await postLetter(tx, { channel: 'e-mail', recipient: username, subject, body }, now);
  }
}

interface PendingMail {
  group: Group;
  /** The username of the administrator to mail; null for all administrators of the group. */
  administrator: string | null;
  /**
   * `reminder`: the person who asked has asked again, so the first mail, which may be minutes old, doesn't stand in its way. `later`: only to
   * administrators who have had no mail since the newest request.
   */
  occasion: 'request' | 'reminder' | 'later';
  publicUrl: string;
}

/** Makes requests of a group, and mails about them, wait for each other: those that come at once would each find no mail yet. */
export async function lockRequests(tx: Queryable, groupId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`tidings requests to join ${groupId}`}, 0))`);
}

/** Mails administrators of a group that people ask to join it. The caller has locked its requests. */
export async function mailPendingRequests(
  tx: Queryable,
  { group, administrator, occasion, publicUrl }: PendingMail,
  now: Date,
): Promise<void> {
  const subject = `${occasion === 'reminder' ? 'Reminder: request' : 'Request'} to join ${group.name}`;
  const { rows } = await tx.query<{ username: string; experience: ApplicationExperience; waiting: number }>(sql`
    select distinct u.username, u.application_experience as experience, pending.waiting
    from grants n join roles r on r.id = n.role_id join users u on u.id = n.user_id
      cross join (
        select count(*)::integer as waiting, max(created_at) as newest_at from access_requests
        where group_id = ${group.id} and decided_at is null) pending
    where n.group_id = ${group.id} and ${letsManage} and u.disabled_at is null and u.activated_at is not null
      and (${administrator}::text is null or u.username = ${administrator})
      and not was_mailed(u.username, ${subject}, ${new Date(now.getTime() - MAIL_EVERY)}::timestamptz)
      and (${occasion !== 'later'}::boolean or pending.waiting > 0
        and not was_mailed(u.username, ${subject}, pending.newest_at - interval '1 microsecond'))`);
  for (const { username, experience, waiting } of rows) {
    const link = `${publicUrl}${experienceBase(experience)}/admin/requests`;
    const body = `${opening(group, waiting, occasion)}\n\n${link}\n`;
    await postLetter(tx, { channel: 'e-mail', recipient: username, subject, body }, now);
  }
}

function opening({ name }: Group, waiting: number, occasion: PendingMail['occasion']): string {
  if (waiting > 1) return `${waiting} people are waiting to join ${name}. Review the requests:`;
  return `Someone ${occasion === 'request' ? 'asked' : 'is waiting'} to join ${name}. Review the request:`;
}

/** Mails administrators about requests of which they have not heard, once the hour since their last mail is over. `db`: the pipeline's. */
export async function mailWaitingRequests(db: Database, publicUrl: string, now: Date): Promise<void> {
  const { rows } = await db.query<Group>(sql`
    select g.id, g.name from groups g
    where g.id in (
      select group_id from access_requests
      where decided_at is null and created_at > ${new Date(now.getTime() - HEARD_OF_WITHIN)}::timestamptz)
    order by g.id`);
  for (const group of rows) {
    await db.transaction(async (tx) => {
      await lockRequests(tx, group.id);
      await mailPendingRequests(tx, { group, administrator: null, occasion: 'later', publicUrl }, now);
    });
  }
}

const DECLINED_SUBJECT = 'Your request for access';

/**
 * Mails the person who asked that the request was declined, without a reason. An address gets at most one such mail an hour, whatever groups
 * were asked for in its name: anyone can type it. The caller holds the lock of administration.
 */
export async function mailDeclined(tx: Queryable, username: string, groupName: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - MAIL_EVERY);
  const { rows } = await tx.query<{ isMailed: boolean }>(
    sql`select was_mailed(${username}, ${DECLINED_SUBJECT}, ${since}::timestamptz) as "isMailed"`,
  );
  if (rows[0]?.isMailed !== false) return;
  const body = `A request to join ${groupName} was made with this email address. It was declined.\n\nIf you made it, an administrator at your organization can tell you more. Otherwise you can ignore this email.\n`;
  await postLetter(tx, { channel: 'e-mail', recipient: username, subject: DECLINED_SUBJECT, body }, now);
}

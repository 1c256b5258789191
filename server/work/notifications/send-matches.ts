/** Messages about pings that match saved filters: one for all that wait at a filter, once it is due. */
import { HOUR } from '#contract/durations.ts';
import type { SearchContext } from '#contract/facets.ts';
import type { Timing } from '#contract/notification-words.ts';
import type { Permission } from '#contract/permissions.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { type Actor, loadActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import type { Database, Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Channel } from '#server/platform/mail/outbox.ts';
import { dueAt } from './due.ts';
import { postNotification } from './post-notification.ts';
import { REPORT_PERMISSIONS } from './report-permissions.ts';
import { isAboutRisk, reportedGroups } from './risk-filters.ts';
import { SAYS } from './what-it-says.ts';

export interface NotifyDeps {
  /** The app role's, which checks each user's rights. */
  app: Database;
  /** The pipeline role's. */
  pipeline: Database;
  publicUrl: string;
}

interface WaitingFilter {
  filterId: string;
  userId: string;
  teamId: string;
  email: string | null;
  phone: string | null;
  byText: boolean;
  timing: Timing;
  hour: number;
  timeZone: string | null;
  quietFrom: number | null;
  quietUntil: number | null;
  searchContext: SearchContext;
  since: string;
  aboutRisk: boolean;
}

/** Sends what is due, and returns when the next message is (milliseconds since 1970); null if nothing waits. */
export async function sendDueMatches(deps: NotifyDeps, now: Date): Promise<number | null> {
  await forgetUnwanted(deps.pipeline);
  const sent = await sentLately(deps.pipeline, now);
  let next: number | null = null;
  for (const filter of await waitingFilters(deps.pipeline)) {
    const own = sent.get(filter.userId) ?? [];
    const at = dueAt({ ...filter, ...clockOf(filter), since: Date.parse(filter.since), sent: own });
    if (at > now.getTime()) next = Math.min(next ?? at, at);
    else if (await report(deps, filter, now)) sent.set(filter.userId, [...own, now.getTime()]);
  }
  return next;
}

/** In which time zone the user lives, and when nothing may be sent. */
export const clockOf = ({
  timeZone,
  quietFrom,
  quietUntil,
}: Pick<WaitingFilter, 'timeZone' | 'quietFrom' | 'quietUntil'>) => ({
  timeZone: timeZone ?? DEFAULT_PREFERENCES.timeZone,
  quietHours: quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil },
});

/** Matches that wait at a filter that no longer notifies. */
async function forgetUnwanted(db: Queryable): Promise<void> {
  await db.query(sql`
    delete from notification_matches m
    where m.notification_id is null and not exists (
      select from notification_preferences n where n.filter_id = m.filter_id and n.user_id = m.user_id and (n.by_email or n.by_text) and not n.is_muted)`);
}

/** Returns when each user was notified in the last hour, oldest first. */
async function sentLately(db: Queryable, now: Date): Promise<Map<string, number[]>> {
  const { rows } = await db.query<{ userId: string; at: string }>(sql`
    select user_id as "userId", created_at as at from notifications
    where created_at > ${new Date(now.getTime() - HOUR)} order by created_at`);
  const times = new Map<string, number[]>();
  for (const { userId, at } of rows) times.set(userId, [...(times.get(userId) ?? []), Date.parse(at)]);
  return times;
}

async function waitingFilters(db: Queryable): Promise<WaitingFilter[]> {
  const { rows } = await db.query<WaitingFilter>(sql`
    select n.filter_id as "filterId", n.user_id as "userId", n.team_id as "teamId", case when n.by_email then u.username end as email,
      u.notification_phone as phone, n.by_text as "byText", n.timing, n.digest_hour as hour, u.preferences ->> 'timeZone' as "timeZone",
      q.from_hour as "quietFrom", q.until_hour as "quietUntil", coalesce(f.parameters ->> 'searchContext', 'ALL') as "searchContext",
      (select min(m.matched_at) from notification_matches m
        where m.filter_id = n.filter_id and m.user_id = n.user_id and m.notification_id is null) as since,
      ${isAboutRisk(sql`f.parameters`)} as "aboutRisk"
    from notification_preferences n
      join saved_filters f on f.id = n.filter_id
      join users u on u.id = n.user_id
      left join quiet_hours q on q.user_id = n.user_id
    where exists (
      select from notification_matches m
      where m.user_id = n.user_id and m.filter_id = n.filter_id and m.notification_id is null)
    order by since, n.filter_id, n.user_id`);
  return rows;
}

/** Sends one message about what waits at the filter, if its owner may still see any of it. Returns whether there was something to send. */
async function report(deps: NotifyDeps, filter: WaitingFilter, now: Date): Promise<boolean> {
  const { app, pipeline, publicUrl } = deps;
  const { filterId, userId, teamId, searchContext } = filter;
  const actor = await loadActor(app, userId, teamId);
  const flag = REPORT_PERMISSIONS[searchContext];
  const groupIds = actor ? reportedGroups(actor, searchContext, filter.aboutRisk) : [];
  const isAllowed = groupIds.length > 0;
  return pipeline.transaction(async (tx) => {
    const waiting = await lockWaiting(tx, filter);
    const reported = actor && isAllowed ? await readable(app, actor, flag, waiting, groupIds) : waiting;
    await tx.query(sql`
      delete from notification_matches m
      where m.filter_id = ${filterId} and m.user_id = ${userId} and m.notification_id is null and not m.ping_id = any (${reported}::bigint[])`);
    if (reported.length === 0) return false;
    const id = await postNotification(
      tx,
      {
        userId,
        teamId,
        filterId,
        searchContext,
        topic: 'SAVED_FILTER',
        pings: reported.length,
        to: recipientsOf(filter),
        suppressed: isAllowed ? undefined : 'NO_ACCESS',
      },
      publicUrl,
      now,
    );
    await tx.query(sql`
      update notification_matches m set notification_id = ${id}, told_state = p.state, told = ${SAYS}
      from pings p join events e on e.id = p.event_id
      where p.id = m.ping_id and m.filter_id = ${filterId} and m.user_id = ${userId} and m.notification_id is null
        and m.ping_id = any (${reported}::bigint[])`);
    return true;
  });
}

function recipientsOf({ email, phone, byText }: WaitingFilter): { channel: Channel; recipient: string }[] {
  return [
    ...(email === null ? [] : [{ channel: 'e-mail' as const, recipient: email }]),
    ...(byText ? [{ channel: 'text' as const, recipient: phone ?? '' }] : []),
  ];
}

async function lockWaiting(tx: Transaction, { filterId, userId }: WaitingFilter): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select ping_id as id from notification_matches
    where filter_id = ${filterId} and user_id = ${userId} and notification_id is null order by id for update`);
  return rows.map(({ id }) => id);
}

/** Returns which of the pings the user may see now, without retracted ones and those of a facility that has come under 42 CFR Part 2. */
async function readable(
  app: Database,
  actor: Actor,
  flag: Permission,
  pingIds: readonly string[],
  groupIds: readonly string[],
): Promise<string[]> {
  const read = sql`
    select p.id from pings p join encounters n on n.id = p.encounter_id join groups facility on facility.id = n.group_id
    where p.id = any (${pingIds}::bigint[]) and p.group_id = any (${groupIds}::bigint[]) and p.state <> 'CANCELLED' and not facility.is_part2_facility and ${mayReadPing}
    order by p.id`;
  const { rows } = await asActor(app, actor, flag, (tx) => tx.query<{ id: string }>(read), {
    readOnly: true,
  });
  return rows.map(({ id }) => id);
}

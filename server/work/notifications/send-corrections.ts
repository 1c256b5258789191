/** Everyone who was notified of a ping that turns out to be wrong is notified again, by the same channels. */
import type { SearchContext } from '#contract/facets.ts';
import { loadActor } from '#server/people/access/actor.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Channel } from '#server/platform/mail/outbox.ts';
import type { PingOfGroup } from './candidates.ts';
import { endOfQuiet, GATHER } from './due.ts';
import { postNotification } from './post-notification.ts';
import { REPORT_PERMISSIONS } from './report-permissions.ts';
import { clockOf, type NotifyDeps } from './send-matches.ts';
import { SAYS, SAYS_OTHER } from './what-it-says.ts';

/** Marks reported pings that were amended, retracted or reinstated since. */
export async function findCorrections(tx: Queryable, pings: readonly PingOfGroup[], now: Date): Promise<void> {
  if (pings.length === 0) return;
  await tx.query(sql`
    update notification_matches m set to_correct_since = ${now}
    from unnest(${pings.map(({ eventId }) => eventId)}::bigint[], ${pings.map(({ groupId }) => groupId)}::bigint[]) as changed (event_id, group_id)
      join pings p on p.event_id = changed.event_id and p.group_id = changed.group_id
      join events e on e.id = p.event_id
    where m.ping_id = p.id and m.notification_id is not null and m.to_correct_since is null and ${SAYS_OTHER}`);
}

interface WaitingCorrection {
  userId: string;
  teamId: string;
  filterId: string | null;
  searchContext: SearchContext;
  timeZone: string | null;
  quietFrom: number | null;
  quietUntil: number | null;
  since: string;
  matchIds: string[];
  notificationIds: string[];
}

/** Sends what is due, and returns when the next correction is (milliseconds since 1970); null if none waits. */
export async function sendDueCorrections(deps: NotifyDeps, now: Date): Promise<number | null> {
  let next: number | null = null;
  for (const correction of await waitingCorrections(deps.pipeline)) {
    const { timeZone, quietHours } = clockOf(correction);
    const at = endOfQuiet(Date.parse(correction.since) + GATHER, quietHours, timeZone);
    if (at > now.getTime()) next = Math.min(next ?? at, at);
    else await correct(deps, correction, now);
  }
  return next;
}

async function waitingCorrections(db: Queryable): Promise<WaitingCorrection[]> {
  const { rows } = await db.query<WaitingCorrection>(sql`
    select m.user_id as "userId", m.team_id as "teamId", m.filter_id as "filterId", min(n.search_context) as "searchContext",
      min(u.preferences ->> 'timeZone') as "timeZone", min(q.from_hour) as "quietFrom", min(q.until_hour) as "quietUntil",
      min(m.to_correct_since) as since, array_agg(m.id::text order by m.id) as "matchIds",
      array_agg(distinct m.notification_id::text) as "notificationIds"
    from notification_matches m
      join notifications n on n.id = m.notification_id
      join users u on u.id = m.user_id
      left join quiet_hours q on q.user_id = m.user_id
    where m.to_correct_since is not null
    group by m.user_id, m.team_id, m.filter_id order by since`);
  return rows;
}

/** Sent to whom the notification went, also if it is muted by now: what they were told is not true. */
async function correct(deps: NotifyDeps, of: WaitingCorrection, now: Date): Promise<void> {
  const { userId, teamId, filterId, searchContext, matchIds, notificationIds } = of;
  const actor = await loadActor(deps.app, userId, teamId);
  const suppressed = actor?.can(REPORT_PERMISSIONS[searchContext]) ? undefined : 'NO_ACCESS';
  await deps.pipeline.transaction(async (tx) => {
    const { rows } = await tx.query<{ patientId: string }>(sql`
      update notification_matches m set to_correct_since = null, told_state = p.state, told = ${SAYS}
      from pings p join events e on e.id = p.event_id
      where p.id = m.ping_id and m.id = any (${matchIds}::bigint[]) and m.to_correct_since is not null and ${SAYS_OTHER}
      returning p.roster_patient_id || '_' || p.encounter_id as "patientId"`);
    await tx.query(sql`update notification_matches set to_correct_since = null where id = any (${matchIds}::bigint[])`);
    const to = await recipientsOf(tx, notificationIds);
    if (rows.length === 0 || to.length === 0) return;
    const patientId = rows.length === 1 ? rows[0]?.patientId : undefined;
    const [corrects] = notificationIds;
    await postNotification(
      tx,
      {
        userId,
        teamId,
        filterId,
        searchContext,
        topic: 'CORRECTION',
        corrects,
        patientId,
        pings: rows.length,
        to,
        suppressed,
      },
      deps.publicUrl,
      now,
    );
  });
}

/** Where these notifications went, or may still be going. */
async function recipientsOf(
  tx: Queryable,
  notificationIds: readonly string[],
): Promise<{ channel: Channel; recipient: string }[]> {
  const { rows } = await tx.query<{ channel: Channel; recipient: string }>(sql`
    select distinct channel, recipient from outbox
    where notification_id = any (${notificationIds}::bigint[])
      and (state in ('queued', 'sending', 'sent') or state = 'failed' and failure = 'UNCONFIRMED')
    order by channel, recipient`);
  return rows;
}

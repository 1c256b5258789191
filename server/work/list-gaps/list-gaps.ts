/**
 * Which facilities a team's lists usually hear from, and don't now: the lists may be incomplete. A facility counts if it is one of the
 * team's groups, or if it sent one of the groups a ping in the last 90 days, so that the list has a name that the team has seen before. Of
 * a 42 CFR Part 2 facility, that ping's patient must still consent to the disclosure, since even the facility's name says what it treats.
 * A facility that another feed has sent for since is called partly silent: its list may lack what the silent feed brings, such as visits
 * to one of its departments, but "no messages" would be wrong. Feeds of documents, historical feeds and feeds that nobody approved bring no events. docs/decisions/0092 has the reasons.
 */
import type { ListGap } from '#contract/feed-health.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** The flags of the lists that pings, patients and events are on. */
export const LIST_FLAGS = [
  'canViewPings',
  'canViewPatients',
  'canViewEventFeed',
] as const satisfies readonly Permission[];

const HEARD_FROM = '90 days';

/** Returns the facilities that the actor's lists don't hear from, by name. */
export async function listGaps(db: Database, actor: Actor): Promise<ListGap[]> {
  const flag = LIST_FLAGS.find((each) => actor.can(each));
  if (flag === undefined) return [];
  return asActor(
    db,
    actor,
    flag,
    async (tx) => {
      const { rows } = await tx.query<ListGap>(sql`
        with gaps as (
          select ff.group_id, ff.feed_id, coalesce(f.paused_at, f.silent_since) as since, f.paused_at is null as is_silent
          from feeds f join feed_facilities ff on ff.feed_id = f.id
          where f.ended_at is null and f.approved_at is not null and not f.is_backfill and f.kind <> 'CCDA'
            and (f.silent_since is not null or f.paused_at is not null)
          union all
          select n.group_id, n.feed_id, n.since, true
          from facility_silences n join feeds f on f.id = n.feed_id
          where f.ended_at is null and f.approved_at is not null and not f.is_backfill and f.silent_since is null and f.paused_at is null
        ), unheard as (
          select group_id, min(since) as since, case
            when not bool_or(is_silent) then 'PAUSED'
            when bool_or(is_silent and heard_by_another_feed(feed_id, group_id, since)) then 'PARTLY_SILENT' else 'SILENT' end as why
          from gaps group by group_id)
        select g.id as "groupId", g.name as "facilityName", u.since, u.why
        from unheard u join groups g on g.id = u.group_id
        where g.id = any (${tx.groupIds}::bigint[])
          or exists (
            select from pings p join encounters e on e.id = p.encounter_id
            where e.group_id = g.id and p.group_id = any (${tx.groupIds}::bigint[])
              and p.event_at > u.since - ${HEARD_FROM}::interval and ${mayReadPing})
        order by g.name, g.id`);
      return rows;
    },
    { readOnly: true },
  );
}

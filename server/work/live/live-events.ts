/** Turns changes into the live events of open pages, as each team may see them. */
import type { LiveEvent, LiveEvents } from '#contract/live.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import type { Change } from '#server/platform/changes/change-log.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { countReviewsFor } from '#server/record/reviews/reviewer-actions.ts';
import { countInbox } from '#server/work/search/search.ts';
import type { SearchPool } from '#server/work/search/search-threads.ts';

/** More changes than this at a time are sent as one 'reload'. */
const MANY = 200;

/** Returns the actor's events for these changes. Changes in other groups have none, except what their facilities may disclose. */
export async function liveEventsFor(
  db: Database,
  actor: Actor,
  changes: readonly Change[],
  now: Date,
): Promise<LiveEvent[]> {
  const groups = new Set(actor.groupsWith('canViewPings'));
  const own = changes.filter((change) => change.groupId !== null && groups.has(change.groupId));
  const isDisclosure = ({ kind, change }: Change) => kind === 'group' && change === 'disclosure';
  if (own.length > MANY || own.some((change) => change.kind === 'group') || changes.some(isDisclosure)) {
    return [{ kind: 'reload', data: { at: now.toISOString() } }];
  }
  const pings = own.filter((change) => change.kind === 'ping');
  const events = pings.length > 0 ? await pingEvents(db, actor, pings) : [];
  events.push(...(await stayEvents(db, actor, own)), ...(await viewerEvents(db, actor, own)));
  for (const { kind, change, groupId, subjectId } of own) {
    if (kind !== 'roster' || !groupId || !subjectId || !actor.permissions.get(groupId)?.has('canUploadRoster'))
      continue;
    events.push({ kind: 'roster', data: { jobId: subjectId, groupId, status: change } });
  }
  return events;
}

/** The flags whose lists change with `rows`. */
export const LISTS_OF_ROWS = ['canViewPatients', 'canViewEventFeed'] as const;

/** Returns the counts of the inbox tabs. */
export async function inboxCounts(pool: SearchPool, actor: Actor, now: Date): Promise<LiveEvents['counts']> {
  // 'now', because the search may not have received the change yet that is being sent.
  const { byStatus, needsAction } = await countInbox({ pool }, { actor, now, after: 'now' });
  const { NEW, IN_PROGRESS, RESOLVED, DISMISSED } = byStatus;
  return { open: NEW + IN_PROGRESS, resolved: RESOLVED + DISMISSED, new: NEW, needsAction };
}

/** Returns the count of matches to review. */
export const reviewCount = async (db: Database, actor: Actor): Promise<LiveEvent> => ({
  kind: 'reviews',
  data: await countReviewsFor(db, actor),
});

/** Returns the rows of the actor's team among these changes. Those of other teams that share a group are hidden by row-level security. */
async function stayEvents(db: Database, actor: Actor, changes: readonly Change[]): Promise<LiveEvent[]> {
  const ids = [...new Set(changes.flatMap(({ kind, subjectId }) => (kind === 'work' && subjectId ? [subjectId] : [])))];
  if (ids.length === 0) return [];
  const { rows } = await asActor(
    db,
    actor,
    'canViewPings',
    (tx) =>
      tx.query<LiveEvents['stay']>(sql`
        select distinct (select min(l.id) from roster_patients l where l.person_id = r.person_id and l.group_id = any(${tx.groupIds}::bigint[]))
          || '_' || w.encounter_id as "patientId", w.change_id as version
        from stay_work w join pings p on p.encounter_id = w.encounter_id join roster_patients r on r.id = p.roster_patient_id
        where w.id = any (${ids}::bigint[]) and w.team_id = ${actor.teamId} and p.group_id = any(${tx.groupIds}::bigint[]) and ${mayReadPing}`),
    { readOnly: true },
  );
  return rows.map((data) => ({ kind: 'stay', data }));
}

/** Returns the persons among these changes whom someone on the actor's team still has open: whoever does asks who else. */
async function viewerEvents(db: Database, actor: Actor, changes: readonly Change[]): Promise<LiveEvent[]> {
  const ids = new Set(changes.flatMap(({ kind, subjectId }) => (kind === 'viewers' && subjectId ? [subjectId] : [])));
  if (ids.size === 0) return [];
  const { rows } = await asActor(
    db,
    actor,
    'canViewPings',
    (tx) =>
      tx.query<LiveEvents['viewers']>(sql`
        select min(r.id) as "rosterPatientId"
        from roster_patients r
        where r.person_id = any (${[...ids]}::bigint[]) and r.group_id = any(${tx.groupIds}::bigint[])
          and exists (select from patient_viewers v where v.team_id = ${actor.teamId} and v.person_id = r.person_id)
        group by r.person_id`),
    { readOnly: true },
  );
  return rows.map((data) => ({ kind: 'viewers', data }));
}

type PingData = Omit<LiveEvents['ping'], 'change'>;

async function pingEvents(db: Database, actor: Actor, changes: Change[]): Promise<LiveEvent[]> {
  // A ping of several groups is one row for the team: if it arrived in one of them, it arrived.
  const changeOf = new Map<string, LiveEvents['ping']['change']>();
  for (const { subjectId, change } of changes) {
    const known = subjectId && changeOf.get(subjectId);
    if (subjectId && known !== 'arrived') changeOf.set(subjectId, change as LiveEvents['ping']['change']);
  }
  // The page has the ids of a ping that was hidden, and has to learn that it is gone.
  const hidden = [...changeOf].filter(([, change]) => change === 'hidden').map(([id]) => id);
  const { rows } = await asActor(db, actor, 'canViewPings', (tx) =>
    tx.query<PingData>(sql`
      with changed as materialized (
        select distinct on (p.event_id, r.person_id) p.event_id, p.encounter_id, r.person_id, p.management_status, s.username
        from pings p
        join roster_patients r on r.id = p.roster_patient_id
        left join management_statuses s on s.id = p.status_id
        where p.event_id = any(${[...changeOf.keys()]}::bigint[]) and p.group_id = any(${tx.groupIds}::bigint[])
          and (p.event_id = any(${hidden}::bigint[]) or ${mayReadPing})
        order by p.event_id, r.person_id, p.status_id desc nulls last)
      select c.event_id as "eventIdentifier", c.management_status as status, c.username,
        (select min(l.id) from roster_patients l where l.person_id = c.person_id and l.group_id = any(${tx.groupIds}::bigint[]))
          || '_' || c.encounter_id as "patientId",
        (select case when bool_or(status = 'NEW') then 'NEW' when bool_or(status = 'IN_PROGRESS') then 'IN_PROGRESS'
            else (array_agg(status order by status_id desc nulls last))[1] end
          from (
            select distinct on (p.event_id) p.management_status as status, p.status_id
            from pings p join roster_patients r on r.id = p.roster_patient_id
            where p.encounter_id = c.encounter_id and r.person_id = c.person_id and p.group_id = any(${tx.groupIds}::bigint[])
            order by p.event_id, p.state = 'CANCELLED', p.status_id desc nulls last) of_stay) as "stayStatus"
      from changed c`),
  );
  return rows.map((row) => ({
    kind: 'ping',
    data: { ...row, change: changeOf.get(row.eventIdentifier) ?? 'amended' },
  }));
}

/** What becomes of the stays that someone has taken when an administrator disables the account (ux.md 4.5). */
import type { TakenStays, UserChange } from '#contract/user-changes.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { badFieldInMessage } from '#server/platform/http/api-error.ts';
import { type AdminDeps, type Change, readAsAdmin } from '../administer.ts';

type PassedOn = NonNullable<Extract<UserChange, { kind: 'DISABLE' }>['stays']>;

/** The most colleagues that a team's stays are offered to. */
const MOST_OFFERED = 500;

interface Taken {
  teamId: string;
  stays: number;
  open: number;
}

const takenBy = async (db: Queryable, userIds: readonly string[]): Promise<Taken[]> =>
  (
    await db.query<Taken>(
      sql`select team_id as "teamId", stays, open from stays_taken_by(${userIds}::bigint[]) order by team_id`,
    )
  ).rows;

/** Returns who may be given the stays of a team: active users who may see its pings, as `team_colleagues` has them. */
async function colleaguesOf(db: Queryable, teamId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.query<{ id: string; name: string }>(sql`
    select u.id, u.first_name || ' ' || u.last_name || case
      when count(*) over (partition by u.first_name, u.last_name) > 1 then ' (' || u.username || ')' else '' end as name
    from users u
    where u.disabled_at is null and u.activated_at is not null and exists (
      select from grants n join roles r on r.id = n.role_id
      where n.user_id = u.id and n.team_id = ${teamId}
        and 'canViewPings' = any (r.permissions || n.added) and not 'canViewPings' = any (n.removed))
    order by lower(u.last_name), lower(u.first_name), u.id`);
  return rows;
}

/** Returns how many stays these users have taken, by team, and to whom of the team they could be given. */
export function listTakenStays({ db }: AdminDeps, { actor }: ActorCall, ids: readonly string[]): Promise<TakenStays> {
  return readAsAdmin(db, actor, async (tx) => {
    const leaving = new Set(ids);
    const taken = await takenBy(tx, ids);
    const names = await tx.query<{ id: string; name: string }>(sql`
      select id, name from teams where id = any (${taken.map(({ teamId }) => teamId)}::bigint[])`);
    const answer: TakenStays = [];
    for (const { teamId, stays, open } of taken) {
      const colleagues = (await colleaguesOf(tx, teamId)).filter(({ id }) => !leaving.has(id));
      const name = names.rows.find(({ id }) => id === teamId)?.name ?? '';
      answer.push({ team: { id: teamId, name }, stays, open, colleagues: colleagues.slice(0, MOST_OFFERED) });
    }
    return answer;
  });
}

/**
 * Gives the stays of a user who is disabled to the chosen colleagues, those of other teams to no one: else they would wait for someone who never
 * comes. Returns what was done, for the audit log. Errors: BAD_REQUEST for someone who is not on the team.
 */
export async function passOnStays(
  { tx, now }: Change,
  userId: string,
  wanted: PassedOn = [],
): Promise<{ teamId: string; encounterIds: string[]; toUserId: string | null; to: string | null }[]> {
  const by = tx.actor.displayName;
  const done = [];
  for (const { teamId } of await takenBy(tx, [userId])) {
    const toUserId = wanted.find((one) => one.teamId === teamId)?.toUserId ?? null;
    const to = toUserId === null ? null : await nameOfColleague(tx, teamId, toUserId);
    const owner = to === null ? null : JSON.stringify({ id: toUserId, name: to, at: now.toISOString(), by });
    const { rows } = await tx.query<{ encounterIds: string[] }>(sql`
      select pass_on_stays(${userId}, ${teamId}, ${owner}::jsonb, ${by}, ${now}) as "encounterIds"`);
    done.push({ teamId, encounterIds: rows[0]?.encounterIds ?? [], toUserId, to });
  }
  if (done.length > 0) await noteChange(tx);
  return done;
}

async function nameOfColleague(db: Queryable, teamId: string, userId: string): Promise<string> {
  const name = (await colleaguesOf(db, teamId)).find(({ id }) => id === userId)?.name;
  if (name !== undefined) return name;
  const message = 'Choose a colleague who can see pings on this team, or leave the stays unassigned.';
  throw badFieldInMessage('stays', message);
}

/** What users hold, place by place: a team with one of its groups. */
import type { Grant } from '#contract/admin.ts';
import type { Permission } from '#contract/permissions.ts';
import { flagsOf } from '#server/people/access/actor.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Place (`placeOf`) to the flags that are held there. */
export type Held = ReadonlyMap<string, ReadonlySet<Permission>>;

export const placeOf = ({ teamId, groupId }: Pick<Grant, 'teamId' | 'groupId'>): string => `${teamId} ${groupId}`;

export async function heldBy(db: Queryable, userId: string): Promise<Held> {
  const { rows } = await db.query<{ place: string; role: string[]; added: string[]; removed: string[] }>(sql`
    select n.team_id || ' ' || n.group_id as place, r.permissions as role, n.added, n.removed
    from grants n join roles r on r.id = n.role_id where n.user_id = ${userId}`);
  return new Map(rows.map((row) => [row.place, flagsOf(row)]));
}

/** Returns the flags that these grants would give. */
export async function flagsIn(db: Queryable, grants: readonly Grant[]): Promise<Held> {
  const { rows } = await db.query<{ id: string; permissions: string[] }>(
    sql`select id, permissions from roles where id = any (${grants.map(({ roleId }) => roleId)}::bigint[])`,
  );
  const roles = new Map(rows.map(({ id, permissions }) => [id, permissions]));
  return new Map(grants.map((grant) => [placeOf(grant), flagsOf({ ...grant, role: roles.get(grant.roleId) ?? [] })]));
}

/** Returns the flags at a place that `after` has and `before` lacks. */
export const gained = (before: Held, after: Held, place: string): Permission[] =>
  [...(after.get(place) ?? [])].filter((flag) => !before.get(place)?.has(flag));

import { PERMISSION_FLAGS, type Permission } from '#contract/permissions.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** A user at work in one of his or her teams: who acts, and what for which groups. Ids are bigints as strings. */
export interface Actor {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  /** Of the clock that the user reads times on, and by whose days he or she counts (IANA). */
  readonly timeZone: string;
  readonly organizationId: string;
  readonly isOperator: boolean;
  readonly teamId: string;
  /** Group id to the flags that the user holds for that group in this team. */
  readonly permissions: ReadonlyMap<string, ReadonlySet<Permission>>;
  /** The groups of the team for which the user holds the flag. */
  groupsWith(flag: Permission): string[];
  /** Whether that is any group at all; which row it covers, the door decides (`door.ts`). */
  can(flag: Permission): boolean;
}

const KNOWN: ReadonlySet<string> = new Set(PERMISSION_FLAGS);

/** The flags of a grant: those of its role and those added, less those taken away. Flags that nobody knows count for nothing. */
export function flagsOf(grant: { role: readonly string[]; added: readonly string[]; removed: readonly string[] }) {
  const removed = new Set(grant.removed);
  const held = [...grant.role, ...grant.added].filter((flag) => KNOWN.has(flag) && !removed.has(flag));
  return new Set(held) as Set<Permission>;
}

/** Of `grants n` and its `roles r`: whether it lets manage users. */
export const letsManage = sql`('canManageUsers' = any (r.permissions || n.added) and not 'canManageUsers' = any (n.removed))`;

export function makeActor(who: Omit<Actor, 'groupsWith' | 'can'>): Actor {
  const groupsWith = (flag: Permission) =>
    [...who.permissions].filter(([, flags]) => flags.has(flag)).map(([groupId]) => groupId);
  return { ...who, groupsWith, can: (flag) => groupsWith(flag).length > 0 };
}

/**
 * The user as a member of the team, or null where he or she is not one (or is disabled). Asked for on each call and never
 * kept: three indexed look-ups, and a right that is taken away is gone with the next click.
 */
export async function loadActor(db: Queryable, userId: string, teamId: string): Promise<Actor | null> {
  const { rows } = await db.query<{
    username: string;
    first_name: string;
    last_name: string;
    time_zone: string | null;
    organization_id: string;
    is_operator: boolean;
    group_id: string;
    role: string[];
    added: string[];
    removed: string[];
  }>(sql`
    select u.username, u.first_name, u.last_name, u.preferences ->> 'timeZone' as time_zone, u.organization_id, u.is_operator,
      g.group_id, r.permissions as role, g.added, g.removed
    from users u
      join grants g on g.user_id = u.id
      join roles r on r.id = g.role_id
    where u.id = ${userId} and g.team_id = ${teamId} and u.disabled_at is null`);
  const [first] = rows;
  if (first === undefined) return null;
  return makeActor({
    userId,
    username: first.username,
    displayName: `${first.first_name} ${first.last_name}`,
    timeZone: first.time_zone ?? DEFAULT_PREFERENCES.timeZone,
    organizationId: first.organization_id,
    isOperator: first.is_operator,
    teamId,
    permissions: new Map(rows.map((row) => [row.group_id, flagsOf(row)])),
  });
}

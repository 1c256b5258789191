import { PERMISSION_FLAGS, type Permission } from '#contract/permissions.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { forUser } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';

/** A user acting in one of their teams, with the flags held for each of its groups. Ids are bigints as strings. */
export interface Actor {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  /** IANA name of the time zone in which the user reads times and counts days. */
  readonly timeZone: string;
  readonly organizationId: string;
  readonly isOperator: boolean;
  readonly teamId: string;
  /** Group id to the flags that the user holds for that group in this team. */
  readonly permissions: ReadonlyMap<string, ReadonlySet<Permission>>;
  /** Ids of the user's emergency accesses in force, in a call about one patient. */
  readonly emergencies?: readonly string[];
  /** Returns the team's groups for which the user holds the flag. */
  groupsWith(flag: Permission): string[];
  /** Whether the user holds the flag for at least one group. Which rows that covers is decided in `door.ts`. */
  can(flag: Permission): boolean;
}

/** When a call came, and its id: what the audit log notes of a change, besides who made it. */
export interface CallStamp {
  readonly now: Date;
  readonly requestId: string;
}

/** Who calls, when, and in which request. */
export interface ActorCall extends CallStamp {
  readonly actor: Actor;
}

const KNOWN: ReadonlySet<string> = new Set(PERMISSION_FLAGS);

/** Returns a grant's flags: its role's and the added ones, minus the removed ones. Flags that the contract does not list are ignored. */
export function flagsOf(grant: { role: readonly string[]; added: readonly string[]; removed: readonly string[] }) {
  const removed = new Set(grant.removed);
  const held = [...grant.role, ...grant.added].filter((flag) => KNOWN.has(flag) && !removed.has(flag));
  return new Set(held) as Set<Permission>;
}

/** SQL condition on `grants n` and its `roles r`: the grant includes canManageUsers. */
export const letsManage = sql`('canManageUsers' = any (r.permissions || n.added) and not 'canManageUsers' = any (n.removed))`;

export function makeActor(who: Omit<Actor, 'groupsWith' | 'can'>): Actor {
  const groupsWith = (flag: Permission) =>
    [...who.permissions].filter(([, flags]) => flags.has(flag)).map(([groupId]) => groupId);
  return { ...who, groupsWith, can: (flag) => groupsWith(flag).length > 0 };
}

interface ActorRow {
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
  emergencies: string[];
}

/**
 * Loads the user as a member of the team; null for users who are not members, or are disabled. Every call loads the actor again, three
 * indexed look-ups, so that a permission taken away stops working with the next click. `emergenciesAt`: when the call is made, if emergency
 * accesses count in it; they do in calls about one patient, and in no list.
 */
export async function loadActor(
  db: Queryable,
  userId: string,
  teamId: string,
  emergenciesAt: Date | null = null,
): Promise<Actor | null> {
  const { rows } = await forUser(userId, () =>
    db.query<ActorRow>(sql`
    select u.username, u.first_name, u.last_name, u.preferences ->> 'timeZone' as time_zone, u.organization_id, u.is_operator,
      g.group_id, r.permissions as role, g.added, g.removed,
      array(
        select x.id from emergency_accesses x
        where x.user_id = u.id and x.team_id = g.team_id and x.ends_at > ${emergenciesAt}::timestamptz)::text[] as emergencies
    from users u
      join grants g on g.user_id = u.id
      join roles r on r.id = g.role_id
    where u.id = ${userId} and g.team_id = ${teamId} and u.disabled_at is null`),
  );
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
    emergencies: first.emergencies,
    permissions: new Map(rows.map((row) => [row.group_id, flagsOf(row)])),
  });
}

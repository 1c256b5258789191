import type { UserStatus } from '#contract/user-statuses.ts';
import { letsManage } from '#server/people/access/actor.ts';
import { managedElsewhere } from '#server/people/accounts/managed-elsewhere.ts';
import { userStatus } from '#server/people/admin/users/queries.ts';
import { canSignIn } from '#server/people/sso/queries.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** An organization as `npm run organization -- list` prints it. */
export interface Counted {
  id: string;
  name: string;
  groups: number;
  teams: number;
  /** Accounts that are not disabled. */
  accounts: number;
  /** Those who can sign in and manage users. */
  administrators: number;
  /** Those who could, once they have activated their account. */
  invited: number;
}

/** SQL: how many accounts of organization `o` fulfill a condition on `users u` and may manage users of a group of their own organization. */
const managing = (condition: Sql): Sql => sql`(
  select count(distinct u.id)::integer
  from users u
    join grants n on n.user_id = u.id
    join roles r on r.id = n.role_id
    join groups g on g.id = n.group_id and g.organization_id = u.organization_id
  where u.organization_id = o.id and ${letsManage} and ${condition})`;

/** Returns the organizations that a condition on `organizations o` selects, by name. */
export async function countOrganizations(db: Queryable, condition: Sql = sql`true`): Promise<Counted[]> {
  const { rows } = await db.query<Counted>(sql`
    select o.id, o.name,
      (select count(*)::integer from groups g where g.organization_id = o.id and g.ended_at is null) as groups,
      (select count(*)::integer from teams t where t.organization_id = o.id and t.ended_at is null) as teams,
      (select count(*)::integer from users u where u.organization_id = o.id and u.disabled_at is null) as accounts,
      ${managing(canSignIn)} as administrators,
      ${managing(sql`u.disabled_at is null and u.activated_at is null`)} as invited
    from organizations o where ${condition} order by lower(o.name), o.id`);
  return rows;
}

/** Returns how many operators can sign in. */
export async function countOperators(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    sql`select count(*)::integer as count from users u where u.is_operator and ${canSignIn}`,
  );
  return rows[0]?.count ?? 0;
}

export interface Account {
  id: string;
  organizationId: string;
  isActivated: boolean;
  isDisabled: boolean;
}

export async function findAccount(db: Queryable, username: string): Promise<Account | null> {
  const { rows } = await db.query<Account>(sql`
    select id, organization_id as "organizationId", activated_at is not null as "isActivated", disabled_at is not null as "isDisabled"
    from users where username = ${username} for update`);
  return rows[0] ?? null;
}

/** Returns an account's status, as administrators see it. */
export async function statusOf(db: Queryable, userId: string, now: Date): Promise<UserStatus> {
  const { rows } = await db.query<{ status: UserStatus }>(
    sql`select ${userStatus(now)} as status from users u where u.id = ${userId}`,
  );
  if (rows[0] === undefined) throw new Error(`There is no account ${userId}`);
  return rows[0].status;
}

/** Returns whether the organization's identity provider signs the user in, so that there is no password to set. */
export async function isManagedElsewhere(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from users u where u.id = ${userId} and ${managedElsewhere}`);
  return rowCount > 0;
}

export interface Place {
  teamId: string;
  groupId: string;
}

/** Returns every group of the organization with the oldest of its teams that works for it. */
export async function findPlaces(db: Queryable, organizationId: string): Promise<Place[]> {
  const { rows } = await db.query<Place>(sql`
    select distinct on (g.id) t.id as "teamId", g.id as "groupId"
    from groups g
      join team_groups tg on tg.group_id = g.id
      join teams t on t.id = tg.team_id and t.organization_id = g.organization_id and t.ended_at is null
    where g.organization_id = ${organizationId} and g.ended_at is null
    order by g.id, t.id`);
  return rows;
}

/** Makes grants that followed from a group of an identity provider stay without it. */
export async function keepByHand(db: Queryable, userId: string, places: readonly Place[]): Promise<void> {
  for (const { teamId, groupId } of places) {
    await db.query(sql`
      update grants set is_provisioned = false
      where user_id = ${userId} and team_id = ${teamId} and group_id = ${groupId}`);
  }
}

export async function makeOperator(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`update users set is_operator = true where id = ${userId}`);
}

export async function administratorRole(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    sql`select id from roles where organization_id is null and name = 'administrator'`,
  );
  if (rows[0] === undefined) throw new Error('There is no standard role of administrators');
  return rows[0].id;
}

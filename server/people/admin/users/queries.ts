import type { AdminUser, Grant } from '#contract/admin.ts';
import { INACTIVITY_LOCK_DAYS } from '#contract/constants.ts';
import type { LastSignIn, SignInWay, UserSort, UserStatus } from '#contract/user-statuses.ts';
import { managedElsewhere } from '#server/people/accounts/managed-elsewhere.ts';
import { GUESSES_PER_ACCOUNT } from '#server/people/accounts/sign-in/lockout.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { join, type Sql, sql, versionOf } from '#server/platform/database/sql.ts';
import { isOwn, organizationFor, type Scope } from '../admin-scope.ts';
import { countPages, namedLike, type PagedNames, pageOf } from '../paged.ts';

/**
 * SQL: the status of the account in `users u`. LOCKED covers a lock for one place, too many wrong passwords overall, and 90 days without activity,
 * as sign-in decides it (docs/security.md).
 */
export const userStatus = (now: Date): Sql => sql`
  case
    when u.disabled_at is not null then 'DISABLED'
    when u.activated_at is null and u.last_activation_email_at is null and u.sso_connection_id is not null then 'CREATED'
    when u.activated_at is null then 'INVITED'
    when u.password_hash is not null and (
      u.guesses_since_owner_acted >= ${GUESSES_PER_ACCOUNT}
      or greatest(u.activated_at, u.current_login_at, u.password_changed_at) <= ${now}::timestamptz - make_interval(days => ${INACTIVITY_LOCK_DAYS})
      or exists (select from sign_in_places p
        where p.account = sha256(convert_to(u.username, 'UTF8')) and p.locked_at is not null)) then 'LOCKED'
    else 'ACTIVE' end`;

/** SQL: the organization signs the user in, or will once the connection is enabled. */
const IS_SSO = sql`(u.sso_connection_id is not null or ${managedElsewhere})`;

const users = (scope: Scope, where: Sql, now: Date): Sql => sql`
  select u.id, u.username, u.first_name as "firstName", u.last_name as "lastName", u.title, ${userStatus(now)} as status,
    u.application_experience as "applicationExperience",
    ${IS_SSO} as "isSSO",
    u.mfa_opted_in as "mfaOptedIn", exists (select from passkeys k where k.user_id = u.id) as "hasPasskey", u.created_at as "createdDate", u.current_login_at as "lastSignInDate",
    u.last_activation_email_at as "lastActivationEmailDate", u.id = ${scope.userId} as "isSelf",
    held.grants, waiting.grants as "waitingGrants", ${organizationFor(scope, sql`u.organization_id`)} as organization,
    ${versionOf(sql`u.first_name, u.last_name, u.title, u.application_experience, held.grants`)} as version
  from users u cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('teamId', n.team_id::text, 'groupId', n.group_id::text,
      'roleId', n.role_id::text, 'added', n.added, 'removed', n.removed)
      || case when n.is_provisioned then '{"isProvisioned": true}'::jsonb else '{}' end order by n.team_id, n.group_id), '[]') as grants
    from grants n where n.user_id = u.id) held
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('teamId', p.team_id::text, 'groupId', p.group_id::text,
      'roleId', p.role_id::text, 'added', p.added, 'removed', p.removed) order by p.team_id, p.group_id), '[]') as grants
    from pending_grants p where p.user_id = u.id) waiting
  where ${where}`;

export interface UserFilters extends PagedNames {
  status?: UserStatus | undefined;
  teamId?: string | undefined;
  groupId?: string | undefined;
  roleId?: string | undefined;
  lastSignIn?: LastSignIn | undefined;
  signsInBy?: SignInWay | undefined;
  sort: UserSort;
}

const BY_NAME = sql`u.last_name, u.first_name, u.id`;
const ORDERS: Record<UserSort, Sql> = {
  NAME: BY_NAME,
  LAST_SIGN_IN: sql`u.current_login_at desc nulls last, ${BY_NAME}`,
  LONGEST_AWAY: sql`u.current_login_at nulls first, ${BY_NAME}`,
  CREATED: sql`u.created_at desc, u.id desc`,
};

const HAS_FACTOR = sql`(u.mfa_opted_in or exists (select from passkeys k where k.user_id = u.id))`;
const WAYS: Record<SignInWay, Sql> = {
  SSO: IS_SSO,
  SECOND_FACTOR: sql`(not ${IS_SSO} and ${HAS_FACTOR})`,
  PASSWORD_ONLY: sql`(not ${IS_SSO} and not ${HAS_FACTOR})`,
};

const DAYS_AWAY: Record<Exclude<LastSignIn, 'NEVER'>, number> = { OVER_30_DAYS: 30, OVER_90_DAYS: 90 };
const lastSignedIn = (filter: LastSignIn, now: Date): Sql =>
  filter === 'NEVER'
    ? sql`u.current_login_at is null`
    : sql`coalesce(u.current_login_at <= ${now}::timestamptz - make_interval(days => ${DAYS_AWAY[filter]}), true)`;

/** SQL: one and the same grant of the user fits all three. */
const holds = ({ teamId, groupId, roleId }: UserFilters): Sql => {
  const conditions = [
    ...(teamId === undefined ? [] : [sql`n.team_id = ${teamId}`]),
    ...(groupId === undefined ? [] : [sql`n.group_id = ${groupId}`]),
    ...(roleId === undefined ? [] : [sql`n.role_id = ${roleId}`]),
  ];
  return conditions.length === 0
    ? sql`true`
    : sql`exists (select from grants n where n.user_id = u.id and ${join(conditions, ' and ')})`;
};

/** Returns a page of the users who fit the filters; the text is looked for in name and username. */
export async function findUsers(db: Queryable, scope: Scope, filters: UserFilters, now: Date) {
  const { status, lastSignIn, signsInBy, sort } = filters;
  const where = join(
    [
      isOwn(scope, sql`u.organization_id`),
      sql`(${namedLike(sql`u.username`, filters)} or ${namedLike(sql`u.first_name || ' ' || u.last_name`, filters)})`,
      ...(status === undefined ? [] : [sql`${userStatus(now)} = ${status}`]),
      ...(lastSignIn === undefined ? [] : [lastSignedIn(lastSignIn, now)]),
      ...(signsInBy === undefined ? [] : [WAYS[signsInBy]]),
      holds(filters),
    ],
    ' and ',
  );
  const order = sql`order by ${ORDERS[sort]}`;
  // The page first: otherwise the grants of every user would be collected, and then dropped.
  const onPage = sql`u.id in (select u.id from users u where ${where} ${order} ${pageOf(filters)})`;
  const { rows } = await db.query<AdminUser>(sql`${users(scope, onPage, now)} ${order}`);
  const count = sql`select count(*)::int as total from users u where ${where}`;
  return { users: rows, ...(await countPages(db, count, filters)) };
}

/** Returns null for a user of another organization. */
export async function findUser(db: Queryable, scope: Scope, id: string, now: Date): Promise<AdminUser | null> {
  const { rows } = await db.query<AdminUser>(
    users(scope, sql`u.id = ${id} and ${isOwn(scope, sql`u.organization_id`)}`, now),
  );
  return rows[0] ?? null;
}

/** Returns which of these usernames are accounts that the administrator sees. Those of other organizations are not named. */
export async function existingUsernames(db: Queryable, scope: Scope, usernames: readonly string[]): Promise<string[]> {
  const lower = usernames.map((username) => username.toLowerCase());
  const { rows } = await db.query<{ username: string }>(sql`
    select u.username from users u
    where u.username = any (${lower}::text[]) and ${isOwn(scope, sql`u.organization_id`)} order by u.username`);
  return rows.map(({ username }) => username);
}

/** What administrators are not shown, but what decides whether they may act on the account. */
export interface Account {
  organizationId: string;
  isOperator: boolean;
}

export async function findAccount(db: Queryable, id: string): Promise<Account> {
  const { rows } = await db.query<Account>(
    sql`select organization_id as "organizationId", is_operator as "isOperator" from users where id = ${id}`,
  );
  return rows[0] as Account;
}

/** Returns how many of the grants fit the organization: the group belongs to the team, and team, group and role to the organization. */
export async function countGrantable(db: Queryable, organizationId: string, grants: readonly Grant[]): Promise<number> {
  const { rowCount } = await db.query(sql`
    select from unnest(${grants.map((g) => g.teamId)}::bigint[], ${grants.map((g) => g.groupId)}::bigint[],
        ${grants.map((g) => g.roleId)}::bigint[]) as wanted (team_id, group_id, role_id)
      join team_groups tg using (team_id, group_id)
      join teams t on t.id = tg.team_id and t.organization_id = ${organizationId}
      join groups g on g.id = tg.group_id and g.organization_id = ${organizationId}
      join roles r on r.id = wanted.role_id and r.ended_at is null and (r.organization_id is null or r.organization_id = ${organizationId})`);
  return rowCount;
}

/** Returns whether an enabled connection of the organization gives its users this experience. */
export async function hasConnectionFor(
  db: Queryable,
  organizationId: string,
  experience: AdminUser['applicationExperience'],
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select from sso_connections
    where organization_id = ${organizationId} and application_experience = ${experience} and is_enabled`);
  return rowCount > 0;
}

/** Replaces all grants of the user but those that follow from a group of the identity provider. */
export async function replaceGrants(db: Queryable, userId: string, grants: readonly Grant[]): Promise<void> {
  await db.query(sql`delete from grants where user_id = ${userId} and not is_provisioned`);
  for (const { teamId, groupId, roleId, added, removed } of grants) {
    await db.query(sql`
      insert into grants (user_id, team_id, group_id, role_id, added, removed)
      values (${userId}, ${teamId}, ${groupId}, ${roleId}, ${added}, ${removed})
      on conflict (user_id, team_id, group_id) do nothing`);
  }
}

export async function updateUser(
  db: Queryable,
  id: string,
  {
    firstName,
    lastName,
    title,
    applicationExperience,
  }: Pick<AdminUser, 'firstName' | 'lastName' | 'applicationExperience'> & { title?: string | null | undefined },
): Promise<void> {
  await db.query(sql`
    update users set first_name = ${firstName}, last_name = ${lastName}, title = ${title || null},
      application_experience = ${applicationExperience}
    where id = ${id}`);
}

export async function setDisabled(db: Queryable, userId: string, disabledAt: Date | null): Promise<void> {
  await db.query(sql`
    update users set disabled_at = ${disabledAt}::timestamptz,
      deprovisioned_at = case when ${disabledAt}::timestamptz is null then null else deprovisioned_at end
    where id = ${userId}`);
}

/** Deletes the mailed links that were not used yet, so that they stop working. */
export async function deleteUnusedTokens(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`delete from account_tokens where user_id = ${userId} and used_at is null`);
}

/** Removes the time-based second factor with its recovery codes, and all passkeys. */
export async function clearSecondFactors(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`
    update users set mfa_secret = null, mfa_last_step = null, mfa_opted_in = false where id = ${userId}`);
  await db.query(sql`delete from recovery_codes where user_id = ${userId}`);
  await db.query(sql`delete from passkeys where user_id = ${userId}`);
}

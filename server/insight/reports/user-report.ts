/** The report of the users: who has access, how they sign in, and when they were last there. */

import type { UserColumn } from '#contract/report-words.ts';
import type { ReportedUser, UserReportFilters } from '#contract/reports.ts';
import { managedElsewhere } from '#server/people/accounts/managed-elsewhere.ts';
import { isOwn, organizationFor, type Scope } from '#server/people/admin/admin-scope.ts';
import { countPages, type Page, pageOf } from '#server/people/admin/paged.ts';
import { userStatus } from '#server/people/admin/users/queries.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import { direction, grantedWhere, namedOrMailed } from './conditions.ts';

/** Who asks, and when. */
export interface Asked {
  scope: Scope;
  /** Of the reader. */
  timeZone: string;
  now: Date;
}

const secondFactor = sql`
  case
    when u.sso_connection_id is not null or ${managedElsewhere} then 'SSO'
    when exists (select from passkeys k where k.user_id = u.id) then case when u.mfa_opted_in then 'BOTH' else 'PASSKEY' end
    when u.mfa_opted_in then 'CODE'
    else 'NONE' end`;

const lastActive = sql`
  greatest(seen.at, (select p.last_at from page_uses p where p.user_id = u.id order by p.last_at desc limit 1))`;

/** SQL: the users with the last activity of their sessions, and their sign-ins in the period. */
const usersWithActivity = (days: number, now: Date): Sql => sql`
  users u
    left join (select user_id, max(last_seen_at) as at from sessions group by user_id) seen on seen.user_id = u.id
    left join (
      select subject_id, count(*)::int as times from audit_entries
      where subject = 'user' and action = 'sign-in' and at > ${now}::timestamptz - make_interval(days => ${days})
      group by subject_id) signed on signed.subject_id = u.id`;

const numberOf = (what: Sql): Sql => sql`(select count(distinct ${what}) from grants n where n.user_id = u.id)`;

const sortOf = (column: UserColumn, now: Date): Sql =>
  ({
    name: sql`u.last_name`,
    email: sql`u.username`,
    title: sql`u.title`,
    status: userStatus(now),
    teams: numberOf(sql`n.team_id`),
    groups: numberOf(sql`n.group_id`),
    roles: numberOf(sql`n.role_id`),
    lastSignIn: sql`u.current_login_at`,
    secondFactor,
    created: sql`u.created_at`,
    invited: sql`u.last_activation_email_at`,
    activated: sql`u.activated_at`,
    lastActive,
    signIns: sql`coalesce(signed.times, 0)`,
  })[column];

function whereOf(filters: UserReportFilters, { scope, timeZone, now }: Asked): Sql {
  const { status, lastSignIn, lastSignInDay } = filters;
  const since = sql`(${lastSignInDay ?? null}::date)::timestamp at time zone ${timeZone}`;
  const conditions = [isOwn(scope, sql`u.organization_id`), namedOrMailed(filters), grantedWhere(filters)];
  if (status !== undefined) conditions.push(sql`${userStatus(now)} = ${status}`);
  if (filters.secondFactor !== undefined) conditions.push(sql`${secondFactor} = ${filters.secondFactor}`);
  if (lastSignIn === 'never') conditions.push(sql`u.current_login_at is null`);
  else if (lastSignIn !== undefined && lastSignInDay !== undefined)
    conditions.push(lastSignIn === 'before' ? sql`u.current_login_at < ${since}` : sql`u.current_login_at >= ${since}`);
  return join(conditions, ' and ');
}

/** Returns the ids of the users that match, in order; without a page, all of them. */
export async function findReportedUsers(
  db: Queryable,
  asked: Asked,
  filters: UserReportFilters,
  page?: Page,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select u.id from ${usersWithActivity(filters.days, asked.now)}
    where ${whereOf(filters, asked)}
    order by ${sortOf(filters.sort, asked.now)} ${direction(filters.order)}, u.last_name, u.first_name, u.id
    ${page ? pageOf(page) : sql``}`);
  return rows.map(({ id }) => id);
}

/** Returns these users, in the order of the ids. */
export async function loadReportedUsers(
  db: Queryable,
  { scope, now }: Asked,
  ids: readonly string[],
  days: number,
): Promise<ReportedUser[]> {
  const { rows } = await db.query<ReportedUser>(sql`
    select u.id, u.first_name as "firstName", u.last_name as "lastName", u.username, u.title, ${userStatus(now)} as status,
      array(select distinct t.name from grants n join teams t on t.id = n.team_id where n.user_id = u.id order by 1) as teams,
      array(select distinct g.name from grants n join groups g on g.id = n.group_id where n.user_id = u.id order by 1) as groups,
      array(select distinct r.name from grants n join roles r on r.id = n.role_id where n.user_id = u.id order by 1) as roles,
      u.current_login_at as "lastSignInDate", ${secondFactor} as "secondFactor", u.created_at as "createdDate",
      u.last_activation_email_at as "invitedDate", u.activated_at as "activatedDate", ${lastActive} as "lastActiveDate",
      coalesce(signed.times, 0) as "signIns", ${organizationFor(scope, sql`u.organization_id`)} as organization
    from ${usersWithActivity(days, now)}
    where u.id = any (${ids}::bigint[]) and ${isOwn(scope, sql`u.organization_id`)}
    order by array_position(${ids}::bigint[], u.id)`);
  return rows;
}

/** Returns a page of the report. */
export async function userReport(db: Queryable, asked: Asked, filters: UserReportFilters & Page) {
  const ids = await findReportedUsers(db, asked, filters, filters);
  const users = await loadReportedUsers(db, asked, ids, filters.days);
  const count = sql`select count(*)::int as total from users u where ${whereOf(filters, asked)}`;
  return { users, ...(await countPages(db, count, filters)) };
}

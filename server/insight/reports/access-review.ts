/** The access review: who may do what on which team for which group, and when they last did (docs/decisions/0098). */
import { PERMISSION_FLAGS, type Permission } from '#contract/permissions.ts';
import { type AccessColumn, DORMANT_AFTER_DAYS, type DormantReason } from '#contract/report-words.ts';
import type { AccessReviewFilters, ReviewedAccess } from '#contract/reports.ts';
import { RECORDED_FLAGS, RIGHT_SIGNS } from '#contract/right-uses.ts';
import { isOwn, organizationFor, type Scope } from '#server/people/admin/admin-scope.ts';
import { type Page, pageOf } from '#server/people/admin/paged.ts';
import { userStatus } from '#server/people/admin/users/queries.ts';
import { withoutNestedLoops } from '#server/platform/database/nested-loops.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import { direction, grantConditions, namedOrMailed } from './conditions.ts';

/** A grant: what a user may do on a team for a group. */
export interface AccessKey {
  userId: string;
  teamId: string;
  groupId: string;
}

const SORTS: Record<AccessColumn, Sql> = {
  name: sql`u.last_name`,
  email: sql`u.username`,
  status: sql`status`,
  team: sql`t.name`,
  group: sql`g.name`,
  role: sql`r.name`,
  permissions: sql`cardinality(n.flags)`,
  lastSignIn: sql`u.current_login_at`,
  lastUsed: sql`n.last_at`,
  neverUsed: sql`n.never_used`,
  dormant: sql`(no_sign_in::int + never_used_any::int)`,
};

/**
 * SQL: `uses_of`, what each user used on each team; and `judged`, one row for each user, team and set of permissions, with the groups that
 * it is for. A set is judged once: most users have one role for all groups of a team.
 */
function judged(scope: Scope, users: readonly string[] | null): Sql {
  const [signs, flags] = [RIGHT_SIGNS.map(([sign]) => sign), RIGHT_SIGNS.map(([, flag]) => flag)];
  const only = (column: Sql): Sql => (users === null ? sql`true` : sql`${column} = any (${users}::bigint[])`);
  return sql`
    with uses_of as materialized (
      select user_id, team_id, jsonb_object_agg(flag, jsonb_build_array(last_at, sign)) as uses
      from (
        select distinct on (x.user_id, x.team_id, s.flag) x.user_id, x.team_id, s.flag, x.last_at, x.sign
        from right_uses x
          join unnest(${signs}::text[], ${flags}::text[]) as s (sign, flag)
            on s.sign = case when x.sign like 'analytics %' then 'analytics' else x.sign end
        where ${isOwn(scope, sql`x.organization_id`)} and ${only(sql`x.user_id`)}
        order by x.user_id, x.team_id, s.flag, x.last_at desc) last
      group by user_id, team_id),
    judged as materialized (
      select h.user_id, h.team_id, h.role_id, h.group_ids, f.flags, o.uses, l.last_at, f.recorded - l.used as never_used, l.used
      from (
          select n.user_id, n.team_id, n.role_id, n.added, n.removed, array_agg(n.group_id) as group_ids
          from grants n join users u on u.id = n.user_id
          where ${isOwn(scope, sql`u.organization_id`)} and ${only(sql`n.user_id`)}
          group by 1, 2, 3, 4, 5) h
        join roles r on r.id = h.role_id
        cross join lateral (
          select coalesce(array_agg(flag), '{}') as flags, count(*) filter (where flag = any (${[...RECORDED_FLAGS]}::text[]))::int as recorded
          from (select distinct unnest(r.permissions || h.added)) as held (flag)
          where flag <> all (h.removed) and flag = any (${[...PERMISSION_FLAGS]}::text[])) f
        left join uses_of o on o.user_id = h.user_id and o.team_id = h.team_id
        cross join lateral (
          select max((e.value ->> 0)::timestamptz) as last_at, count(*)::int as used
          from jsonb_each(coalesce(o.uses, '{}')) as e where e.key = any (f.flags)) l)`;
}

/** SQL: grants with their user, place, role and what is known of their use. */
function accesses(now: Date): Sql {
  const longAgo = sql`${now}::timestamptz - make_interval(days => ${DORMANT_AFTER_DAYS})`;
  return sql`
    (select j.*, unnest(j.group_ids) as group_id from judged j) n
      join users u on u.id = n.user_id
      join teams t on t.id = n.team_id
      join groups g on g.id = n.group_id
      join roles r on r.id = n.role_id
      cross join lateral (
        select ${userStatus(now)} as status, coalesce(u.current_login_at, u.created_at) <= ${longAgo} as no_sign_in,
          n.used = 0 and n.never_used > 0 and coalesce(u.first_login_at, u.created_at) <= ${longAgo} as never_used_any) found`;
}

function whereOf(filters: AccessReviewFilters): Sql {
  const { status, permission, dormant } = filters;
  const conditions = [namedOrMailed(filters), ...grantConditions(filters)];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (permission !== undefined) conditions.push(sql`${permission} = any (n.flags)`);
  if (dormant === 'true') conditions.push(sql`(no_sign_in or never_used_any)`);
  return join(conditions, ' and ');
}

/** Returns the grants that match, in order, and how many there are; without a page, all of them. `tx`: a transaction. */
export async function findAccesses(
  tx: Queryable,
  scope: Scope,
  filters: AccessReviewFilters,
  now: Date,
  page?: Page,
): Promise<{ keys: AccessKey[]; total: number }> {
  const find = sql`
    ${judged(scope, null)}
    select n.user_id as "userId", n.team_id as "teamId", n.group_id as "groupId", count(*) over ()::int as total
    from ${accesses(now)}
    where ${whereOf(filters)}
    order by ${SORTS[filters.sort]} ${direction(filters.order)}, u.last_name, u.first_name, u.id, t.name, g.name, t.id, g.id
    ${page ? pageOf(page) : sql``}`;
  // Few rows are expected of what is counted in `judged`.
  const { rows } = await withoutNestedLoops(tx, () => tx.query<AccessKey & { total: number }>(find));
  const total = rows[0]?.total ?? 0;
  return { keys: rows.map(({ userId, teamId, groupId }) => ({ userId, teamId, groupId })), total };
}

interface Row extends Omit<ReviewedAccess, 'permissions' | 'dormant'> {
  flags: Permission[];
  /** By permission: when it was last used, and the call or page that shows it. */
  uses: Partial<Record<Permission, [at: string, sign: string]>> | null;
  noSignIn: boolean;
  neverUsedAny: boolean;
}

/** Returns these grants, in the order of the keys. `tx`: a transaction. */
export async function loadAccesses(
  tx: Queryable,
  scope: Scope,
  keys: readonly AccessKey[],
  now: Date,
): Promise<ReviewedAccess[]> {
  const [users, teams, groups] = [
    keys.map(({ userId }) => userId),
    keys.map(({ teamId }) => teamId),
    keys.map(({ groupId }) => groupId),
  ];
  const load = sql`
    ${judged(scope, [...new Set(users)])}
    select concat_ws('_', n.user_id, n.team_id, n.group_id) as id, status, n.flags, n.uses, u.current_login_at as "lastSignInDate",
      jsonb_build_object('id', u.id::text, 'firstName', u.first_name, 'lastName', u.last_name, 'username', u.username) as "user",
      jsonb_build_object('id', t.id::text, 'name', t.name) as team, jsonb_build_object('id', g.id::text, 'name', g.name) as "group",
      jsonb_build_object('id', r.id::text, 'name', r.name) as role, n.last_at as "lastUsedDate", n.never_used as "neverUsed",
      no_sign_in as "noSignIn", never_used_any as "neverUsedAny", ${organizationFor(scope, sql`u.organization_id`)} as organization
    from ${accesses(now)}
      join unnest(${users}::bigint[], ${teams}::bigint[], ${groups}::bigint[]) with ordinality as k (user_id, team_id, group_id, place)
        on k.user_id = n.user_id and k.team_id = n.team_id and k.group_id = n.group_id
    order by place`;
  const { rows } = await withoutNestedLoops(tx, () => tx.query<Row>(load));
  return rows.map(accessOf);
}

function accessOf({ flags, uses, noSignIn, neverUsedAny, ...row }: Row): ReviewedAccess {
  const reasons: [boolean, DormantReason][] = [
    [noSignIn, 'NO_SIGN_IN'],
    [neverUsedAny, 'NEVER_USED'],
  ];
  return {
    ...row,
    permissions: PERMISSION_FLAGS.filter((flag) => flags.includes(flag)).map((flag) => {
      const [at, sign] = uses?.[flag] ?? [null, ''];
      return {
        flag,
        isRecorded: RECORDED_FLAGS.has(flag),
        // PostgreSQL writes another form of the instant into JSON.
        lastUsedDate: at === null ? null : new Date(at).toISOString(),
        source: at === null ? null : sign.includes(' /') ? 'CALL' : 'PAGE',
      };
    }),
    dormant: reasons.flatMap(([applies, reason]) => (applies ? [reason] : [])),
  };
}

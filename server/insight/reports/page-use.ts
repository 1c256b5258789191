/** The route audit report: which pages were opened by whom, and which by no one. */

import { DAY } from '#contract/durations.ts';
import { type PageColumn, pageName } from '#contract/report-words.ts';
import type { PageReportFilters, ReportedPage } from '#contract/reports.ts';
import { locationsOfPages } from '#contract/used-pages.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { type Page, pageOf } from '#server/people/admin/paged.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import { direction, namedOrMailed } from './conditions.ts';

const SORTS: Record<PageColumn, Sql> = {
  page: sql`name`,
  team: sql`team_name`,
  user: sql`user_name`,
  users: sql`users`,
  uses: sql`uses`,
  lastUsed: sql`last_at`,
};

/** The first day of the period, of which today is the last. */
const firstDay = (days: number, timeZone: string, now: Date): string =>
  localDateOf(now.getTime() - (days - 1) * DAY, timeZone);

/** SQL: how often each page was opened, by the columns of the grouping, with the pages that no one opened. */
function pagesUsed({ actor }: ActorTransaction, filters: PageReportFilters, now: Date): Sql {
  const { by, ofTeamId, page, use, days } = filters;
  // With a page, each of its own: all spotlights. Pages that no longer exist don't count.
  const asked = locationsOfPages().filter(
    (location) => page === undefined || location === page || location.startsWith(`${page} `),
  );
  const conditions = [
    sql`p.day >= ${firstDay(days, actor.timeZone, now)}::date`,
    sql`p.location = any (${asked}::text[])`,
    namedOrMailed(filters),
    ...(ofTeamId === undefined ? [] : [sql`p.team_id = ${ofTeamId}`]),
    ...(actor.isOperator ? [] : [sql`p.organization_id = ${actor.organizationId}`]),
  ];
  const team = by === 'page' ? sql`null::bigint` : sql`p.team_id`;
  const user = by === 'user' ? sql`p.user_id` : sql`null::bigint`;
  const limit = use === 'used' ? sql`where g.uses is not null` : use === 'unused' ? sql`where g.uses is null` : sql``;
  return sql`
    with used as (
      select p.location, ${team} as team_id, ${user} as user_id, sum(p.uses)::int as uses, count(distinct p.user_id)::int as users,
        max(p.last_at) as last_at
      from page_uses p join users_of_usage() u on u.id = p.user_id
      where ${join(conditions, ' and ')}
      group by 1, 2, 3),
    shown as (
      select e.location as page, e.name, g.team_id, t.name as team_name, g.user_id, u.last_name || ', ' || u.first_name as user_name,
        u.username, coalesce(g.uses, 0) as uses, coalesce(g.users, 0) as users, g.last_at
      from unnest(${asked}::text[], ${asked.map(pageName)}::text[]) as e (location, name)
        left join used g using (location)
        left join teams t on t.id = g.team_id
        left join users_of_usage() u on u.id = g.user_id
      ${limit})`;
}

/** Returns the report, or one page of it. */
export async function pageReport(
  tx: ActorTransaction,
  filters: PageReportFilters,
  now: Date,
  page?: Page,
): Promise<{ pages: ReportedPage[]; total: number }> {
  const shown = pagesUsed(tx, filters, now);
  const { rows } = await tx.query<ReportedPage>(sql`
    ${shown}
    select concat_ws('/', page, coalesce(team_id, 0), coalesce(user_id, 0)) as id, page, users, uses, last_at as "lastUsedDate",
      case when team_id is not null then jsonb_build_object('id', team_id::text, 'name', team_name) end as team,
      case when user_id is not null then jsonb_build_object('id', user_id::text, 'name', user_name, 'username', username) end as "user"
    from shown
    order by ${SORTS[filters.sort]} ${direction(filters.order)}, name, user_name nulls last, team_name nulls last, user_id, team_id
    ${page ? pageOf(page) : sql``}`);
  const { rows: counted } = await tx.query<{ total: number }>(sql`${shown} select count(*)::int as total from shown`);
  return { pages: rows, total: counted[0]?.total ?? 0 };
}

/** Returns the teams to filter by. */
export async function teamsOfReport(tx: ActorTransaction): Promise<{ id: string; name: string }[]> {
  const { actor } = tx;
  const { rows } = await tx.query<{ id: string; name: string }>(sql`
    select id, name from teams
    where ${actor.isOperator} or organization_id = ${actor.organizationId} order by name, id`);
  return rows;
}

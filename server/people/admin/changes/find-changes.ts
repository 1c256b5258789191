import { type ChangesFilters, UNKNOWN_ORGANIZATION } from '#contract/admin-changes.ts';
import { actionsOf } from '#contract/audit-log-words.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import type { Scope } from '../admin-scope.ts';

/** Who reads the audit log. Days are those of the reader's time zone. */
export interface LogReader {
  scope: Pick<Scope, 'isOperator' | 'organizationId'>;
  timeZone: string;
}

/** An entry as it is stored, without what only the pipeline may read. */
export interface LoggedEntry {
  id: string;
  date: string;
  action: string;
  by: { id: string; name: string } | null;
  through: { id: string; name: string | null } | null;
  subject: { id: string | null; name: string | null };
  route: string | null;
  organization: { id: string; name: string } | null;
  address: string | null;
  detail: Record<string, unknown>;
}

/** SQL: the entries `a` that the filters select. Each condition is one that an index answers. */
export function selectedBy({ scope, timeZone }: LogReader, { userId, byId, kind, from, to }: ChangesFilters): Sql {
  const startOf = (day: string, plus: number) =>
    sql`((${day}::date + ${plus}::integer)::timestamp at time zone ${timeZone})`;
  const conditions = [sql`a.in_log`];
  if (!scope.isOperator) conditions.push(sql`a.organization_id = ${scope.organizationId}`);
  if (userId !== undefined) conditions.push(sql`a.subject = 'user' and a.subject_id = ${userId}`);
  if (byId !== undefined) conditions.push(sql`a.user_id = ${byId}`);
  if (kind !== undefined) conditions.push(sql`a.action = any (${actionsOf(kind)})`);
  if (from !== undefined) conditions.push(sql`a.at >= ${startOf(from, 0)}`);
  if (to !== undefined) conditions.push(sql`a.at < ${startOf(to, 1)}`);
  return join(conditions, ' and ');
}

/** Returns how many entries are selected, counting up to `most`. */
export async function countChanges(db: Queryable, selected: Sql, most: number): Promise<number> {
  const { rows } = await db.query<{ total: number }>(sql`
    select count(*)::integer as total from (select from audit_entries a where ${selected} limit ${most}) counted`);
  return rows[0]?.total ?? 0;
}

/**
 * SQL: the names of what entries `a` are about. A refused call names nothing: it may have been about someone else's.
 */
const subjects = sql`
  select first_name || ' ' || last_name as name from users where a.subject = 'user' and id = a.subject_id
  union all select name from organizations where a.subject = 'organization' and id = a.subject_id
  union all select name from teams where a.subject = 'team' and id = a.subject_id
  union all select name from groups where a.subject = 'group' and id = a.subject_id
  union all select name from roles where a.subject = 'role' and id = a.subject_id
  union all select name from hl7_programs where a.subject = 'hl7-program' and id = a.subject_id
  union all select name from feeds where a.subject = 'feed' and id = a.subject_id
  union all select name from sso_connections where a.subject = 'sso-connection' and id = a.subject_id
  union all select first_name || ' ' || last_name from access_requests where a.subject = 'access-request' and id = a.subject_id`;

/** SQL: of sign-ins and refusals only codes, because others of their details are hashes of what was typed. */
const shownDetail = sql`
  case when a.action in ('sign-in', 'sign-in.failed', 'sign-in.locked', 'access.refused')
    then jsonb_strip_nulls(jsonb_build_object('way', a.detail -> 'way', 'errorKey', a.detail -> 'errorKey',
      'teamId', a.detail -> 'teamId', 'repeated', a.detail -> 'repeated', 'since', a.detail -> 'since'))
    else a.detail end`;

/** Returns entries that are selected, newest first. */
export async function findChanges(
  db: Queryable,
  { isOperator }: Pick<Scope, 'isOperator'>,
  selected: Sql,
  { limit, offset }: { limit: number; offset: number },
): Promise<LoggedEntry[]> {
  const { rows } = await db.query<LoggedEntry>(sql`
    with a as materialized (
      select a.* from audit_entries a where ${selected} order by a.at desc, a.id desc limit ${limit} offset ${offset})
    select a.id, a.at as date, a.action, a.route, a.address, ${shownDetail} as detail,
      case when a.user_id is not null then jsonb_build_object('id', a.user_id::text, 'name', name_of_user(a.user_id)) end as by,
      case when a.detail ? 'connectionId' then jsonb_build_object('id', a.detail ->> 'connectionId', 'name', c.name) end as through,
      case when a.action = 'access.refused' then jsonb_build_object('id', null, 'name', null)
        else jsonb_build_object('id', a.subject_id::text, 'name', about.name) end as subject,
      case when ${isOperator} then jsonb_build_object('id', coalesce(o.id::text, ${UNKNOWN_ORGANIZATION.id}),
        'name', coalesce(o.name, ${UNKNOWN_ORGANIZATION.name})) end as organization
    from a
      left join lateral (${subjects}) about on a.action <> 'access.refused'
      left join organizations o on o.id = a.organization_id
      left join sso_connections c on c.id = (a.detail ->> 'connectionId')::bigint
    order by a.at desc, a.id desc`);
  return rows;
}

import type { AdminChange } from '#contract/admin-changes.ts';
import { CHANGE_WORDS } from '#contract/change-words.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { join, sql } from '#server/platform/database/sql.ts';
import { isOwn, type Scope } from '../admin-scope.ts';

/**
 * Returns what was changed in the administrator's organization, newest first; with `userId`, only changes to that account. Row-level
 * security shows the app role only administrative audit entries.
 */
export async function listChanges(
  db: Queryable,
  scope: Scope,
  { userId, pageNumber, pageSize }: { userId?: string | undefined; pageNumber: number; pageSize: number },
): Promise<{ changes: AdminChange[]; total: number; numPages: number }> {
  const where = join(
    [
      sql`a.action = any (${Object.keys(CHANGE_WORDS)})`,
      // A removed connection has no row any more; the organization of the administrator who removed it decides.
      isOwn(scope, sql`coalesce(about.organization_id, by.organization_id)`),
      sql`(${userId ?? null}::bigint is null or (a.subject = 'user' and a.subject_id = ${userId ?? null}))`,
    ],
    ' and ',
  );
  const from = sql`
    from audit_entries a
      left join users by on by.id = a.user_id
      left join lateral (
        select organization_id, first_name || ' ' || last_name as name from users where a.subject = 'user' and id = a.subject_id
        union all select id, name from organizations where a.subject = 'organization' and id = a.subject_id
        union all select organization_id, name from teams where a.subject = 'team' and id = a.subject_id
        union all select organization_id, name from groups where a.subject = 'group' and id = a.subject_id
        union all select organization_id, name from roles where a.subject = 'role' and id = a.subject_id
        union all select organization_id, name from hl7_programs where a.subject = 'hl7-program' and id = a.subject_id
        union all select organization_id, name from feeds where a.subject = 'feed' and id = a.subject_id
        union all select organization_id, name from sso_connections where a.subject = 'sso-connection' and id = a.subject_id
        union all select g.organization_id, q.first_name || ' ' || q.last_name
          from access_requests q join groups g on g.id = q.group_id where a.subject = 'access-request' and q.id = a.subject_id
      ) about on true
      left join sso_connections c on c.id = (a.detail ->> 'connectionId')::bigint
    where ${where}`;
  const { rows: counted } = await db.query<{ total: number }>(sql`select count(*)::int as total ${from}`);
  const { rows } = await db.query<AdminChange>(sql`
    select a.id, a.at as date, a.action, a.detail,
      case when a.user_id is not null then jsonb_build_object('id', a.user_id::text, 'name', name_of_user(a.user_id)) end as by,
      case when a.detail ? 'connectionId' then jsonb_build_object('id', a.detail ->> 'connectionId', 'name', c.name) end as through,
      jsonb_build_object('id', a.subject_id::text, 'name', about.name) as subject
    ${from} order by a.at desc, a.id desc
    limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`);
  const total = counted[0]?.total ?? 0;
  return { changes: rows, total, numPages: Math.ceil(total / pageSize) };
}

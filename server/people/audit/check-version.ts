import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { AuditEntry } from './write-audit.ts';

/**
 * Throws CHANGED_BY_OTHER, with the present version and who made the last change, if the subject has changed since the caller read it.
 * `read` is the version that the caller saw; without it nothing is checked.
 */
export async function checkVersion(
  db: Queryable,
  {
    subject,
    id,
    current: { version },
    read,
  }: { subject: AuditEntry['subject']; id: string; current: { version: string }; read: string | undefined },
): Promise<void> {
  if (read === undefined || read === version) return;
  const { rows } = await db.query<{ name: string; date: string }>(sql`
    select coalesce(name_of_user(a.user_id), c.name) as name, a.at as date
    from audit_entries a left join sso_connections c on c.id = (a.detail ->> 'connectionId')::bigint
    where coalesce(a.user_id, c.id) is not null and a.subject = ${subject} and a.subject_id = ${id} and a.action = any (${CHANGES.map((change) => `${subject}.${change}`)})
    order by a.at desc, a.id desc limit 1`);
  throw new ApiError('CHANGED_BY_OTHER', { standing: { version, last: rows[0] ?? null } });
}

/** Audited actions that change a subject's version. */
const CHANGES = ['invite', 'add', 'change'];

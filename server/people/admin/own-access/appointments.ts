/**
 * Who made whom an administrator. An administrator could invite an account of their own, and give themselves access with it. So for a while
 * no such account gives them any, and neither does one that it invites in turn.
 */
import { letsManage } from '#server/people/access/actor.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

const DEPENDENT_FOR = sql`interval '90 days'`;

/** Returns the enabled accounts that hold canManageUsers for any group. */
export async function findAdministrators(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select distinct u.id from grants n join roles r on r.id = n.role_id join users u on u.id = n.user_id
    where u.disabled_at is null and ${letsManage}`);
  return rows.map(({ id }) => id);
}

/** Records that `by` made administrators of those who were none `before`. Whoever manages another group already is someone by themselves. */
export async function noteAppointments(
  db: Queryable,
  { before, by, now }: { before: readonly string[]; by: string; now: Date },
): Promise<void> {
  const known = new Set([...before, by]);
  const appointed = (await findAdministrators(db)).filter((id) => !known.has(id));
  if (appointed.length === 0) return;
  await db.query(sql`
    update users set appointed_by = ${by}, appointed_at = ${now} where id = any (${appointed}::bigint[])`);
}

/**
 * Returns the users on whom this administrator depends: who invited them or made them an administrator in the last 90 days, who did so
 * with those users, and so on. An operator depends on no one.
 */
export async function findAppointers(db: Queryable, userId: string, now: Date): Promise<ReadonlySet<string>> {
  const since = sql`${now}::timestamptz - ${DEPENDENT_FOR}`;
  const { rows } = await db.query<{ id: string }>(sql`
    with recursive line (id) as (
      select ${userId}::bigint
      union
      select by.id from line join users u on u.id = line.id and not u.is_operator
        cross join lateral (values (u.invited_by, u.created_at), (u.appointed_by, u.appointed_at)) as by (id, at)
      where by.id is not null and by.at > ${since})
    select id from line where id <> ${userId}`);
  return new Set(rows.map(({ id }) => id));
}

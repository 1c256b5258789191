import { letsManage } from '#server/people/access/actor.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/**
 * Returns whether the user's password alone may not open the account, and whether a passkey could: in production for operators and for those
 * who manage users, and everywhere if the organization requires it (docs/decisions/0033).
 */
export async function secondFactorPolicy(
  db: Queryable,
  userId: string,
  { isProduction }: { isProduction: boolean },
): Promise<{ isRequired: boolean; hasPasskey: boolean }> {
  const { rows } = await db.query<{ isRequired: boolean; hasPasskey: boolean }>(sql`
    select exists (select from passkeys p where p.user_id = u.id) as "hasPasskey",
      o.requires_second_factor or (${isProduction}::boolean and (u.is_operator or exists (
        select from grants n join roles r on r.id = n.role_id where n.user_id = u.id and ${letsManage}))) as "isRequired"
    from users u join organizations o on o.id = u.organization_id where u.id = ${userId}`);
  return rows[0] ?? { isRequired: true, hasPasskey: false };
}

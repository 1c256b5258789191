import type { Actor } from '#server/people/access/actor.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { type AdminCall, administer } from '../administer.ts';

/** Returns whether everyone in the organization who signs in with a password needs a second factor. */
export async function requiresSecondFactor(
  db: Queryable,
  { organizationId }: Pick<Actor, 'organizationId'>,
): Promise<boolean> {
  const { rows } = await db.query<{ required: boolean }>(
    sql`select requires_second_factor as required from organizations where id = ${organizationId}`,
  );
  return rows[0]?.required ?? false;
}

/**
 * Decides it for the administrator's organization, from each user's next sign-in on. It concerns every account, so it throws NOT_PERMITTED
 * unless the administrator manages all groups of the organization.
 */
export function changeSecondFactorPolicy(db: Database, call: AdminCall, isRequired: boolean): Promise<void> {
  return administer(db, call, async ({ tx, scope, audit }) => {
    const message = 'Only an administrator who manages every group of the organization can change how people sign in.';
    await checkCoversAll(tx, scope, message);
    const { rowCount } = await tx.query(sql`
      update organizations set requires_second_factor = ${isRequired}
      where id = ${scope.organizationId} and requires_second_factor <> ${isRequired}`);
    if (rowCount === 0) return;
    const detail = { requiresSecondFactor: isRequired };
    await audit({ action: 'organization.change', subject: 'organization', subjectId: scope.organizationId, detail });
  });
}

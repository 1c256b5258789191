/** What an organization decides about its patients' records (docs/decisions/0060). */
import type { RecordSettings } from '#contract/record-settings.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { type AdminCall, administer } from '../administer.ts';

/** Returns the settings of the actor's organization. */
export async function recordSettings(
  db: Queryable,
  { organizationId }: Pick<Actor, 'organizationId'>,
): Promise<RecordSettings> {
  const { rows } = await db.query<RecordSettings>(sql`
    select allows_emergency_access as "allowsEmergencyAccess" from organizations where id = ${organizationId}`);
  const [settings] = rows;
  if (settings === undefined) throw new ApiError('NOT_FOUND');
  return settings;
}

/** Changes them. Errors: NOT_PERMITTED unless the administrator manages all groups of the organization, because they concern every facility. */
export function changeRecordSettings(db: Database, call: AdminCall, wanted: RecordSettings): Promise<RecordSettings> {
  return administer(db, call, async ({ tx, scope, audit }) => {
    const message = 'Only an administrator who manages every group of the organization can change this.';
    await checkCoversAll(tx, scope, message);
    const { organizationId } = scope;
    const before = await recordSettings(tx, { organizationId });
    await tx.query(sql`
      update organizations set allows_emergency_access = ${wanted.allowsEmergencyAccess} where id = ${organizationId}`);
    const changes = changedValues(before, wanted, Object.keys(wanted) as (keyof RecordSettings)[]);
    const about = {
      action: 'organization.record-settings',
      subject: 'organization',
      subjectId: organizationId,
    } as const;
    if (Object.keys(changes).length > 0) await audit({ ...about, detail: { changes } });
    return recordSettings(tx, { organizationId });
  });
}

import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** When and how a group came to read a person's visits at other organizations. */
export interface Opening {
  at: string;
  groupId: string;
  rosterPatientId: string;
  how: 'ROSTER' | 'MANUAL' | 'FEED' | 'REVIEW';
  /** Who uploaded, entered or decided; null for a feed. */
  userId: string | null;
  uploadId: string | null;
  opensFrom: string;
  /** Visits of other organizations that the opening made readable. */
  foreignVisits: number;
}

/** Returns the openings of a person's visits for these groups, newest first. */
export async function openingsOf(db: Queryable, personId: string, groupIds: readonly string[]): Promise<Opening[]> {
  const { rows } = await db.query<Opening>(sql`
    select at, group_id as "groupId", roster_patient_id as "rosterPatientId", how, user_id as "userId", upload_id as "uploadId",
      opens_from as "opensFrom", foreign_visits as "foreignVisits"
    from record_openings where person_id = ${personId} and group_id = any (${groupIds}::bigint[]) order by id desc`);
  return rows;
}

import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** In milliseconds: as long as their letters are kept. */
const KEPT = 90 * 86_400_000;

/** Deletes old notifications with the pings that they reported: no correction of these is sent any more. A daily job. */
export async function forgetNotifications(db: Queryable, now: Date): Promise<void> {
  await db.query(sql`delete from notifications where created_at < ${new Date(now.getTime() - KEPT)}`);
}

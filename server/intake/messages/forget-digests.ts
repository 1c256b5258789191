import { DAY } from '#contract/durations.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Thirteen months: an interface engine's archive, from which a hospital resends, seldom goes back further. */
export const DIGESTS_KEPT_DAYS = 400;

/**
 * Deletes the digests of old messages. A message that is resent even later is read again, and its visit is folded from one more equal fact, which
 * changes no event and sends no ping. A daily job.
 */
export async function forgetDigests(database: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DIGESTS_KEPT_DAYS * DAY);
  await database.query(sql`delete from message_digests where received_at < ${before}`);
}

import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { resolveForEndedListings } from '#server/record/pings/write-status.ts';

/** Ends the listings that have expired (`leaves_at`), resolves their open pings, and returns how many ended. A daily job. */
export async function endListings(tx: Queryable, now: Date): Promise<number> {
  const { rows } = await tx.query<{ id: string }>(
    sql`update roster_patients set left_at = ${now} where left_at is null and leaves_at <= ${now} returning id`,
  );
  await resolveForEndedListings(
    tx,
    rows.map(({ id }) => id),
    now,
  );
  return rows.length;
}

import type { Queryable } from '#server/database/pool.ts';

/** Makes the monthly partitions of the growing tables: from `from`'s month to three months past `now`. Called at start and daily. */
export async function ensurePartitions(database: Queryable, now: Date, from: Date = now): Promise<void> {
  const ahead = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 1));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  await database.query('select ensure_partitions($1::date, $2::date)', [day(from), day(ahead)]);
}

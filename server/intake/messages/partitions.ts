import { DAY } from '#contract/durations.ts';
import type { Queryable } from '#server/platform/database/pool.ts';

/** Creates the monthly partitions of the growing tables, from the month of `from` to three months after `now`. Runs at start and daily. */
export async function ensurePartitions(database: Queryable, now: Date, from: Date = now): Promise<void> {
  const ahead = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 1));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  await database.query('select ensure_partitions($1::date, $2::date)', [day(from), day(ahead)]);
}

/** Retention: see docs/operations.md. */
export const MESSAGES_KEPT_DAYS = 90;
/** 45 CFR 164.316(b)(2)(i) requires six years. */
const AUDIT_KEPT_YEARS = 6;

/**
 * Drops the months of messages and audit entries past their retention and returns the dropped partitions. A month with a quarantined
 * message stays; messages that wait are in no month. Facts, and the digests that recognize duplicates, are stored separately and stay. Runs daily.
 */
export async function dropOldPartitions(database: Queryable, now: Date): Promise<string[]> {
  const messagesFrom = new Date(now.getTime() - MESSAGES_KEPT_DAYS * DAY);
  const auditFrom = new Date(Date.UTC(now.getUTCFullYear() - AUDIT_KEPT_YEARS, now.getUTCMonth(), now.getUTCDate()));
  const { rows } = await database.query<{ name: string }>(
    "select name from drop_partitions('messages', $1) name union all select name from drop_partitions('audit_entries', $2) name",
    [messagesFrom.toISOString().slice(0, 10), auditFrom.toISOString().slice(0, 10)],
  );
  return rows.map(({ name }) => name);
}

import type { Queryable } from '#server/platform/database/pool.ts';

/** Makes the monthly partitions of the growing tables: from `from`'s month to three months past `now`. Called at start and daily. */
export async function ensurePartitions(database: Queryable, now: Date, from: Date = now): Promise<void> {
  const ahead = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 1));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  await database.query('select ensure_partitions($1::date, $2::date)', [day(from), day(ahead)]);
}

const DAY = 86_400_000;
/** Days that received messages are kept, and years that the audit is (architecture, rule 10; 45 CFR 164.316(b)(2)(i) asks for six). */
const MESSAGES_KEPT_DAYS = 90;
const AUDIT_KEPT_YEARS = 6;

/**
 * Drops the months of messages and audit that are older than they have to be kept; a month in which a message still waits or stands in
 * quarantine stays. Facts, and the digests that tell a resend, are kept on their own. Answers what was dropped. A daily job.
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

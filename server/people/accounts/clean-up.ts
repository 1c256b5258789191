import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Deletes what has run out: begun sign-ins and enrolments, phone codes (a day after), mailed tokens, sessions that ended or that nobody
 * used, letters, sent or not, and guesses at names that nobody has (90 days after). A daily job.
 */
export async function forgetExpired(db: Queryable, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY);
  await db.query(sql`delete from sign_in_challenges where expires_at < ${before(1)}`);
  await db.query(sql`delete from phone_verifications where created_at < ${before(1)}`);
  await db.query(sql`delete from account_tokens where expires_at < ${before(90)}`);
  await db.query(sql`delete from sessions where coalesce(ended_at, last_seen_at) < ${before(90)}`);
  await db.query(sql`delete from outbox where created_at < ${before(90)}`);
  await db.query(sql`
    delete from sign_in_places p where p.tried_at < ${before(90)}
      and not exists (select from users u where sha256(convert_to(u.username, 'UTF8')) = p.account)`);
}

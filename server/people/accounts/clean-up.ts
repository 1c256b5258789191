import { DAY } from '#contract/durations.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/**
 * Deletes expired rows; a daily job. Unfinished sign-ins, enrollments and phone codes go after a day. Mailed tokens, ended or unused
 * sessions, letters (sent or not) and guesses at usernames without an account go after 90 days.
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

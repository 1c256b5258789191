import type { ClientError } from '#contract/usage.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export interface NewUsageEvent {
  /** Null before sign-in; `username` then comes from the browser. */
  userId: string | null;
  username: string;
  name: string;
  detail: object;
}

export async function insertUsageEvent(db: Queryable, event: NewUsageEvent, now: Date): Promise<void> {
  await db.query(sql`
    insert into usage_events (at, user_id, username, name, detail)
    values (${now}, ${event.userId}, ${event.username}, ${event.name}, ${JSON.stringify(event.detail)})`);
}

/** Stores an error report. Returns its id, which the log refers to. The app role cannot read reports, so "returning" would be refused. */
export async function insertClientError(
  db: Queryable,
  { userId, kind, message, requestId, location }: ClientError & { userId: string | null },
  now: Date,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(sql`
    with next as (select nextval('client_errors_id_seq') as id),
      stored as (
        insert into client_errors (id, at, user_id, kind, message, request_id, location) overriding system value
        select id, ${now}::timestamptz, ${userId}::bigint, ${kind}, ${message}, ${requestId ?? null}, ${location} from next)
    select id from next`);
  return rows[0]?.id ?? '';
}

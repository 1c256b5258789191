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

/** A page that a signed-in user opened. */
export interface OpenedPage {
  userId: string;
  /** As the browser sent it. Another one than a team of the user is not kept. */
  teamId: string | null;
  location: string;
  /** In the time zone of the browser. */
  day: string;
}

/** Counts the opened page for the report of page use, and as a use of the right to open it. */
export async function countPageUse(
  db: Queryable,
  { userId, teamId, location, day }: OpenedPage,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await db.query(sql`
    with page as (
      insert into page_uses (user_id, organization_id, team_id, location, day, uses, last_at)
      select u.id, u.organization_id, (select n.team_id from grants n where n.user_id = u.id and n.team_id = ${teamId} limit 1),
        ${location}, ${day}, 1, ${at}
      from users u where u.id = ${userId}
      on conflict (user_id, team_id, location, day)
        do update set uses = page_uses.uses + 1, last_at = greatest(page_uses.last_at, excluded.last_at)
      returning user_id, organization_id, team_id)
    insert into right_uses (user_id, organization_id, team_id, sign, last_at)
    select user_id, organization_id, team_id, ${location}, ${at}::timestamptz from page where team_id is not null
    on conflict (user_id, team_id, sign) do update set last_at = greatest(right_uses.last_at, excluded.last_at)`);
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

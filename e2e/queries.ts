import { expect } from '@playwright/test';
import type { CLIENT_ERROR_KINDS, USAGE_EVENT_NAMES } from '#contract/usage.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export interface UsageRow {
  name: (typeof USAGE_EVENT_NAMES)[number];
  detail: Record<string, unknown> & { params: Record<string, unknown> };
}
export interface ErrorRow {
  kind: (typeof CLIENT_ERROR_KINDS)[number];
  message: string;
  location: string;
  requestId: string | null;
}

/** Returns a user's usage events, oldest first, including those from before sign-in. */
export async function usageOf(db: Database, { username }: { username: string }): Promise<UsageRow[]> {
  const { rows } = await db.query<UsageRow>(
    sql`select name, detail from usage_events where username = ${username.toLowerCase()} order by id`,
  );
  return rows;
}

/** Waits for a user's usage event with that name, and returns the newest one's detail. */
export async function usageEvent(
  db: Database,
  user: { username: string },
  name: UsageRow['name'],
): Promise<UsageRow['detail']> {
  const find = async () => (await usageOf(db, user)).findLast((row) => row.name === name)?.detail;
  await expect.poll(find, { message: name, intervals: [50] }).toBeTruthy();
  return (await find()) as UsageRow['detail'];
}

/** Returns the errors that a user's browsers reported, oldest first. */
export async function errorsOf(db: Database, { id }: { id: string }): Promise<ErrorRow[]> {
  const { rows } = await db.query<ErrorRow>(sql`
    select kind, message, location, request_id as "requestId" from client_errors where user_id = ${id} order by id`);
  return rows;
}

/** Makes a group's listings a year older: spotlights count nothing of the time before. */
export const listedAYearAgo = (db: Database, groupId: string): Promise<unknown> =>
  db.query(sql`
    update roster_patients set listed_at = listed_at - interval '1 year', opens_from = opens_from - interval '1 year'
    where group_id = ${groupId}`);

/** Waits until all messages that are stored are processed: for pages that are not live. */
export async function untilProcessed(db: Database): Promise<void> {
  const { rows } = await db.query<{ last: string }>('select coalesce(max(id), 0) as last from messages');
  const waiting = async () =>
    (await db.query(sql`select from messages where status = 'PENDING' and id <= ${rows[0]?.last}`)).rowCount;
  await expect.poll(waiting, { message: 'messages that wait', intervals: [50] }).toBe(0);
}

/** Feeds of tests that send messages. */
import { randomUUID } from 'node:crypto';
import type { Queryable } from '#server/platform/database/pool.ts';

export interface FeedOptions {
  name?: string;
  sendingFacility?: string;
  registrationIsVisit?: boolean;
  isBackfill?: boolean;
}

/** Adds an approved feed for facilities (identifier → group ID). Returns its ID. */
export async function addFeed(
  db: Queryable,
  now: Date,
  organizationId: string,
  facilities: Record<string, string>,
  options: FeedOptions,
): Promise<string> {
  const { name = `Feed ${randomUUID()}`, sendingFacility = Object.keys(facilities)[0] } = options;
  const { rows } = await db.query<{ id: string }>(
    `insert into feeds (organization_id, name, kind, sending_application, sending_facility, is_backfill, created_at, approved_at)
     values ($1, $2, 'MLLP', 'TESTADT', $3, $4, $5, $5) returning id`,
    [organizationId, name, sendingFacility, options.isBackfill ?? false, now],
  );
  const id = rows[0]?.id ?? '';
  for (const [identifier, groupId] of Object.entries(facilities)) {
    await db.query(
      'insert into feed_facilities (feed_id, identifier, group_id, registration_is_visit) values ($1, $2, $3, $4)',
      [id, identifier, groupId, options.registrationIsVisit ?? false],
    );
  }
  return id;
}

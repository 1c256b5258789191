/**
 * Whose feeds, messages and reviews somebody may see: an organisation's administrator those of the organisation's feeds and what
 * was entered by hand at the facilities that he or she administers; an operator all, also messages of no known feed.
 */
import type { ActorTransaction } from '#server/access/door.ts';
import { type Sql, sql } from '#server/database/sql.ts';

const EVERYTHING = sql`true`;

/** Of `feeds f`. */
export const maySeeFeed = ({ actor }: ActorTransaction): Sql =>
  actor.isOperator ? EVERYTHING : sql`f.organization_id = ${actor.organizationId}`;

/** Of `messages m`. An entry by hand has no feed, and names its facility in `sending_facility`. */
export const maySeeMessage = (tx: ActorTransaction): Sql =>
  tx.actor.isOperator
    ? EVERYTHING
    : sql`(m.feed_id in (select f.id from feeds f where ${maySeeFeed(tx)})
        or (m.source = 'MANUAL' and m.sending_facility = any (${tx.groupIds}::text[])))`;

/** The groups whose reviews the actor may decide. */
export async function groupsToReview(tx: ActorTransaction): Promise<readonly string[]> {
  if (!tx.actor.isOperator) return tx.groupIds;
  const { rows } = await tx.query<{ id: string }>(sql`select id from groups`);
  return rows.map(({ id }) => id);
}

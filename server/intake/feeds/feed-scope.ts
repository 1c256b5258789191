/**
 * Whose feeds, messages and reviews somebody may see: an administrator the feeds of the organisation, but only those messages that
 * are about the facilities that he or she administers (decisions.md, "Calls"); an operator all, also messages of no known feed.
 */
import { letsManage } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

const EVERYTHING = sql`true`;

/** Of `feeds f`. */
export const maySeeFeed = ({ actor }: ActorTransaction): Sql =>
  actor.isOperator ? EVERYTHING : sql`f.organization_id = ${actor.organizationId}`;

/** The groups whose users the actor manages, in whichever team. */
const managed = ({ actor }: ActorTransaction): Sql => sql`(
  select n.group_id from grants n join roles r on r.id = n.role_id where n.user_id = ${actor.userId} and ${letsManage})`;

/** Of `feeds f`: every facility that it names is the actor's, so whatever it sends is. */
export const isWhollyManaged = (tx: ActorTransaction): Sql =>
  tx.actor.isOperator
    ? EVERYTHING
    : sql`not exists (
        select from feed_facilities ff where ff.feed_id = f.id and ff.group_id not in ${managed(tx)})`;

/**
 * Of `messages m`. Of a feed that names other facilities too, those that were applied to the actor's. An entry by hand has no feed, and
 * names its facility in `sending_facility`.
 */
export const maySeeMessage = (tx: ActorTransaction): Sql =>
  tx.actor.isOperator
    ? EVERYTHING
    : sql`(m.feed_id in (select f.id from feeds f where ${maySeeFeed(tx)} and ${isWhollyManaged(tx)})
        or (m.feed_id in (select f.id from feeds f where ${maySeeFeed(tx)}) and (
          select bool_and(s.group_id in ${managed(tx)})
          from facts k join source_patients s on s.id = k.source_patient_id where k.message_id = m.id))
        or (m.source = 'MANUAL' and m.sending_facility = any (${tx.groupIds}::text[])))`;

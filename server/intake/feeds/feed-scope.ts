/**
 * Which feeds, messages and match reviews a user can see. An administrator sees the feeds of the organization, but only the messages
 * about facilities that they administer: a feed may send for several facilities, and its messages are patient data. An operator sees
 * everything, including the messages that match no feed.
 */
import { letsManage } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

const EVERYTHING = sql`true`;

/** Condition on `feeds f`. */
export const maySeeFeed = ({ actor }: ActorTransaction): Sql =>
  actor.isOperator ? EVERYTHING : sql`f.organization_id = ${actor.organizationId}`;

/** The groups whose users the actor manages, in any team. */
const managed = ({ actor }: ActorTransaction): Sql => sql`(
  select n.group_id from grants n join roles r on r.id = n.role_id where n.user_id = ${actor.userId} and ${letsManage})`;

/** Condition on `feeds f`: the actor manages every facility that the feed lists, hence everything it sends. */
export const isWhollyManaged = (tx: ActorTransaction): Sql =>
  tx.actor.isOperator
    ? EVERYTHING
    : sql`not exists (
        select from feed_facilities ff where ff.feed_id = f.id and ff.group_id not in ${managed(tx)})`;

/**
 * Condition on `messages m`. If the feed also lists facilities of others, only the messages applied to the actor's facilities pass. A
 * manual entry and an answer by link have no feed; their `sending_facility` holds the group.
 */
export const maySeeMessage = (tx: ActorTransaction): Sql =>
  tx.actor.isOperator
    ? EVERYTHING
    : sql`(m.feed_id in (select f.id from feeds f where ${maySeeFeed(tx)} and ${isWhollyManaged(tx)})
        or (m.feed_id in (select f.id from feeds f where ${maySeeFeed(tx)}) and (
          select bool_and(s.group_id in ${managed(tx)})
          from facts k join source_patients s on s.id = k.source_patient_id where k.message_id = m.id))
        or (m.source in ('MANUAL', 'LINK') and m.sending_facility = any (${tx.groupIds}::text[])))`;

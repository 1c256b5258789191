import { randomUUID } from 'node:crypto';
import type { SearchContext } from '#contract/facets.ts';
import type { DeliveryTopic } from '#contract/notification-words.ts';
import type { Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Channel, postDelivery } from '#server/platform/mail/outbox.ts';
import { textOf } from './texts.ts';

/** A message to a user, and by which channels it goes out. */
export interface Notification {
  userId: string;
  teamId: string;
  /** Null if the filter was deleted. */
  filterId: string | null;
  searchContext: SearchContext;
  topic: DeliveryTopic;
  /** The notification that this one corrects. */
  corrects?: string | undefined;
  /** The patient that the link opens, of a correction of one ping. */
  patientId?: string | undefined;
  pings: number;
  /** An empty recipient has no number. */
  to: readonly { channel: Channel; recipient: string }[];
  /** Why it is not sent at all, if it isn't. */
  suppressed?: string | undefined;
}

type Target = Pick<
  Notification,
  'userId' | 'teamId' | 'filterId' | 'searchContext' | 'corrects' | 'patientId' | 'pings'
>;

/** Adds what the link of a message opens for its user, and returns its id and the uuid of the link. */
export async function addTarget(
  tx: Queryable,
  of: Target & { opensDocuments?: boolean },
  now: Date,
): Promise<{ id: string; uuid: string }> {
  const uuid = randomUUID();
  const { userId, teamId, filterId, searchContext, corrects = null, patientId = null, pings } = of;
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into notifications (uuid, user_id, team_id, filter_id, search_context, corrects, patient_id, opens_documents, pings, created_at)
    values (${uuid}, ${userId}, ${teamId}, ${filterId}, ${searchContext}, ${corrects}, ${patientId}, ${of.opensDocuments ?? false}, ${pings}, ${now})
    returning id`);
  return { id: (rows[0] as { id: string }).id, uuid };
}

/** Queues a notification on all its channels, and returns its id. */
export async function postNotification(
  tx: Transaction,
  { topic, to, suppressed, ...target }: Notification,
  publicUrl: string,
  now: Date,
): Promise<string> {
  const { id: notificationId, uuid } = await addTarget(tx, target, now);
  const { userId, searchContext, pings } = target;
  const kind = topic === 'CORRECTION' ? 'correction' : 'matches';
  for (const { channel, recipient } of to) {
    const text = textOf({ kind, searchContext, pings, uuid, publicUrl }, channel);
    const missing = recipient === '' ? 'NO_NUMBER' : undefined;
    const of = { channel, recipient, ...text, key: `${uuid}:${channel}`, userId, topic, notificationId };
    await postDelivery(tx, { ...of, suppressed: suppressed ?? missing }, now);
  }
  return notificationId;
}

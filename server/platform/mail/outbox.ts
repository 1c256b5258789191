/**
 * Letters are emails and text messages to users. ("Message" always means an HL7 message here.) A letter is queued in the
 * transaction that causes it, and sent by a job. Its row in the outbox records what became of it (docs/decisions/0067).
 */
import type { DeliveryTopic } from '#contract/notifications.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export type Channel = 'e-mail' | 'text';

/** Plain text, and never patient data. */
export interface Letter {
  channel: Channel;
  /** An email address, or a phone number in E.164. */
  recipient: string;
  /** Empty for a text message. */
  subject: string;
  body: string;
}

/** The job that sends one letter; its payload is `{ letterId }`. */
export const LETTER_TASK = 'send-letter';
/** The worker waits e^n seconds after the nth attempt, so the last one is about three and a half hours after the first. */
export const MAX_ATTEMPTS = 10;

/** Queues a letter about an account in the transaction that causes it. It is sent after the commit. */
export async function postLetter(
  tx: Queryable,
  { channel, recipient, subject, body }: Letter,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    select post_letter(${channel}, ${recipient}, ${subject}, ${body}, ${now}::timestamptz, ${LETTER_TASK}, ${MAX_ATTEMPTS}::integer)`);
}

/** A letter that is sent at most once, and is listed among the user's deliveries. */
export interface Delivery extends Letter {
  /** Names the letter: one that is queued again under the same key is ignored. */
  key: string;
  userId: string;
  topic: DeliveryTopic;
  notificationId: string;
  /** Why it is not sent, if it isn't. */
  suppressed?: string | undefined;
}

/** Queues a delivery, as the pipeline role, in the transaction that causes it; or records that it is not sent, and why. */
export async function postDelivery(tx: Queryable, of: Delivery, now: Date): Promise<void> {
  const { channel, recipient, subject, suppressed = null } = of;
  await tx.query(sql`
    with letter as (
      insert into outbox (channel, recipient, subject, body, created_at, state, failure, topic, once_key, user_id, notification_id)
      values (${channel}, ${recipient}, ${subject}, ${suppressed === null ? of.body : ''}, ${now}::timestamptz,
        ${suppressed === null ? 'queued' : 'suppressed'}, ${suppressed}, ${of.topic}, ${of.key}, ${of.userId}, ${of.notificationId})
      on conflict (once_key) do nothing
      returning id, state)
    select enqueue_job(task => ${LETTER_TASK}, payload => json_build_object('letterId', id::text), job_key => 'letter:' || id,
      max_attempts => ${MAX_ATTEMPTS}::integer)
    from letter where state = 'queued'`);
}

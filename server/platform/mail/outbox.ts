/** Letters (mails and text messages) are written down in the transaction that causes them, and leave by a job. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export type Channel = 'e-mail' | 'text';

/** Plain text; never a patient's data. */
export interface Letter {
  channel: Channel;
  /** An e-mail address, or a number in E.164. */
  recipient: string;
  /** Of a text message: empty. */
  subject: string;
  body: string;
}

/** The job that sends one letter; its payload is `{ letterId }`. */
export const LETTER_TASK = 'send-letter';
/** With the worker's growing pauses (e to the power of the try, in seconds): some six hours. */
const TRIES = 10;

/** Puts a letter into the outbox, in the transaction that causes it; it leaves once that is committed. */
export async function postLetter(
  tx: Queryable,
  { channel, recipient, subject, body }: Letter,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    with letter as (
      insert into outbox (channel, recipient, subject, body, created_at)
      values (${channel}, ${recipient}, ${subject}, ${body}, ${now}) returning id)
    select enqueue_job(task => ${LETTER_TASK}::text, payload => json_build_object('letterId', id::text),
      job_key => 'letter:' || id, max_attempts => ${TRIES}::integer) from letter`);
}

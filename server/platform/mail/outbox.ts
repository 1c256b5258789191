/**
 * Letters are emails and text messages to users. ("Message" always means an HL7 message here.) A letter is queued in the
 * transaction that causes it, and sent by a job.
 */
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
const MAX_ATTEMPTS = 10;

/** Queues a letter in the transaction that causes it. It is sent after the commit. */
export async function postLetter(
  tx: Queryable,
  { channel, recipient, subject, body }: Letter,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    select post_letter(${channel}, ${recipient}, ${subject}, ${body}, ${now}::timestamptz, ${LETTER_TASK}, ${MAX_ATTEMPTS}::integer)`);
}

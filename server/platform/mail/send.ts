import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { CarrierError, type Carriers } from './carriers.ts';
import type { Letter } from './outbox.ts';

export interface Sending {
  /** The pipeline role's. */
  database: Database;
  carriers: Carriers;
  /** Keeps bodies for the demo mailbox, and counts letters without a carrier as sent. */
  demo: boolean;
}

/**
 * Sends one letter that has not been sent yet, and records that it was sent, or why not. Throws if the carrier failed, so that the
 * worker tries again; without a carrier, trying again would not help. The body may contain a token, so it is cleared once the
 * letter has been sent or cannot be.
 */
export async function sendLetter({ database, carriers, demo }: Sending, letterId: string, now: Date): Promise<void> {
  const { rows } = await database.query<Letter>(
    sql`select channel, recipient, subject, body from outbox where id = ${letterId} and sent_at is null`,
  );
  const [letter] = rows;
  if (letter === undefined) return;
  const carry = carriers[letter.channel];
  if (carry === null && !demo) {
    await database.query(sql`update outbox set failure = 'NOT_CONFIGURED', body = '' where id = ${letterId}`);
    return;
  }
  try {
    await carry?.(letter);
  } catch (error) {
    const failure = error instanceof CarrierError ? error.code : 'UNKNOWN';
    await database.query(sql`update outbox set failure = ${failure} where id = ${letterId}`);
    throw error;
  }
  await database.query(sql`
    update outbox set sent_at = ${now}, failure = null, body = case when ${demo} then body else '' end
    where id = ${letterId}`);
}

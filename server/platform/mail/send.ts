import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { CarrierError, type Carriers, OPTED_OUT } from './carriers.ts';
import { type Letter, MAX_ATTEMPTS } from './outbox.ts';

export interface Sending {
  /** The pipeline role's. */
  database: Database;
  carriers: Carriers;
  /** Keeps bodies for the demo mailbox, and counts letters without a carrier as sent. */
  demo: boolean;
}

interface Claimed extends Letter {
  key: string | null;
  attempts: number;
  /** The state before this attempt. */
  before: 'queued' | 'sending';
  userId: string | null;
  /** Why the letter can no longer be sent; null if it can. */
  obstacle: string | null;
}

/** The letter may have been delivered: its service did not confirm it, or its process ended. */
const UNCONFIRMED = 'UNCONFIRMED';

/**
 * Sends one letter that has not been sent yet, and records what became of it. Throws if the carrier failed for now, so that the worker tries
 * again; other failures are final. A letter with a key is never sent again once it may have been delivered. The body may contain a token, so it
 * is cleared once the letter has been sent or cannot be.
 */
export async function sendLetter({ database, carriers, demo }: Sending, letterId: string, now: Date): Promise<void> {
  const letter = await claim(database, letterId, now);
  if (letter === null) return;
  const end = (state: 'sent' | 'failed' | 'suppressed', failure: string | null) =>
    endLetter(database, { letterId, state, failure, keepsBody: demo && state === 'sent' }, now);
  if (letter.obstacle !== null) return end('suppressed', letter.obstacle);
  if (letter.before === 'sending' && letter.key !== null) return end('failed', UNCONFIRMED);
  const carry = carriers[letter.channel];
  if (carry === null && !demo) return end('failed', 'NOT_CONFIGURED');
  try {
    await carry?.(letter);
  } catch (error) {
    const { code, kind } = error instanceof CarrierError ? error : new CarrierError('UNKNOWN', 'unconfirmed');
    if (code === OPTED_OUT) {
      await database.query(sql`select note_text_reply(${letter.recipient}, true, ${now}::timestamptz)`);
      return end('suppressed', OPTED_OUT);
    }
    if (kind === 'unconfirmed' && letter.key !== null) return end('failed', UNCONFIRMED);
    if (kind === 'permanent' || letter.attempts >= MAX_ATTEMPTS) return end('failed', code);
    await database.query(sql`update outbox set state = 'queued', failure = ${code} where id = ${letterId}`);
    throw error;
  }
  await end('sent', null);
}

/** Marks the letter as being sent, before it is: if this process ends, the next attempt knows that it may have been. Returns null if there is nothing to do. */
async function claim(database: Database, letterId: string, now: Date): Promise<Claimed | null> {
  const { rows } = await database.query<Claimed>(sql`
    with letter as (select * from outbox where id = ${letterId} and state in ('queued', 'sending') for update)
    update outbox o set state = 'sending', attempts = o.attempts + 1, attempted_at = ${now}
    from letter l left join users u on u.id = l.user_id
    where o.id = l.id
    returning o.channel, o.recipient, o.subject, o.body, o.once_key as key, o.attempts, l.state as before, o.user_id as "userId",
      case when o.topic = 'ACCOUNT' then null
        when u.disabled_at is not null then 'NO_ACCESS'
        when o.channel = 'text' and u.notification_phone is distinct from o.recipient then 'NUMBER_REMOVED'
        when o.channel = 'text' and exists (select from text_opt_outs t where t.phone = o.recipient) then 'OPTED_OUT'
      end as obstacle`);
  return rows[0] ?? null;
}

interface End {
  letterId: string;
  state: 'sent' | 'failed' | 'suppressed';
  failure: string | null;
  keepsBody: boolean;
}

async function endLetter(database: Database, { letterId, state, failure, keepsBody }: End, now: Date): Promise<void> {
  await database.query(sql`
    update outbox set state = ${state}, failure = ${failure}, sent_at = case when ${state} = 'sent' then ${now}::timestamptz end,
      body = case when ${keepsBody} then body else '' end
    where id = ${letterId}`);
}

/** In milliseconds: longer than any attempt takes. */
const LONGEST_ATTEMPT = 10 * 60_000;

/** Fails letters with a key whose attempt never ended, because its process did. Their job waits for hours. */
export async function failInterrupted(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LONGEST_ATTEMPT);
  await database.query(sql`
    update outbox set state = 'failed', failure = ${UNCONFIRMED}, body = ''
    where state = 'sending' and once_key is not null and attempted_at < ${before}`);
}

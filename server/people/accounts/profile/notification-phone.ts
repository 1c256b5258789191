/** The number for text messages: it counts once its owner has typed the code that was sent to it. */
import { randomInt } from 'node:crypto';
import type { Config } from '#server/config.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { codeText } from '../letters/letter-texts.ts';
import { hashOf, newToken } from '../token-hash.ts';

/** In milliseconds. */
const CODE_LIFE = 10 * 60 * 1000;
const TRIES = 5;
/** Text messages cost money, and annoy whoever has a mistyped number. */
const CODES_AN_HOUR = 5;
const HOUR = 60 * 60 * 1000;

/** A typed number in E.164 (ITU-T); ten digits are a North American one. Null where it is none. */
export function e164(typed: string): string | null {
  const digits = typed.replaceAll(/[\s().\-/]/g, '');
  if (/^\+[1-9]\d{7,14}$/.test(digits)) return digits;
  if (/^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits)) return `+1${digits.slice(-10)}`;
  return null;
}

/** A code of six digits says little without the request that it belongs to, which stands nowhere. */
const hashOfCode = (requestToken: string, code: string): Buffer => hashOf(`${requestToken} ${code}`);

/**
 * Sends a code to a number; returns what the page names the request by. Throws BAD_REQUEST (`fields.phone`), TOO_MANY_REQUESTS, and
 * EMAIL_NOT_SENT where no text messages leave this installation.
 */
export async function requestCode(
  db: Database,
  { userId, phone, config }: { userId: string; phone: string; config: Pick<Config, 'twilio' | 'demo'> },
  now: Date,
): Promise<string> {
  const number = e164(phone);
  if (number === null) {
    throw new ApiError('BAD_REQUEST', { fields: { phone: 'This is not a telephone number with its area code.' } });
  }
  if (config.twilio === null && !config.demo) throw new ApiError('EMAIL_NOT_SENT');
  const token = newToken();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await db.transaction(async (tx) => {
    await tx.query(sql`select from users where id = ${userId} for no key update`);
    const since = new Date(now.getTime() - HOUR);
    const { rowCount } = await tx.query(
      sql`select from phone_verifications where user_id = ${userId} and created_at > ${since}`,
    );
    if (rowCount >= CODES_AN_HOUR) throw new ApiError('TOO_MANY_REQUESTS');
    await tx.query(sql`
      insert into phone_verifications (request_hash, user_id, phone, code_hash, created_at)
      values (${hashOf(token)}, ${userId}, ${number}, ${hashOfCode(token, code)}, ${now})`);
    await postLetter(tx, { channel: 'text', recipient: number, ...codeText(code) }, now);
  });
  return token;
}

/** Confirms a number by its code. Throws NOT_FOUND for a request that is unknown, too old or used up; WRONG_CODE. */
export async function confirmPhone(
  db: Database,
  { userId, request, code, requestId }: { userId: string; request: string; code: string; requestId: string },
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - CODE_LIFE);
  const { rows } = await db.query<{ phone: string; codeHash: Buffer }>(sql`
    update phone_verifications set tries = tries + 1
    where request_hash = ${hashOf(request)} and user_id = ${userId} and created_at > ${since} and tries < ${TRIES}
    returning phone, code_hash as "codeHash"`);
  const [asked] = rows;
  if (asked === undefined) throw new ApiError('NOT_FOUND');
  if (!asked.codeHash.equals(hashOfCode(request, code))) throw new ApiError('WRONG_CODE');
  await db.transaction(async (tx) => {
    // The row stays: it counts among the codes of the hour.
    await tx.query(sql`update phone_verifications set tries = ${TRIES} where request_hash = ${hashOf(request)}`);
    await tx.query(sql`update users set notification_phone = ${asked.phone} where id = ${userId}`);
    const entry = { action: 'phone.confirm', subject: 'user', subjectId: userId, requestId, now } as const;
    await writeAuditAs(tx, { userId }, entry);
  });
}

/** The phone number for text messages. It counts once its owner has entered the code sent to it. */
import { randomInt } from 'node:crypto';
import { HOUR } from '#contract/durations.ts';
import type { Config } from '#server/config.ts';
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { postLetter } from '#server/platform/mail/outbox.ts';
import { codeText } from '../letters/letter-texts.ts';
import { mailNotice } from '../letters/send-letters.ts';
import { hashOf, newToken } from '../token-hash.ts';

/** In milliseconds. */
const CODE_LIFE = 10 * 60 * 1000;
const TRIES = 5;
/** Text messages cost money, and a mistyped number annoys a stranger. */
const CODES_AN_HOUR = 5;

/** Returns a typed number in E.164 (ITU-T), or null if it is no phone number. Ten digits count as North American. */
export function e164(typed: string): string | null {
  const digits = typed.replaceAll(/[\s().\-/]/g, '');
  if (/^\+[1-9]\d{7,14}$/.test(digits)) return digits;
  if (/^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits)) return `+1${digits.slice(-10)}`;
  return null;
}

/** Mixes in the request's token, which is not stored: the hash of six digits alone could be reversed by trying them all. */
const hashOfCode = (requestToken: string, code: string): Buffer => hashOf(`${requestToken} ${code}`);

/**
 * Sends a code to a phone number and returns the request's token, which `confirmPhone` asks for. Throws BAD_REQUEST (`fields.phone`),
 * TOO_MANY_REQUESTS, and EMAIL_NOT_SENT if this installation sends no text messages.
 */
export async function requestCode(
  db: Database,
  { userId, phone, config }: { userId: string; phone: string; config: Pick<Config, 'twilio' | 'demo'> },
  now: Date,
): Promise<string> {
  const number = e164(phone);
  if (number === null) {
    throw badField('phone', 'Enter a phone number with its area code.');
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

export interface PhoneConfirmation {
  userId: string;
  /** The token that `requestCode` returned. */
  request: string;
  code: string;
  publicUrl: string;
  requestId: string;
}

/** Confirms a number by its code, and notifies the owner by mail. Throws WRONG_CODE, and NOT_FOUND if the request is unknown, expired or out of tries. */
export async function confirmPhone(
  db: Database,
  { userId, request, code, publicUrl, requestId }: PhoneConfirmation,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - CODE_LIFE);
  const { rows } = await db.query<{ phone: string; codeHash: Buffer }>(sql`
    update phone_verifications set tries = tries + 1
    where request_hash = ${hashOf(request)} and user_id = ${userId} and created_at > ${since} and tries < ${TRIES}
    returning phone, code_hash as "codeHash"`);
  const [verification] = rows;
  if (verification === undefined) throw new ApiError('NOT_FOUND');
  if (!verification.codeHash.equals(hashOfCode(request, code))) throw new ApiError('WRONG_CODE');
  await db.transaction(async (tx) => {
    // The row is kept because it counts toward the hour's codes.
    await tx.query(sql`update phone_verifications set tries = ${TRIES} where request_hash = ${hashOf(request)}`);
    await tx.query(sql`update users set notification_phone = ${verification.phone} where id = ${userId}`);
    const what = 'The phone number for notifications was changed in your account.';
    await mailNotice(tx, { userId, what, publicUrl }, now);
    await auditOwnAccount(tx, userId, { action: 'phone.confirm', requestId, now });
  });
}

/** Removes the number, and notifies the owner by mail. Texts that wait for it are not sent. */
export async function removePhone(
  db: Database,
  { userId, publicUrl, requestId }: Pick<PhoneConfirmation, 'userId' | 'publicUrl' | 'requestId'>,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      sql`update users set notification_phone = null where id = ${userId} and notification_phone is not null`,
    );
    if (rowCount === 0) return;
    const what = 'The phone number for notifications was removed from your account.';
    await mailNotice(tx, { userId, what, publicUrl }, now);
    await auditOwnAccount(tx, userId, { action: 'phone.remove', requestId, now });
  });
}

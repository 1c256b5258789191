/** Replies to text messages, as Twilio reports them: STOP ends text messages to the number, START begins them again. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '#server/config.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

export interface TextReply {
  /** The fields of the form, as posted. */
  fields: Readonly<Record<string, string>>;
  /** The header X-Twilio-Signature. */
  signature: string | undefined;
  /** The address that Twilio was told to post to. */
  url: string;
}

/** Twilio's own words, which it also reports as OptOutType. */
const STOPS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const STARTS = new Set(['START', 'YES', 'UNSTOP']);
const E164 = /^\+[1-9]\d{7,14}$/;

/** Returns the signature of a form: HMAC-SHA1 of the address, followed by each field's name and value in the order of the names. */
export function signatureOf(url: string, fields: Readonly<Record<string, string>>, authToken: string): string {
  const names = Object.keys(fields).toSorted((a, b) => (a < b ? -1 : 1));
  const text = url + names.map((name) => name + fields[name]).join('');
  return createHmac('sha1', authToken).update(text).digest('base64');
}

function isSigned({ url, fields, signature = '' }: TextReply, authToken: string): boolean {
  const expected = Buffer.from(signatureOf(url, fields, authToken));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Notes a reply. Other words change nothing. Errors: NOT_FOUND if no text messages are sent, NOT_PERMITTED without Twilio's signature. */
export async function takeReply(db: Queryable, reply: TextReply, twilio: Config['twilio'], now: Date): Promise<void> {
  if (twilio === null) throw new ApiError('NOT_FOUND');
  if (!isSigned(reply, twilio.authToken)) throw new ApiError('NOT_PERMITTED');
  const { From: phone = '', AccountSid: account, OptOutType, Body = '' } = reply.fields;
  if (account !== twilio.accountSid || !E164.test(phone)) return;
  const word = (OptOutType ?? Body).trim().toUpperCase();
  if (!STOPS.has(word) && !STARTS.has(word)) return;
  await db.query(sql`select note_text_reply(${phone}, ${STOPS.has(word)}, ${now}::timestamptz)`);
}

import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Config } from '#server/config.ts';
import type { Channel, Letter } from './outbox.ts';
import { smtpTransport } from './smtp-transport.ts';

/**
 * A letter on its way. `key`: the same for every attempt, and null for a letter that may be sent twice.
 */
export type Carried = Letter & { key: string | null };

/** Delivers one letter to a mail server or a text message service. Throws CarrierError if it was not accepted; no one sees the error's message. */
export type Carrier = (letter: Carried) => Promise<void>;

/** The carrier of each channel; null if none is configured. */
export type Carriers = Record<Channel, Carrier | null>;

/**
 * What a failure means for the next attempt. 'transient': the service did not take the letter, and may later. 'permanent': it never will.
 * 'unconfirmed': it may have taken the letter, because the connection ended before its answer.
 */
export type FailureKind = 'transient' | 'permanent' | 'unconfirmed';

/** The service refused the letter or did not answer. `code` is the HTTP status, the SMTP reply code, Twilio's error or the network error, and is logged. */
export class CarrierError extends Error {
  override name = 'CarrierError';
  readonly code: string;
  readonly kind: FailureKind;

  constructor(code: string, kind: FailureKind = 'transient') {
    super(`The letter was not accepted: ${code}`);
    this.code = code;
    this.kind = kind;
  }
}

/** The service does not send to someone who has opted out by reply. */
export const OPTED_OUT = 'OPTED_OUT';

/** In milliseconds. */
const TIMEOUT = 20_000;

/** Returns the carriers that are configured. */
export const carriersOf = ({ smtp, twilio }: Pick<Config, 'smtp' | 'twilio'>): Carriers => ({
  'e-mail': smtp && smtpCarrier(smtp),
  text: twilio && twilioCarrier(twilio),
});

/** Sends email over SMTP (RFC 5321). */
export function smtpCarrier({ url, from }: { url: string; from: string }, timeout = TIMEOUT): Carrier {
  const transport = smtpTransport(url, timeout);
  const host = from.slice(from.lastIndexOf('@') + 1).replaceAll(/[>\s]/g, '');
  return async ({ recipient, subject, body, key }) => {
    // As an object, because a string would be parsed as a list of addresses.
    const to = { name: '', address: recipient };
    const handing = { isHandedOver: false };
    // A mailbox that gets the same id twice shows the letter once.
    const id =
      key === null ? {} : { messageId: `<${createHash('sha256').update(key).digest('hex').slice(0, 32)}@${host}>` };
    try {
      await transport.sendMail({
        from,
        to,
        subject,
        text: body,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...id,
        noteEnd: () => {
          handing.isHandedOver = true;
          return new PassThrough();
        },
      });
    } catch (error) {
      throw smtpError(error as { responseCode?: number; code?: string }, handing.isHandedOver);
    }
  };
}

/** A reply of 400 or more says that the letter was not taken. Without one, it may have been, if its text had been handed over. */
function smtpError(
  { responseCode, code }: { responseCode?: number; code?: string },
  isHandedOver: boolean,
): CarrierError {
  const text = String(responseCode ?? code ?? 'UNKNOWN');
  // An operator can correct a wrong password.
  if (code === 'EAUTH') return new CarrierError(text);
  if (responseCode !== undefined && responseCode >= 500) return new CarrierError(text, 'permanent');
  if (responseCode !== undefined && responseCode >= 400) return new CarrierError(text);
  return new CarrierError(text, isHandedOver ? 'unconfirmed' : 'transient');
}

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  /** The sender's number, in E.164. */
  from: string;
}

/** Sends text messages over Twilio's Programmable Messaging (POST …/Accounts/{sid}/Messages.json). Tests pass another `origin`. */
export function twilioCarrier(
  { accountSid, authToken, from }: TwilioSettings,
  origin = 'https://api.twilio.com',
  timeout = TIMEOUT,
): Carrier {
  const address = `${origin}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return async ({ recipient, body }) => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ To: recipient, From: from, Body: body }),
      signal: AbortSignal.timeout(timeout),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw networkError(error as Error);
    });
    if (answer.ok) {
      await answer.body?.cancel();
      return;
    }
    throw twilioError(answer.status, await answer.text().catch(() => ''));
  };
}

/** Errors before the request was sent: it cannot have been taken. */
const BEFORE_REQUEST = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH']);

function networkError(error: Error): CarrierError {
  const { code } = (error.cause ?? {}) as { code?: string };
  return new CarrierError(code ?? error.name, BEFORE_REQUEST.has(code ?? '') ? 'transient' : 'unconfirmed');
}

/** Statuses with which the service takes nothing, and may later: wrong credentials, too many calls, not available. */
const LATER = new Set([401, 403, 429, 503]);
/** Twilio's "Attempt to send to unsubscribed recipient". */
const UNSUBSCRIBED = 21_610;

function twilioError(status: number, body: string): CarrierError {
  if (status === 400 && codeIn(body) === UNSUBSCRIBED) return new CarrierError(OPTED_OUT, 'permanent');
  if (LATER.has(status)) return new CarrierError(String(status));
  return new CarrierError(String(status), status >= 500 ? 'unconfirmed' : 'permanent');
}

function codeIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { code?: unknown } | null)?.code;
  } catch {
    return null;
  }
}

import { createTransport } from 'nodemailer';
import type { Config } from '#server/config.ts';
import type { Channel, Letter } from './outbox.ts';

/** Delivers one letter to a mail server or a text message service. Throws if it was not accepted; no one sees the error's message. */
export type Carrier = (letter: Letter) => Promise<void>;

/** The carrier of each channel; null if none is configured. */
export type Carriers = Record<Channel, Carrier | null>;

/** The service refused the letter or did not answer. `code` is the HTTP status, the SMTP reply code or the network error, and is logged. */
export class CarrierError extends Error {
  override name = 'CarrierError';
  readonly code: string;

  constructor(code: string) {
    super(`The letter was not accepted: ${code}`);
    this.code = code;
  }
}

/** In milliseconds. */
const TIMEOUT = 20_000;

/** Returns the carriers that are configured. */
export const carriersOf = ({ smtp, twilio }: Pick<Config, 'smtp' | 'twilio'>): Carriers => ({
  'e-mail': smtp && smtpCarrier(smtp),
  text: twilio && twilioCarrier(twilio),
});

/** Sends email over SMTP (RFC 5321). */
export function smtpCarrier({ url, from }: { url: string; from: string }): Carrier {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ recipient, subject, body }) => {
    // As an object, because a string would be parsed as a list of addresses.
    const to = { name: '', address: recipient };
    try {
      await transport.sendMail({ from, to, subject, text: body, headers: { 'Auto-Submitted': 'auto-generated' } });
    } catch (error) {
      const { responseCode, code } = error as { responseCode?: number; code?: string };
      throw new CarrierError(String(responseCode ?? code ?? 'UNKNOWN'));
    }
  };
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
): Carrier {
  const address = `${origin}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return async ({ recipient, body }) => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ To: recipient, From: from, Body: body }),
      signal: AbortSignal.timeout(TIMEOUT),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw new CarrierError((error as Error).name);
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new CarrierError(String(answer.status));
  };
}

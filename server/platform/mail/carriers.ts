import { createTransport } from 'nodemailer';
import type { Config } from '#server/config.ts';
import type { Channel, Letter } from './outbox.ts';

/** Takes one letter out of the house. Throws where it was not taken; the message of the error is not shown to anybody. */
export type Carrier = (letter: Letter) => Promise<void>;

/** Who carries what; null where nobody does. */
export type Carriers = Record<Channel, Carrier | null>;

/** The other end refused, or did not answer; `code` is its own (a status, an SMTP reply) and goes to the log. */
export class CarrierError extends Error {
  override name = 'CarrierError';
  readonly code: string;

  constructor(code: string) {
    super(`The letter was not taken: ${code}`);
    this.code = code;
  }
}

/** In milliseconds. */
const TIMEOUT = 20_000;

export const carriersOf = ({ smtp, twilio }: Pick<Config, 'smtp' | 'twilio'>): Carriers => ({
  'e-mail': smtp && smtpCarrier(smtp),
  text: twilio && twilioCarrier(twilio),
});

/** Mails over SMTP (RFC 5321). */
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
    // As an object: a string would be parsed as a list of addresses.
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
  /** The number that sends, in E.164. */
  from: string;
}

/** Text messages over Twilio's Programmable Messaging (POST …/Accounts/{sid}/Messages.json). `origin` is another one in tests. */
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

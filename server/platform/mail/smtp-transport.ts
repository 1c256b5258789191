import type { Transform } from 'node:stream';
import { createTransport, type SendMailOptions, type SentMessageInfo } from 'nodemailer';

/** A mail with a stream through which its text passes. */
export type NotedMail = SendMailOptions & { noteEnd: () => Transform };

/**
 * Returns a transport to the mail server. It calls `noteEnd` when it begins to hand over the text of a mail, after the server has let it in:
 * a failure before that cannot have sent anything.
 */
export function smtpTransport(
  url: string,
  timeout: number,
): { sendMail: (mail: NotedMail) => Promise<SentMessageInfo> } {
  const transport = createTransport({
    url,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', ({ data, message }, done) => {
    message.transform((data as NotedMail).noteEnd);
    done();
  });
  return transport;
}

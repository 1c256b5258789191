/** The thread that checks SAML responses, one after the other (`saml-checker.ts`). It opens nothing and has no secrets. */
import { parentPort } from 'node:worker_threads';
import { SsoRefusal } from './refusal.ts';
import { checkSamlResponse, type SamlAnswer, type SamlQuestion } from './saml-response.ts';

/** `ready`: the thread has loaded. A failure keeps where it happened, but no message: a message may quote the response. */
export type SamlReply =
  | { kind: 'ready' }
  | { kind: 'answer'; answer: SamlAnswer }
  | { kind: 'refusal'; code: string; at: string };

if (!parentPort) throw new Error('This file must run as a worker thread');
const port = parentPort;
const send = (reply: SamlReply) => port.postMessage(reply);

port.on('message', (question: SamlQuestion) => {
  checkSamlResponse(question).then(
    (answer) => send({ kind: 'answer', answer }),
    (error: Error) =>
      send({
        kind: 'refusal',
        code: error instanceof SsoRefusal ? error.code : 'RESPONSE_INVALID',
        at: (error.stack ?? '')
          .split('\n')
          .filter((line) => line.startsWith('    at '))
          .join('\n'),
      }),
  );
});
send({ kind: 'ready' });

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import { anonymous, startApp } from '#server/testing/app.ts';
import { startWorker } from '#server/worker.ts';
import { type Carrier, CarrierError, smtpCarrier, twilioCarrier } from './carriers.ts';
import { type Letter, postLetter } from './outbox.ts';
import { sendLetter } from './send.ts';

const app = await startApp({ config: { demo: true } });
const { database, clock } = app;

/** What the mail server accepted, and the error it answers with instead. */
const mailbox: { from: string; to: string[]; text: string }[] = [];
let refusal: string | null = null;
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const { mailFrom, rcptTo } = session.envelope;
    let body = '';
    stream.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    stream.on('end', () => {
      if (refusal !== null) return done(Object.assign(new Error(refusal), { responseCode: 451 }));
      mailbox.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), text: body });
      done();
    });
  },
});
await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve));
afterAll(
  () =>
    new Promise<void>((resolve) => {
      smtp.close(resolve);
    }),
);
const url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
const byMail = smtpCarrier({ url, from: 'Tidings <no-reply@tidings.test>' });

const letter: Letter = {
  channel: 'e-mail',
  recipient: 'rosa@elm.test',
  subject: 'Set a new password',
  body: 'Hello,\n\nhttp://tidings.test/password/set#token=abc\n',
};

async function post(over: Partial<Letter> = {}): Promise<string> {
  await database.app.transaction((tx) => postLetter(tx, { ...letter, ...over }, clock.now()));
  const { rows } = await database.owner.query<{ id: string }>('select max(id) as id from outbox');
  return rows[0]?.id ?? '';
}

const send = (id: string, mail: Carrier | null, { demo = false, byText = null as Carrier | null } = {}) =>
  sendLetter({ database: database.pipeline, carriers: { 'e-mail': mail, text: byText }, demo }, id, clock.now());

async function stateOf(id: string) {
  const { rows } = await database.owner.query<{ sent: boolean; failure: string | null; body: string }>(
    sql`select sent_at is not null as sent, failure, body from outbox where id = ${id}`,
  );
  return rows[0];
}

beforeEach(() => {
  mailbox.length = 0;
  refusal = null;
});

describe('an email', () => {
  test('reaches a real mail server once, as plain text, and its token is removed from the outbox', async () => {
    const id = await post();
    await send(id, byMail);
    await send(id, byMail);
    expect(mailbox).toHaveLength(1);
    const [mail] = mailbox;
    expect(mail).toMatchObject({ from: 'no-reply@tidings.test', to: ['rosa@elm.test'] });
    expect(mail?.text).toContain('Subject: Set a new password');
    expect(mail?.text).toContain('Content-Type: text/plain');
    expect(mail?.text.replaceAll('=\r\n', '')).toMatch(/password\/set#token=(3D)?abc/);
    expect(await stateOf(id)).toEqual({ sent: true, failure: null, body: '' });
  });

  test('goes to one recipient, whatever the address looks like', async () => {
    await send(await post({ recipient: 'a@elm.test, b@elm.test' }), byMail).catch(() => {});
    expect(mailbox.flatMap(({ to }) => to)).not.toContain('b@elm.test');
  });

  test('that the server refuses is recorded with the code, and sent on the next attempt', async () => {
    refusal = 'Marguerite is greylisted';
    const id = await post();
    await expect(send(id, byMail)).rejects.toThrow(new CarrierError('451'));
    expect(await stateOf(id)).toEqual({ sent: false, failure: '451', body: letter.body });
    refusal = null;
    await send(id, byMail);
    expect(await stateOf(id)).toMatchObject({ sent: true, failure: null });
  });

  test('is recorded as failed and not tried again if no mail server is configured', async () => {
    const id = await post();
    await send(id, null);
    expect(await stateOf(id)).toEqual({ sent: false, failure: 'NOT_CONFIGURED', body: '' });
  });

  test('is not queued if its transaction fails', async () => {
    const before = await database.owner.query('select from outbox');
    const failing = database.app.transaction(async (tx) => {
      await postLetter(tx, letter, clock.now());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await database.owner.query('select from outbox')).rowCount).toBe(before.rowCount);
  });

  test('is sent by the worker’s job, and again after a failure', async () => {
    refusal = 'later';
    const id = await post({ recipient: 'worker@elm.test' });
    const config = {
      smtp: { url, from: 'Tidings <no-reply@tidings.test>' },
      twilio: null,
      demo: false,
      publicUrl: 'http://tidings.test',
    };
    const { store } = app;
    const log = createLog('silent');
    const runner = await startWorker({
      database: database.pipeline,
      app: database.app,
      store,
      clock: clock.now,
      log,
      config,
    });
    try {
      const until = async (done: () => Promise<boolean>) => {
        for (let i = 0; i < 200 && !(await done()); i++) await sleep(50);
      };
      await until(async () => (await stateOf(id))?.failure === '451');
      refusal = null;
      await until(async () => (await stateOf(id))?.sent === true);
      expect(mailbox.flatMap(({ to }) => to)).toContain('worker@elm.test');
    } finally {
      await runner.stop();
    }
  });
});

describe('a text message', () => {
  test('is sent through Twilio’s API, and a refusal is thrown with its status', async () => {
    const seen: { url: string | undefined; authorization: string | undefined; body: string }[] = [];
    let status = 201;
    const gateway = createServer((request, response) => {
      void text(request).then((body) => {
        seen.push({ url: request.url, authorization: request.headers.authorization, body });
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => void gateway.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const byText = twilioCarrier({ accountSid: 'AC1', authToken: 'secret', from: '+12125550100' }, origin);
    const code = { channel: 'text', recipient: '+12125550123', subject: '', body: 'Your code is 123456.' } as const;
    try {
      await send(await post(code), null, { byText });
      expect(seen[0]?.url).toBe('/2010-04-01/Accounts/AC1/Messages.json');
      expect(seen[0]?.authorization).toBe(`Basic ${Buffer.from('AC1:secret').toString('base64')}`);
      expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({
        To: '+12125550123',
        From: '+12125550100',
        Body: 'Your code is 123456.',
      });
      status = 401;
      await expect(send(await post(code), null, { byText })).rejects.toThrow(new CarrierError('401'));
    } finally {
      gateway.close();
    }
  });
});

describe('the mailbox of a demo', () => {
  test('shows letters, newest first, even without a carrier', async () => {
    const first = await post({ subject: 'First' });
    const second = await post({ subject: 'Second', channel: 'text', recipient: '+12125550123' });
    await send(first, null, { demo: true });
    const letters = await anonymous(app).call('GET /api/demo/mailbox', {});
    expect(letters.slice(0, 2)).toMatchObject([
      { id: second, subject: 'Second', channel: 'text', to: '+12125550123', body: letter.body },
      { id: first, subject: 'First', channel: 'e-mail', to: 'rosa@elm.test', body: letter.body },
    ]);
    expect(await stateOf(first)).toEqual({ sent: true, failure: null, body: letter.body });
  });
});

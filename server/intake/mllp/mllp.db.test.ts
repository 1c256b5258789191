import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeFrame } from '#server/intake/hl7/frame.ts';
import { testDatabase } from '#server/testing/database.ts';
import { startIntake } from '#server/testing/intake.ts';
import { type MllpClient, mllpClient } from '#server/testing/mllp-client.ts';

const database = await testDatabase();
const clock = () => new Date('2026-11-20T15:00:00Z');
/** One test sends more than an address without a feed may in a day. */
const budget = { ofAddress: 2 ** 30, ofAll: 2 ** 30 };
const { listener, store, queue } = await startIntake(database.pipeline, clock, { budget });

let count = 0;
/** Returns a message with its own control ID and a note of `padding` bytes. */
function message(controlId = `C${++count}`, { sender = 'LAB', padding = 0 } = {}): Buffer {
  const note = padding > 0 ? `NTE|1||${'x'.repeat(padding)}\r` : '';
  return Buffer.from(
    `MSH|^~\\&|${sender}|HILL|TIDINGS|BAY|20261120100000||ADT^A01|${controlId}|P|2.5.1\rPID|1||7^^^HILL^MR||Ash^Ida\r${note}`,
  );
}

const controlIds = (acknowledgements: string[]): string[] =>
  acknowledgements.map((text) => /\rMSA\|(\w\w\|[^|\r]*)/.exec(text)?.[1] ?? text);

async function stored(controlId: string): Promise<number> {
  const { rows } = await database.pipeline.query('select from messages where control_id = $1', [controlId]);
  return rows.length;
}

const closed = (client: MllpClient) => Promise.race([client.ended.then(() => 'closed'), sleep(10_000, 'open')]);

test('frames are decoded however their bytes are split or joined, and acknowledged in order', async () => {
  const client = await mllpClient(listener.port);
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }), async (pieces) => {
      const ids = [`P${++count}`, `P${++count}`, `P${++count}`];
      const bytes = Buffer.concat(ids.map((id) => encodeFrame(message(id))));
      let at = 0;
      for (const piece of pieces) {
        client.socket.write(bytes.subarray(at, at + piece));
        at += piece;
        await new Promise(setImmediate);
      }
      client.socket.write(bytes.subarray(Math.min(at, bytes.length)));
      sent += ids.length;
      const answers = await client.acknowledgements(sent);
      expect(controlIds(answers.slice(-3))).toEqual(ids.map((id) => `AA|${id}`));
    }),
    { numRuns: 25 },
  );
  client.close();
});

test('a batch gets one acknowledgement, and each of its messages is stored', async () => {
  const client = await mllpClient(listener.port);
  const batch = Buffer.concat([
    Buffer.from('FHS|^~\\&|LAB|HILL\rBHS|^~\\&|LAB|HILL\r'),
    message('BATCH-1'),
    message('BATCH-2'),
    Buffer.from('BTS|2\rFTS|1\r'),
  ]);
  client.socket.write(Buffer.concat([encodeFrame(batch), encodeFrame(message('AFTER'))]));
  expect(controlIds(await client.acknowledgements(2))).toEqual(['AA|BATCH-1', 'AA|AFTER']);
  expect([await stored('BATCH-1'), await stored('BATCH-2')]).toEqual([1, 1]);
  client.close();
});

test('a frame over 16 MiB closes its connection and no other', async () => {
  const [long, other] = [await mllpClient(listener.port), await mllpClient(listener.port)];
  long.socket.write(encodeFrame(message('TOO-LONG', { padding: 16 * 1024 * 1024 })));
  expect(await closed(long)).toBe('closed');
  other.socket.write(encodeFrame(message('SHORT')));
  expect(controlIds(await other.acknowledgements(1))).toEqual(['AA|SHORT']);
  expect(await stored('TOO-LONG')).toBe(0);
  other.close();
});

test('an idle connection is closed, an active one is not', async () => {
  const { listener: impatient } = await startIntake(database.pipeline, clock, { limits: { idle: 400 } });
  const [silent, talking] = [await mllpClient(impatient.port), await mllpClient(impatient.port)];
  const ids = Array.from({ length: 8 }, () => `T${++count}`);
  for (const id of ids) {
    talking.socket.write(encodeFrame(message(id)));
    await sleep(100);
  }
  expect(await closed(silent)).toBe('closed');
  expect(controlIds(await talking.acknowledgements(ids.length))).toEqual(ids.map((id) => `AA|${id}`));
  talking.close();
});

test('a resend is acknowledged again and stored as a duplicate', async () => {
  const client = await mllpClient(listener.port);
  client.socket.write(Buffer.concat([encodeFrame(message('AGAIN')), encodeFrame(message('AGAIN'))]));
  expect(controlIds(await client.acknowledgements(2))).toEqual(['AA|AGAIN', 'AA|AGAIN']);
  await queue.drain();
  const { rows } = await database.pipeline.query("select status from messages where control_id = 'AGAIN' order by id");
  expect(rows.map(({ status }) => status)).toEqual(['QUARANTINED', 'DUPLICATE']);
  client.close();
});

describe('when storage fails', () => {
  /** Makes the database reject messages of the sender BROKEN. */
  async function rejectBroken(): Promise<void> {
    await database.owner.query(`
      create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`);
    await database.owner.query(
      `create or replace trigger refuse before insert on messages for each row when (new.sending_application = 'BROKEN') execute function refuse()`,
    );
  }

  test('nothing is acknowledged, the connection is closed, and the resend is accepted once storage works again', async () => {
    await rejectBroken();
    const client = await mllpClient(listener.port);
    const frame = encodeFrame(message('LOST', { sender: 'BROKEN' }));
    client.socket.write(frame);
    expect(await closed(client)).toBe('closed');
    await expect(client.acknowledgements(1)).rejects.toThrow('0 acknowledgements');
    expect(await stored('LOST')).toBe(0);
    await database.owner.query('drop trigger refuse on messages');
    const again = await mllpClient(listener.port);
    again.socket.write(frame);
    expect(controlIds(await again.acknowledgements(1))).toEqual(['AA|LOST']);
    again.close();
  });

  test('a message that cannot be stored does not fail the others; later messages on its connection are not acknowledged', async () => {
    await rejectBroken();
    const [bad, good] = [await mllpClient(listener.port), await mllpClient(listener.port)];
    const frames = [message('FIRST'), message('BAD', { sender: 'BROKEN' }), message('THIRD')].map(encodeFrame);
    bad.socket.write(Buffer.concat(frames));
    good.socket.write(Buffer.concat([encodeFrame(message('GOOD-1')), encodeFrame(message('GOOD-2'))]));
    expect(controlIds(await good.acknowledgements(2))).toEqual(['AA|GOOD-1', 'AA|GOOD-2']);
    expect(controlIds(await bad.acknowledgements(1))).toEqual(['AA|FIRST']);
    expect(await closed(bad)).toBe('closed');
    await expect(bad.acknowledgements(2)).rejects.toThrow('1 acknowledgements');
    expect(await stored('BAD')).toBe(0);
    await database.owner.query('drop trigger refuse on messages');
    good.close();
  });
});

test('reading pauses while too much waits to be stored, and nothing is lost', async () => {
  const holder = new pg.Client({ connectionString: database.urls.owner });
  await holder.connect();
  await holder.query('begin; lock table messages in share mode');
  const client = await mllpClient(listener.port);
  const ids = Array.from({ length: 7 }, (_, index) => `HUGE-${index}`);
  for (const id of ids) client.socket.write(encodeFrame(message(id, { padding: 15 * 1024 * 1024 })));
  await expect.poll(() => store.isFull('127.0.0.1'), { timeout: 10_000 }).toBe(true);
  // The buffers of both sockets still fill up. Then nothing moves, and most bytes are still with the sender.
  let left = Number.NaN;
  await expect
    .poll(
      () => {
        const before = left;
        left = client.socket.writableLength;
        return left === before;
      },
      { interval: 300, timeout: 20_000 },
    )
    .toBe(true);
  expect(left).toBeGreaterThan(0);
  await holder.query('rollback');
  await holder.end();
  expect(controlIds(await client.acknowledgements(ids.length))).toEqual(ids.map((id) => `AA|${id}`));
  client.close();
});

describe.skipIf(!hasOpenssl())(`with TLS${hasOpenssl() ? '' : ' (skipped: openssl is not installed)'}`, async () => {
  if (!hasOpenssl()) return;
  const { ca, server, sender, stranger } = certificates();
  const open = await startIntake(database.pipeline, clock, { tls: server, budget });
  const restricted = await startIntake(database.pipeline, clock, { tls: { ...server, ca }, budget });
  const connect = (port: number, more: object = {}) =>
    mllpClient(port, tls.connect({ host: '127.0.0.1', port, ca, servername: 'localhost', ...more }));

  test('a sender that trusts the server certificate is served', async () => {
    const client = await connect(open.listener.port);
    client.socket.write(encodeFrame(message('SECRET')));
    expect(controlIds(await client.acknowledgements(1))).toEqual(['AA|SECRET']);
    client.close();
  });

  test('a sender with a certificate signed by the required authority is served', async () => {
    const client = await connect(restricted.listener.port, sender);
    client.socket.write(encodeFrame(message('KNOWN')));
    expect(controlIds(await client.acknowledgements(1))).toEqual(['AA|KNOWN']);
    client.close();
  });

  test.each([
    { who: 'without a certificate', more: {} },
    { who: 'with a self-signed certificate', more: stranger },
    { who: 'without TLS', more: null },
  ])('a sender $who is rejected, and nothing is stored', async ({ who, more }) => {
    const { port } = restricted.listener;
    const client = more === null ? await mllpClient(port) : await connect(port, more);
    client.socket.write(encodeFrame(message(`STRANGER-${who.length}`)));
    expect(await closed(client)).toBe('closed');
    expect(await stored(`STRANGER-${who.length}`)).toBe(0);
  });

  test('a connection that never finishes its handshake is closed, and gives its seat back', async () => {
    const limits = { handshakeTime: 200, connectionsPerUnknownAddress: 1 };
    const { listener } = await startIntake(database.pipeline, clock, { tls: server, budget, limits });
    const silent = await mllpClient(listener.port);
    expect(await closed(silent)).toBe('closed');
    const client = await connect(listener.port);
    client.socket.write(encodeFrame(message('AFTER')));
    expect(controlIds(await client.acknowledgements(1))).toEqual(['AA|AFTER']);
    client.close();
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Creates an authority, a server and a sender that it signed, and a self-signed sender. */
function certificates() {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-tls-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
  const selfSigned = (name: string) =>
    openssl('req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`);
  const signed = (name: string) => {
    openssl('req', ...key.slice(0, -2), '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    writeFileSync(path(`${name}.ext`), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
    const of = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30', '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...of);
  };
  selfSigned('ca');
  selfSigned('stranger');
  for (const name of ['server', 'sender']) signed(name);
  const pair = (name: string) => ({ cert: readFileSync(path(`${name}.pem`)), key: readFileSync(path(`${name}.key`)) });
  return {
    ca: readFileSync(path('ca.pem')),
    server: pair('server'),
    sender: pair('sender'),
    stranger: pair('stranger'),
  };
}

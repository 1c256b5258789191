import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { type ConnectionLimits, limitedServer } from './connections.ts';
import { handleErrors } from './error-handler.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

/** Starts a server that answers after `release()`, or at once, and keeps its log. */
async function start({ limits, proxy = '' }: { limits?: Partial<ConnectionLimits>; proxy?: string } = {}) {
  const log: { level: number }[] = [];
  const logger = { stream: { write: (line: string) => void log.push(JSON.parse(line)) } };
  const serverFactory = limitedServer({
    limits: { most: 100, perAddress: 100, unanswered: 4, ...limits },
    requestTimeout: 60_000,
    isProxy: (address) => address === proxy,
  });
  const app = Fastify({ logger, forceCloseConnections: true, serverFactory });
  handleErrors(app);
  const held = { calls: 0, failures: 0, until: Promise.resolve() };
  app.addHook('onError', async () => void (held.failures += 1));
  app.get('/', async () => {
    held.calls += 1;
    await held.until;
    return 'answer';
  });
  app.post('/', async () => 'answer');
  await app.listen({ port: 0, host: '127.0.0.1' });
  cleanUp.push(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const open = async (): Promise<Client> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    cleanUp.push(() => socket.destroy());
    await once(socket, 'connect');
    return { socket, closed };
  };
  return { held, log, open };
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
interface Client {
  socket: Socket;
  closed: Promise<void>;
}

/** Sends a request, and waits for its answer; '' if the connection is closed instead. */
async function ask({ socket, closed }: Client): Promise<string> {
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  socket.write(REQUEST);
  return Promise.race([answer, closed.then(() => '')]);
}

test('a connection that asks for more without reading the answers is closed', async () => {
  const { held, open } = await start();
  const { promise, resolve } = Promise.withResolvers<void>();
  held.until = promise;
  const { socket, closed } = await open();
  socket.write(REQUEST.repeat(5000));
  socket.resume();
  await closed;
  expect(held.calls).toBe(4);
  resolve();
});

test('a connection may ask as often as it likes, one request after another', async () => {
  const { open } = await start();
  const client = await open();
  for (let n = 0; n < 50; n += 1) expect(await ask(client)).toContain('200 OK');
});

test('an address gets no more than its connections, until it closes one', async () => {
  const { open } = await start({ limits: { perAddress: 3 } });
  const [first, second] = [await open(), await open(), await open()];
  const fourth = await open();
  fourth.socket.resume();
  await fourth.closed;
  first.socket.destroy();
  await expect.poll(async () => ask(await open())).toContain('200 OK');
  expect(await ask(second)).toContain('200 OK');
});

test("a trusted proxy's connections are everyone's, and only the limit of all holds", async () => {
  const { open } = await start({ limits: { perAddress: 1, most: 3 }, proxy: '127.0.0.1' });
  for (const client of [await open(), await open(), await open()]) expect(await ask(client)).toContain('200 OK');
  const fourth = await open();
  fourth.socket.resume();
  await fourth.closed;
});

test('a client that leaves before its request has arrived is not a failure of the server', async () => {
  const { held, open, log } = await start();
  const { socket } = await open();
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":');
  await expect.poll(() => log.length).toBeGreaterThan(1);
  socket.destroy();
  await expect.poll(() => held.failures).toBe(1);
  await new Promise(setImmediate);
  expect(log.filter(({ level }) => level >= 50)).toEqual([]);
});

test('a client that sends everything before it reads gets the answer to a request refused early', async () => {
  const { open } = await start();
  const { socket, closed } = await open();
  const errors: Error[] = [];
  socket.on('error', (error) => errors.push(error));
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  socket.allowHalfOpen = true;
  const length = 32 * 1024 * 1024;
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  );
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < length; sent += piece.length) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed]);
  }
  socket.end();
  await closed;
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(errors).toEqual([]);
});

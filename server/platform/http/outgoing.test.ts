import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { type LookUp, outgoingFetch } from './outgoing.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.headers.host} ${request.url}`);
  if (request.url === '/moved') return void response.writeHead(302, { location: '/here' }).end();
  if (request.url === '/large') return void response.end('x'.repeat(1024 * 1024 + 1));
  if (request.url === '/endless') return send();
  if (request.url === '/silent') return;
  if (request.url === '/empty') return void response.writeHead(204).end();
  request.setEncoding('utf8');
  let body = '';
  request.on('data', (piece: string) => (body += piece));
  request.on('end', () =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ body, headers: request.headers })),
  );

  function send(): void {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', send);
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Names of a test, each with its addresses. A list per look-up: a name may change its address. */
const names = (table: Record<string, string[][]>): { lookUp: LookUp; looked: string[] } => {
  const looked: string[] = [];
  return {
    looked,
    lookUp: (name, _options, done) => {
      looked.push(name);
      const of = table[name];
      const now = (of && of.length > 1 ? of.shift() : of?.[0]) ?? [];
      done(
        null,
        now.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  };
};
const LOCAL = ['127.0.0.0/8'];
const provider = names({ 'provider.test': [['127.0.0.1']] });
const url = (path = '/') => `http://provider.test:${port}${path}`;

test('a call reaches an allowed network, with its method, headers and body', async () => {
  const fetch = outgoingFetch(LOCAL, provider.lookUp);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(url('/token'), { method: 'POST', headers, body: new URLSearchParams({ code: 'ü 1' }) });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  const received = (await answer.json()) as { body: string; headers: Record<string, string> };
  expect(received.body).toBe('code=%C3%BC+1');
  expect(received.headers).toMatchObject({ ...headers, 'accept-encoding': 'identity', host: `provider.test:${port}` });
  expect((await fetch(url('/empty'))).status).toBe(204);
});

describe('refused before a connection:', () => {
  test.each([
    ['127.0.0.1', 'this machine'],
    ['10.1.2.3', 'a private network'],
    ['172.31.0.1', 'a private network'],
    ['192.168.1.1', 'a private network'],
    ['100.64.0.1', 'a carrier’s network'],
    ['169.254.169.254', 'the metadata of a cloud'],
    ['0.0.0.0', 'any address of this machine'],
    ['224.0.0.1', 'a group of machines'],
    ['255.255.255.255', 'a broadcast'],
    ['::1', 'this machine'],
    ['::', 'any address of this machine'],
    ['::ffff:127.0.0.1', 'an IPv4 address in IPv6'],
    ['::ffff:a9fe:a9fe', 'metadata in IPv6'],
    ['64:ff9b::7f00:1', 'a translated address'],
    ['2002:7f00:1::', 'a tunneled address'],
    ['2001:0:7f00:1::', 'a tunneled address'],
    ['fe80::1', 'a link'],
    ['fd00:ec2::254', 'the metadata of a cloud'],
    ['ff02::1', 'a group of machines'],
  ])('%s, %s', async (address) => {
    const { lookUp } = names({ 'provider.test': [[address]] });
    const before = asked.length;
    await expect(outgoingFetch([], lookUp)(url())).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    const host = address.includes(':') ? `[${address}]` : address;
    const direct = outgoingFetch([], lookUp)(`http://${host}:${port}/`);
    await expect(direct).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(asked).toHaveLength(before);
  });

  test.each(['http://2130706433', 'http://0x7f.1', 'http://127.1', 'http://[::ffff:7f00:1]', 'http://0'])(
    '%s, another way to write this machine',
    async (address) => {
      await expect(outgoingFetch([])(`${address}:${port}/`)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    },
  );

  test('a name with one public address and one inside', async () => {
    const { lookUp } = names({ 'provider.test': [['93.184.216.34', '127.0.0.1']] });
    await expect(outgoingFetch([], lookUp)(url())).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
  });

  test('other schemes', async () => {
    await expect(outgoingFetch(LOCAL)('file:///etc/passwd')).rejects.toMatchObject({ code: 'SCHEME_REFUSED' });
  });
});

test('the address that was checked is the one connected to, even if the name changes', async () => {
  const { lookUp, looked } = names({ 'provider.test': [['127.0.0.1'], ['127.0.0.2']] });
  expect((await outgoingFetch(['127.0.0.1'], lookUp)(url())).status).toBe(200);
  expect(looked).toHaveLength(1);
  await expect(outgoingFetch(['127.0.0.1'], lookUp)(url())).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
});

test('a redirect is not followed', async () => {
  const before = asked.length;
  await expect(outgoingFetch(LOCAL, provider.lookUp)(url('/moved'))).rejects.toMatchObject({ code: 'REDIRECTED' });
  expect(asked).toHaveLength(before + 1);
});

test.each(['/large', '/endless'])('the answer of %s is cut off', async (path) => {
  const answer = outgoingFetch(LOCAL, provider.lookUp)(url(path));
  await expect(answer).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
});

test('a server that never answers is left when the caller gives up', async () => {
  const controller = new AbortController();
  const call = outgoingFetch(LOCAL, provider.lookUp)(url('/silent'), { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

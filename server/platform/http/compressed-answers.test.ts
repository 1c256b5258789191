import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { compressAnswers } from './compressed-answers.ts';

const long = { rows: Array.from({ length: 200 }, (_, n) => ({ id: String(n), name: 'Ann Nguyen' })) };
const app = Fastify();
compressAnswers(app);
app.get('/long', () => long);
app.get('/short', () => ({ ok: true }));
app.get('/page', (_, reply) => reply.type('text/html').send('x'.repeat(5000)));

const ask = (url: string, encoding?: string) =>
  app.inject({ url, ...(encoding === undefined ? {} : { headers: { 'accept-encoding': encoding } }) });

test.each(['gzip', 'gzip, deflate, br, zstd', 'br;q=1.0, gzip;q=0.8', 'GZIP ; q=1'])(
  'a long answer is compressed for a client that accepts %s',
  async (encoding) => {
    const { headers, rawPayload } = await ask('/long', encoding);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(Number(headers['content-length'])).toBe(rawPayload.length);
    expect(rawPayload.length).toBeLessThan(JSON.stringify(long).length / 5);
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(long);
  },
);

test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.000, br', 'x-gzip', '*;q=0'])(
  'it is plain for a client that accepts %s',
  async (encoding) => {
    const { headers, body } = await ask('/long', encoding);
    expect([headers['content-encoding'], headers.vary, JSON.parse(body)]).toEqual([undefined, 'accept-encoding', long]);
  },
);

test.each(['/short', '/page'])('%s is sent as it is', async (url) => {
  const { headers } = await ask(url, 'gzip');
  expect(headers['content-encoding']).toBeUndefined();
});

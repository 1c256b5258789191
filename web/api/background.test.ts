import { afterEach, expect, test, vi } from 'vitest';
import { inBackground } from './background.ts';
import { call } from './call.ts';

afterEach(() => vi.unstubAllGlobals());

test('only calls that begin in the background say so', async () => {
  const fetch = vi.fn(async () => new Response('{"count":1}'));
  vi.stubGlobal('fetch', fetch);
  await Promise.all([
    inBackground(() => call('GET /api/pings/count/:kind', { params: { kind: 'open' } })),
    call('GET /api/pings/count/:kind', { params: { kind: 'open' } }),
  ]);
  expect(() => inBackground(() => JSON.parse('{'))).toThrow();
  await call('GET /api/application-info');
  const said = fetch.mock.calls.map((args) => {
    const [, { headers }] = args as unknown as [string, { headers: Record<string, string> }];
    return headers['x-tidings-background'];
  });
  expect(said).toEqual(['1', undefined, undefined]);
});

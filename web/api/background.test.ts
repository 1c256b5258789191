import { afterEach, expect, test, vi } from 'vitest';
import { inBackground } from './background.ts';
import { call } from './call.ts';

afterEach(() => vi.unstubAllGlobals());

test('only calls that start in the background are marked', async () => {
  const fetch = vi.fn(async () => new Response('{"count":1}'));
  vi.stubGlobal('fetch', fetch);
  await Promise.all([
    inBackground(() => call('GET /api/pings/count/:kind', { params: { kind: 'open' } })),
    call('GET /api/pings/count/:kind', { params: { kind: 'open' } }),
  ]);
  expect(() => inBackground(() => JSON.parse('{'))).toThrow();
  await call('GET /api/application-info');
  const headers = fetch.mock.calls.map((args) => {
    const [, init] = args as unknown as [string, { headers: Record<string, string> }];
    return init.headers['x-tidings-background'];
  });
  expect(headers).toEqual(['1', undefined, undefined]);
});

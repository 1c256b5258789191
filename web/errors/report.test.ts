import { afterEach, expect, test, vi } from 'vitest';
import { ChunkLoadError } from './load-chunk.ts';
import { reportError, withoutData, withoutIds } from './report.ts';

afterEach(() => vi.unstubAllGlobals());

test('possible patient data is removed', () => {
  expect(withoutData(`Unexpected token 'L', "LINDQVIST, 11/02/1956" is not valid JSON`)).toBe(
    'Unexpected token …, … is not valid JSON',
  );
  expect(withoutIds('/dashboard/patients/417_2/care-team')).toBe('/dashboard/patients/:id/care-team');
});

test('an error is reported once, with its kind and location', () => {
  const fetch = vi.fn(async () => new Response(null, { status: 204 }));
  vi.stubGlobal('fetch', fetch);
  reportError('component', new TypeError('x is undefined'), 'r1');
  reportError('component', new TypeError('x is undefined'), 'r2');
  expect(fetch).toHaveBeenCalledOnce();
  const [path, { body }] = fetch.mock.calls[0] as unknown as [string, { body: string }];
  expect(path).toBe('/api/client-errors');
  expect(JSON.parse(body)).toEqual({
    kind: 'component',
    message: 'TypeError: x is undefined',
    requestId: 'r1',
    location: '/',
  });
});

test('a failing report does not throw', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(() => reportError('unknown', 'something else')).not.toThrow();
});

test('the report of a chunk that failed to load names the type of failure', () => {
  const fetch = vi.fn(async () => new Response(null, { status: 204 }));
  vi.stubGlobal('fetch', fetch);
  reportError('component', new ChunkLoadError('rosters', 'timeout', null));
  const [, { body }] = fetch.mock.calls[0] as unknown as [string, { body: string }];
  expect(JSON.parse(body).message).toBe('ChunkLoadError: Loading chunk rosters failed (timeout)');
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadChunk } from './load-chunk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a chunk that loads on the fifth try is returned', async () => {
  let tries = 0;
  const load = vi.fn(async () => {
    tries += 1;
    if (tries < 5) throw new TypeError('Failed to fetch dynamically imported module');
    return 'page';
  });
  const loaded = loadChunk('inbox', load);
  await vi.advanceTimersByTimeAsync(1999);
  expect(load).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(1);
  await expect(loaded).resolves.toBe('page');
});

test('a chunk that fails five times is missing', async () => {
  const load = vi.fn(async () => Promise.reject(new TypeError('no')));
  const failed = loadChunk('inbox', load).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await failed).toMatchObject({
    name: 'ChunkLoadError',
    message: 'Loading chunk inbox failed',
    type: 'missing',
  });
  expect(load).toHaveBeenCalledTimes(5);
});

test('a chunk that has not loaded after two minutes is a timeout', async () => {
  const failed = loadChunk('inbox', () => new Promise(() => {})).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await failed).toMatchObject({ name: 'ChunkLoadError', type: 'timeout' });
});

import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const PUBLIC_URL = 'https://tidings.test';
const passes = (headers: Record<string, string>, method = 'POST') =>
  isSameOrigin({ method, headers: { host: 'inside:8080', ...headers } } as unknown as FastifyRequest, PUBLIC_URL);

describe('a call that changes something', () => {
  test('comes from our own page, by what the browser says', () => {
    expect(passes({ 'sec-fetch-site': 'same-origin' })).toBe(true);
    for (const site of ['cross-site', 'same-site', 'none', '']) expect(passes({ 'sec-fetch-site': site })).toBe(false);
  });

  test('is not believed by its Origin where the browser says otherwise', () => {
    expect(passes({ 'sec-fetch-site': 'cross-site', origin: PUBLIC_URL })).toBe(false);
  });

  test('comes, from an older browser, with the Origin of the public address or of the host that was asked', () => {
    expect(passes({ origin: PUBLIC_URL })).toBe(true);
    expect(passes({ origin: 'http://inside:8080' })).toBe(true);
    for (const origin of ['https://tidings.test.evil.test', 'https://evil.test', 'null', 'http://inside', '']) {
      expect([origin, passes({ origin })]).toEqual([origin, false]);
    }
  });

  test('may come from no browser at all', () => {
    expect(passes({})).toBe(true);
  });
});

test('a call that only reads may come from anywhere: no other site can see its answer', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect(passes({ 'sec-fetch-site': 'cross-site' }, method)).toBe(true);
});

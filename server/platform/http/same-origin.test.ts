import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const PUBLIC_URL = 'https://tidings.test';
const passes = (headers: Record<string, string>, method = 'POST') =>
  isSameOrigin({ method, headers: { host: 'inside:8080', ...headers } } as unknown as FastifyRequest, PUBLIC_URL);

describe('a call that changes something', () => {
  test('must come from our own page according to Sec-Fetch-Site', () => {
    expect(passes({ 'sec-fetch-site': 'same-origin' })).toBe(true);
    for (const site of ['cross-site', 'same-site', 'none', '']) expect(passes({ 'sec-fetch-site': site })).toBe(false);
  });

  test('is refused despite its Origin if Sec-Fetch-Site says otherwise', () => {
    expect(passes({ 'sec-fetch-site': 'cross-site', origin: PUBLIC_URL })).toBe(false);
  });

  test('must have, from an older browser, the public URL or the requested host as its Origin', () => {
    expect(passes({ origin: PUBLIC_URL })).toBe(true);
    expect(passes({ origin: 'http://inside:8080' })).toBe(true);
    for (const origin of ['https://tidings.test.evil.test', 'https://evil.test', 'null', 'http://inside', '']) {
      expect([origin, passes({ origin })]).toEqual([origin, false]);
    }
  });

  test('may come from a program that is not a browser', () => {
    expect(passes({})).toBe(true);
  });
});

test('a call that only reads may come from anywhere, because other sites cannot see the answer', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect(passes({ 'sec-fetch-site': 'cross-site' }, method)).toBe(true);
});

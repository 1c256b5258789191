import { expect, it } from 'vitest';
import { withPlainPath } from './plain-path.ts';

it.each([
  ['/fhir/%24process-message', '/fhir/$process-message'],
  ['/fhir/%24process%2dmessage?_format=%24', '/fhir/$process-message?_format=%24'],
  ['/dashboard/home/%69nbox', '/dashboard/home/inbox'],
  ['/%5Fa%7E', '/_a~'],
])('%s is %s', (url, plain) => {
  expect(withPlainPath(url)).toBe(plain);
});

it.each([
  '/healthz',
  '/a%2Fb',
  '/%2e%2E/etc',
  '/a%3Fb%23c',
  '/a%2524b',
  '/%40%5B%60%7B%7F%00%C3%A9',
  '/%',
  '/%2',
  '/%zz',
  '?%24',
])('%s stays as it is, because it means something else otherwise, or nothing', (url) => {
  expect(withPlainPath(url)).toBe(url);
});

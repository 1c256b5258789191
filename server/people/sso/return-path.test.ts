import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeReturnPath } from './return-path.ts';

test('our own path is kept with its query and fragment', () => {
  for (const path of ['/', '/dashboard/home/inbox', '/patients/12_0?tab=a&b=%2F#top', '/api-notes']) {
    expect(safeReturnPath(path)).toBe(path);
  }
});

test('a path to another site or back to the sign-in becomes the home page', () => {
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'https://evil.example/',
  ];
  const others = ['javascript:alert(1)', 'dashboard', '', '/login?error=SSO_ERROR', '/api/logout', '/API/x', undefined];
  for (const path of [...elsewhere, ...others]) expect(safeReturnPath(path)).toBe('/');
});

test('no path takes the browser to another site', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    ':',
    '@',
    '%2f',
    '%5c',
    '\t',
    '\n',
    'evil.example',
    'https:',
    '?',
    '#',
    'a',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const page = new URL(safeReturnPath(`/${pieces.join('')}`), 'https://tidings.test/api/sso');
      expect(page.origin).toBe('https://tidings.test');
    }),
  );
});

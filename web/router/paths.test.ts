import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matcher, resolvePath } from './paths.ts';

const PATHS = ['/', '/a', '/a/list', '/a/$id', '/a/$id/pages/$page', '/a/list/$id', '/b/$', '/$'];
const find = matcher(PATHS.map((path) => ({ path })));
const found = (path: string): unknown => {
  const { route, params } = find(path) ?? {};
  return [route?.path, params];
};

test('of several patterns, the one that says more about the path is found', () => {
  expect(found('/')).toEqual(['/', {}]);
  expect(found('/a/list')).toEqual(['/a/list', {}]);
  expect(found('/a/other')).toEqual(['/a/$id', { id: 'other' }]);
  expect(found('/a/list/pages')).toEqual(['/a/list/$id', { id: 'pages' }]);
  expect(found('/a/x/pages/2')).toEqual(['/a/$id/pages/$page', { id: 'x', page: '2' }]);
  expect(found('/a/x/pages')).toEqual(['/$', { _splat: 'a/x/pages' }]);
  expect(found('/b')).toEqual(['/b/$', { _splat: '' }]);
  expect(found('/b/1/2')).toEqual(['/b/$', { _splat: '1/2' }]);
});

test('case and slashes at the end make no difference, except in parameters', () => {
  expect(found('/A/LIST/')).toEqual(['/a/list', {}]);
  expect(found('/A/Mixed//')).toEqual(['/a/$id', { id: 'Mixed' }]);
});

test('a parameter is what was put into the path, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      (id, page) => {
        const { pathname } = resolvePath(`/a/${encodeURIComponent(id)}/pages/${encodeURIComponent(page)}`, '/');
        // A browser takes these two for steps.
        fc.pre(![id, page].some((part) => part === '.' || part === '..'));
        expect(found(pathname)).toEqual(['/a/$id/pages/$page', { id, page }]);
      },
    ),
  );
});

test.each([
  ['.', '/a/b', '/a/b'],
  ['../c', '/a/b', '/a/c'],
  ['/x/', '/a/b', '/x'],
  ['/', '/a/b', '/'],
  ['..', '/', '/'],
])('%s at %s leads to %s', (to, from, expected) => {
  expect(resolvePath(to, from)).toEqual({ pathname: expected, query: '', hash: '' });
});

test('a path may bring its query and its hash', () => {
  expect(resolvePath('/x?p=2#top', '/a')).toEqual({ pathname: '/x', query: '?p=2', hash: '#top' });
});

test('no destination leaves this origin', () => {
  const parts = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '\t',
    '\n',
    ':',
    '@',
    'evil.example',
    'javascript',
    'https',
    '?',
    '#',
    '%2f',
    '//',
  );
  fc.assert(
    fc.property(fc.array(parts), (all) => {
      const { pathname, query, hash } = resolvePath(all.join(''), '/a/b');
      expect(pathname).toMatch(/^\/(?![/\\])/);
      expect(new URL(pathname + query + hash, 'https://own.example').origin).toBe('https://own.example');
    }),
  );
});

test('a hostile path of any length is a path', () => {
  for (const part of ['/', 'a/', '%', '../', '$/', '\\', '\t'])
    expect(find(resolvePath(`/${part.repeat(200_000)}`, '/').pathname)).not.toBeNull();
});

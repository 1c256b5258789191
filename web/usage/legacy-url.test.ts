import { expect, test } from 'vitest';
import { recordOf } from './follow.ts';
import { legacyTarget, rewriteLegacyUrl } from './legacy-url.ts';

test('a legacy hash becomes a path, query and hash', () => {
  expect(legacyTarget('#/dashboard/home/inbox?p=2#end')).toBe('/dashboard/home/inbox?p=2#end');
  expect(legacyTarget('#password/set?token=t')).toBe('/password/set?token=t');
  expect(legacyTarget('#!/hospital')).toBe('/hospital');
});

test.each([
  'login',
  'admit-site-message',
  'usertype',
  'password',
  'email',
  'registration',
  'dashboard',
  'hospital',
  'notifications',
])('a first segment that starts with %s is rewritten as it is', (start) => {
  for (const path of [start, `${start}/7fQ?username=a@b.example#end`, `${start}s/5`])
    expect(legacyTarget(`#/${path}`)).toBe(`/${path}`);
});

test('any other hash stays', () => {
  for (const hash of ['', '#', '#main', '#/unknown', '#/my-dashboard', '#//evil.example/dashboard'])
    expect(legacyTarget(hash), hash).toBeNull();
});

test('the record of a rewrite has both routes and no token', () => {
  history.replaceState(null, '', '/#/password/set?token=secret&username=ana@lakeshore.example');
  const rewritten = rewriteLegacyUrl(location);
  expect(rewritten && recordOf(rewritten)).toEqual({
    routes: ['/#/password/set', '/password/set'],
    username: 'ana@lakeshore.example',
  });
  expect(location.pathname + location.search).toBe('/password/set?token=secret&username=ana@lakeshore.example');
  history.replaceState(null, '', '/');
});

import { expect, test } from 'vitest';
import { recordOf } from './follow.ts';
import { legacyTarget, rewriteLegacyUrl } from './legacy-url.ts';

test('a legacy hash becomes a path, query and hash', () => {
  expect(legacyTarget('#/dashboard/home/inbox?p=2#end')).toBe('/dashboard/home/inbox?p=2#end');
  expect(legacyTarget('#password/set?token=t')).toBe('/password/set?token=t');
  expect(legacyTarget('#!/hospital')).toBe('/hospital');
});

test('pages of the older product that are not here lead to what took their place', () => {
  expect(legacyTarget('#/usertype')).toBe('/registration');
  expect(legacyTarget('#/password/reset/7fQ?username=a@b.example')).toBe('/forgot-password');
  expect(legacyTarget('#notifications/5')).toBe('/');
  expect(legacyTarget('#/notifications/6f9619ff-8b86-4d01-b42d-00cf4fc964ff')).toBe(
    '/notifications/6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  );
  expect(legacyTarget('#/email/confirm')).toBe('/');
  expect(legacyTarget('#/admit-site-message')).toBe('/');
});

test('any other hash stays', () => {
  for (const hash of ['', '#', '#main', '#/unknown', '#dashboards', '#//evil.example/dashboard'])
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

import { expect, test } from 'vitest';
import { isPagePath, PAGE_PARAMETERS, PAGE_PATHS } from '#contract/page-paths.ts';
import { router } from './router.ts';

test('the server knows exactly the pages of the router', () => {
  const routed = router.options.routes.map(({ path }) => path).filter((path) => path !== '/$');
  expect(routed.toSorted()).toEqual(PAGE_PATHS.toSorted());
});

test('the parameters of pages are those in their paths', () => {
  const segments = PAGE_PATHS.flatMap((path) => path.split('/')).filter((segment) => segment.startsWith('$'));
  const names = new Set(segments.map((segment) => segment.slice(1) || '_splat'));
  expect([...names].toSorted()).toEqual(PAGE_PARAMETERS.toSorted());
});

test('a path is a page if the router has it, with any id and with or without a slash at the end', () => {
  for (const path of [
    '/',
    '/login',
    '/LOGIN/',
    '/dashboard/patients/7_8',
    '/hospital/active-filter-id/3',
    '/inbox',
    '/inbox/active-filter-id/3',
    '/patients/7_8/case-management',
  ])
    expect([path, isPagePath(path)]).toEqual([path, true]);
  for (const path of [
    '/metrics',
    '/api',
    '/api/nothing',
    '/.env',
    '/dashboard/nothing',
    '/login/x',
    '//login',
    '/index.html',
  ])
    expect([path, isPagePath(path)]).toEqual([path, false]);
});

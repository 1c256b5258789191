import type { Request } from '@playwright/test';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';
import { signInTo } from './scene.ts';

test('the scripts of the first page after sign-in are compressed and at most 110 kB', async ({ page, scene }) => {
  await scene.hospital.send('A01', scene.people[0] as Person);
  await signInTo(page.context().request, (await scene.user('care coordinator')).username);
  const sizes: Promise<number>[] = [];
  // Scripts requested after the page is live are loaded in spare time and do not count.
  let isLive = false;
  const first = new Set<Request>();
  page.on('request', (request) => {
    if (!isLive && request.resourceType() === 'script') first.add(request);
    isLive ||= new URL(request.url()).pathname === '/api/live';
  });
  page.on('requestfinished', (request) => {
    if (first.has(request)) sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto('/dashboard/home/inbox');
  await expect(page.getByRole('list', { name: 'Pings' })).toBeVisible();
  await untilLive(page);
  const kilobytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
  expect(kilobytes).toBeGreaterThan(50);
  expect(kilobytes).toBeLessThanOrEqual(110);
});

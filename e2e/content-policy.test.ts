import type { Page } from '@playwright/test';
import { administrator, adminPath, openRow } from './admin-page.ts';
import { detail, rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';
import { signInTo } from './scene.ts';

test.slow();

/** Records what the content security policy blocks in a page, from its first script on. */
async function watch(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(`
    window.blocked = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      window.blocked.push([event.violatedDirective, event.blockedURI, event.sample].join(' ')));`);
  return () => page.evaluate<string[]>('window.blocked');
}

/** Whether a style element without the page's nonce applies. */
const appliesStyle = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`
    document.head.append(Object.assign(document.createElement('style'), { textContent: 'body { outline: 7px solid red }' }));
    getComputedStyle(document.body).outlineWidth === '7px'`);

test('pages, menus, drawers, dialogs and print need no inline style that the policy blocks', async ({
  scene,
  open,
  complaints,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await administrator(scene));
  const blocked = await watch(page);
  await page.reload();
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByRole('form', { name: 'Resolve this ping' })).toBeVisible();
  await page.getByRole('button', { name: 'Account of Rosa Diaz' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await page.evaluate('getComputedStyle(document.body).overflow')).toBe('hidden');
  await page.keyboard.press('Escape');
  expect(await blocked()).toEqual([]);
  for (const path of [
    '/dashboard/patients/my-patients?showFilters=true',
    '/dashboard/rising-risk',
    '/dashboard/length-of-stay',
    '/dashboard/rosters',
    '/dashboard/feeds',
    '/dashboard/user-profile',
    '/dashboard/whats-new',
    adminPath('groups'),
    adminPath('single-sign-on'),
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await page.emulateMedia({ media: 'screen' });
    expect([path, await blocked()]).toEqual([path, []]);
  }
  await page.goto(adminPath('users'));
  await openRow(page, 'Diaz, Rosa');
  expect(await blocked()).toEqual([]);

  complaints.expect(/Content Security Policy/);
  expect(await appliesStyle(page)).toBe(false);
  expect((await blocked()).join()).toContain('style-src-elem');
});

test('sign-in and the page of an EHR need none either', async ({ scene, page, context }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const blocked = await watch(page);
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await blocked()).toEqual([]);
  const { username } = await scene.user('clinician', { applicationExperience: 'HOS_EHR_SSO' });
  await signInTo(context.request, username);
  await page.goto('/ehr/inbox');
  await rowOf(page, ann).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  expect(await blocked()).toEqual([]);
});

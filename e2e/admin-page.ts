import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test';
import type { Scene, SceneUser } from './scene.ts';

type Part = 'users' | 'teams' | 'groups' | 'roles' | 'single-sign-on' | 'requests';
export const adminPath = (part: Part): string => `/dashboard/admin/${part}`;

/** An administrator who is not asked for a second factor: that toast lies over the pages for its ten seconds. */
export const administrator = (scene: Scene, over: { firstName?: string; lastName?: string } = {}): Promise<SceneUser> =>
  scene.user('administrator', { firstName: 'Rosa', lastName: 'Diaz', ...over, removed: ['canViewMfaOptIn'] });

/** The drawer or the question that stands open on top. */
export const dialog = (page: Page, name?: string | RegExp): Locator =>
  (name === undefined ? page.getByRole('dialog') : page.getByRole('dialog', { name })).last();

/** The row of a table in which that name can be opened. */
export const rowNamed = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });

export const openRow = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('button', { name, exact: true }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('button', { name: /^(Save|Close)$/ }).last()).toBeVisible();
  return drawer;
};

/** What the page says once the server has taken a change. */
export const saved = (page: Page, words: string | RegExp): Promise<void> =>
  expect(page.getByRole('status').filter({ hasText: words })).toBeVisible();

/** The mails to an address, oldest first, and the link in each. */
export async function mailsTo(
  request: APIRequestContext,
  recipient: string,
): Promise<{ subject: string; link: string | undefined }[]> {
  const answer = await request.get('/api/demo/mailbox');
  const letters = (await answer.json()) as { to: string; subject: string; body: string }[];
  return letters
    .filter(({ to }) => to === recipient)
    .map(({ subject, body }) => ({ subject, link: /https?:\/\/\S+/.exec(body)?.[0] }))
    .reverse();
}

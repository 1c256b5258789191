import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test';
import type { Scene, SceneUser } from './scene.ts';

type Part = 'users' | 'teams' | 'groups' | 'roles' | 'single-sign-on' | 'requests';
export const adminPath = (part: Part): string => `/dashboard/admin/${part}`;

/** An administrator without the two-step verification toast, which would cover the pages for ten seconds. */
export const administrator = (scene: Scene, over: { firstName?: string; lastName?: string } = {}): Promise<SceneUser> =>
  scene.user('administrator', { firstName: 'Rosa', lastName: 'Diaz', ...over, removed: ['canViewMfaOptIn'] });

/** The topmost drawer or confirmation. */
export const dialog = (page: Page, name?: string | RegExp): Locator =>
  (name === undefined ? page.getByRole('dialog') : page.getByRole('dialog', { name })).last();

/** The table row with a button of this name. */
export const rowNamed = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });

/** Searches a list for a name, if it is long enough to have a field for that. */
export async function searchFor(page: Page, name: string): Promise<void> {
  const field = page.getByRole('searchbox', { name: 'Search' });
  await expect(field.or(page.getByRole('row').filter({ hasText: name })).first()).toBeVisible();
  if (await field.isVisible()) await field.fill(name);
}

export const openRow = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('button', { name, exact: true }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('button', { name: /^(Save|Close)$/ }).last()).toBeVisible();
  return drawer;
};

/** Expects the message that a change was saved. */
export const saved = (page: Page, words: string | RegExp): Promise<void> =>
  expect(page.getByRole('status').filter({ hasText: words })).toBeVisible();

/** Returns the mails to an address, oldest first, with the link in each. */
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

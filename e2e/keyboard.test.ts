import type { Page } from '@playwright/test';
import { detail, rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import { listedName, type Person } from './people.ts';

/** Expects a visible outline around the focused element. */
const expectVisibleFocus = async (page: Page): Promise<void> => {
  await expect(page.locator(':focus')).toHaveCSS('outline-style', 'solid');
  await expect(page.locator(':focus')).toHaveCSS('outline-width', '2px');
};

test('a ping is found, opened, resolved and reopened with the keyboard alone', async ({ scene, open }) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  const hours = (ago: number) => ({ at: new Date(Date.now() - ago * 3_600_000) });
  await scene.hospital.send('A01', ann, hours(3));
  await scene.hospital.send('A01', bob, hours(2));
  await scene.hospital.send('A01', cid, hours(1));
  const page = await open(await scene.user('care coordinator'));
  await untilListed(page, [ann, bob, cid]);
  const press = (key: string) => page.keyboard.press(key);

  await press('j');
  await expect(rowOf(page, cid)).toBeFocused();
  await press('j');
  await expect(rowOf(page, bob)).toBeFocused();
  await expectVisibleFocus(page);
  await expect(detail(page).getByRole('heading', { level: 2, name: listedName(bob) })).toBeVisible();
  await press('k');
  await expect(rowOf(page, cid)).toBeFocused();
  await press('j');
  await press('Enter');
  await expect(detail(page)).toBeFocused();
  await press('Escape');
  await expect(rowOf(page, bob)).toBeFocused();
  await expect(page.getByText('No ping selected.')).toBeVisible();

  await press('s');
  await expect(page.getByRole('menuitemradio', { name: 'Unresolved' })).toBeFocused();
  await press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await press('s');
  await expect(page.getByRole('menuitemradio', { name: 'Unresolved' })).toBeFocused();
  await press('ArrowDown');
  await expect(page.getByRole('menuitemradio', { name: 'In Progress' })).toBeFocused();
  await press('Enter');
  await expect(rowOf(page, bob)).toContainText('In Progress');

  await rowOf(page, bob).focus();
  await press('e');
  await expect(page.getByLabel('Brought Patient Back on Census')).toBeFocused();
  await expectVisibleFocus(page);
  await press('Escape');
  await expect(page.getByRole('form')).toHaveCount(0);
  await rowOf(page, bob).focus();
  await press('e');
  await press('Tab');
  await press('Space');
  await press('Enter');
  await expect(rowOf(page, bob)).toHaveCount(0);
  await expect(rowOf(page, ann)).toBeFocused();
  await press('z');
  await expect(rowOf(page, bob)).toBeVisible();
});

test('the question mark lists the shortcuts, and a switch turns them off', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  await expect(rowOf(page, ann)).toBeVisible();
  await page.keyboard.press('j');
  await expect(rowOf(page, ann)).toBeFocused();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByRole('row')).toContainText([
    /Ctrl.*K.*Search patients/,
    /G.*I.*Pings/,
    /J.*Next ping or patient/,
    /K.*Previous ping or patient/,
    /Enter/,
    /Esc/,
    /\//,
    /F/,
    /Shift/,
    /Z/,
    /E/,
    /S/,
  ]);
  await sheet.getByLabel('Single-key shortcuts').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(rowOf(page, ann)).toBeFocused();

  await page.keyboard.press('e');
  await page.keyboard.press('?');
  await expect(page.getByRole('form')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await expect(rowOf(page, ann)).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the first Tab offers to skip to the content', async ({ scene, open }) => {
  const page = await open(await scene.user('care coordinator'));
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to main content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
});

const focusIn = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement?.closest("section, form, main")?.tagName ?? "none"');

test('the focus stays on the page when the button that had it is removed or disabled', async ({ scene, open }) => {
  const user = await scene.user('administrator');
  const page = await open(user, '/dashboard/user-profile');
  await open(user);
  await page.reload();
  for (const name of ['Set up two-step verification', 'Add a passkey']) {
    await page.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name })).toHaveCount(0);
    await expect.poll(() => focusIn(page)).not.toBe('none');
  }
  await page.getByRole('button', { name: /^End session on/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Session ended.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^End session on/ })).toHaveCount(0);
  await expect.poll(() => focusIn(page)).toBe('SECTION');
});

test('a roster without a file is not sent, and its first missing field gets the focus', async ({ scene, open }) => {
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  await page.getByRole('button', { name: 'Upload and preview' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Choose a file first.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeFocused();
});

test('closing the list of shortcuts returns the focus on a narrow screen too', async ({ scene, open }) => {
  const page = await open(await scene.user('care coordinator'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('?');
  const focused = () => page.evaluate<string>('document.activeElement.tagName');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expect.poll(focused).not.toBe('BODY');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(focused).not.toBe('BODY');
});

import { expect, type Locator, type Page } from '@playwright/test';
import { listedName, type Person } from './people.ts';

/** The rows of the inbox. */
export const rows = (page: Page): Locator => page.getByRole('list', { name: 'Pings' }).getByRole('link');
/** The row of a patient. */
export const rowOf = (page: Page, person: Person): Locator => rows(page).filter({ hasText: listedName(person) });
/** Loads the inbox until it has all these rows. A message is acknowledged before it is processed, and what arrives later waits behind the bar. */
export const untilListed = (page: Page, people: readonly Person[]): Promise<void> =>
  expect(async () => {
    await page.reload();
    for (const person of people) await expect(rowOf(page, person)).toBeVisible({ timeout: 2000 });
  }).toPass();
/** The detail of the open ping. */
export const detail = (page: Page): Locator => page.getByRole('region', { name: 'Open ping' });
/** Opens a list; those of one closed status are within "All Resolved Pings". */
export async function openList(page: Page, name: string): Promise<void> {
  const isClosed = name === 'Resolved' || name === 'Dismissed';
  await page
    .getByRole('radiogroup', { name: 'List' })
    .getByText(new RegExp(`^${isClosed ? 'All Resolved Pings' : name}`))
    .click();
  if (isClosed) await page.getByRole('combobox', { name: 'Closed as' }).selectOption(name);
}
/** The bar above the rows that offers what waits. */
export const waitingBar = (page: Page, words: string): Locator => page.getByRole('button', { name: words });

/** Ends the session as time does, and refreshes the list so that its page notices. */
export async function endSession(page: Page): Promise<void> {
  const refresh = page.getByRole('button', { name: 'Refresh the list' });
  await expect(refresh).toBeEnabled();
  await page.context().clearCookies({ name: 'tidings_session' });
  // A call that a page makes by itself can be the first to notice, and then there is no button to wait for.
  await refresh.evaluateAll(([button]) => (button as { click: () => void } | undefined)?.click());
}

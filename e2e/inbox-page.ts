import type { Locator, Page } from '@playwright/test';
import { listedName, type Person } from './people.ts';

/** The rows of the list that stands on the page. */
export const rows = (page: Page): Locator => page.getByRole('list', { name: 'Pings' }).getByRole('link');
/** The row of a person. */
export const rowOf = (page: Page, person: Person): Locator => rows(page).filter({ hasText: listedName(person) });
/** The ping that is open. */
export const detail = (page: Page): Locator => page.getByRole('region', { name: 'Open ping' });
/** Goes to the list of that status. */
export const list = (page: Page, name: string): Promise<void> =>
  page
    .getByRole('radiogroup', { name: 'List' })
    .getByText(new RegExp(`^${name}`))
    .click();
/** What the bar says of pings that wait. */
export const bar = (page: Page, words: string): Locator => page.getByRole('button', { name: words });

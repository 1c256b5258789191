import type { Locator, Page } from '@playwright/test';
import { listedName, type Person } from './people.ts';

/** The rows of the inbox. */
export const rows = (page: Page): Locator => page.getByRole('list', { name: 'Pings' }).getByRole('link');
/** The row of a patient. */
export const rowOf = (page: Page, person: Person): Locator => rows(page).filter({ hasText: listedName(person) });
/** The detail of the open ping. */
export const detail = (page: Page): Locator => page.getByRole('region', { name: 'Open ping' });
/** Opens the list of a status. */
export const openList = (page: Page, name: string): Promise<void> =>
  page
    .getByRole('radiogroup', { name: 'List' })
    .getByText(new RegExp(`^${name}`))
    .click();
/** The bar above the rows that offers what waits. */
export const waitingBar = (page: Page, words: string): Locator => page.getByRole('button', { name: words });

import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const COLORS = ['color-contrast', 'link-in-text-block'];
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Only violations are read, so for the rest no selectors are computed. None of our rules reads style sheets, which would be loaded and
 * parsed again for every check.
 */
const OPTIONS: Parameters<AxeBuilder['options']>[0] = { resultTypes: ['violations'], preload: { assets: ['media'] } };

/** Returns axe for a page without frames. A document keeps the script, which therefore need not be compiled again for each check. */
async function axeFor(page: Page): Promise<AxeBuilder> {
  expect(page.frames()).toHaveLength(1);
  const isThere = await page.evaluate<boolean>('"axe" in window');
  const builder = new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) });
  return builder.setLegacyMode().options({ ...OPTIONS });
}

/** Counts the running CSS transitions. */
const TRANSITIONS = 'document.getAnimations().filter((moving) => moving instanceof CSSTransition).length';

/**
 * Expects a page to break no WCAG 2.2 AA rule that can be checked automatically, on a desktop and on a phone, and to fit into 320 px.
 * The dark theme differs from the light one only in its colors, so only those are checked in it.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // Colors don't depend on the width.
    for (const colorScheme of width === 1440 ? (['dark', 'light'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      await expect.poll(() => page.evaluate(TRANSITIONS), { intervals: [50] }).toBe(0);
      const axe = await axeFor(page);
      const { violations } = await (colorScheme === 'light' ? axe.withTags(WCAG) : axe.withRules(COLORS)).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
      expect(found, `${name}, ${colorScheme}, at ${width} px`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
  expect(width, `${name}: width of the content in a window of 320 px`).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 1440, height: 900 });
}

import { expectAccessible } from './accessible.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);

test('a spotlight says what it found, shows it as chart and table, and leads to the patients behind it', async ({
  scene,
  open,
}) => {
  const { hospital, people } = scene;
  for (const [at, person] of people.entries()) {
    for (const visit of [40, 70, 100]) {
      const parts = { visit: `S${at}-${visit}`, patientClass: 'E' as const, at: daysAgo(visit) };
      await hospital.send('A04', person, parts);
      await hospital.send('A03', person, { ...parts, at: daysAgo(visit - 0.2), disposition: '01' });
    }
  }
  const page = await open(await scene.user('administrator'));
  await page.getByRole('link', { name: 'Spotlights' }).click();
  await expect(page).toHaveURL(/\/dashboard\/analytics$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Too few discharges to tell' })).toBeVisible();
  await page.getByLabel('Spotlight').selectOption({ label: 'Admissions and ED use' });
  await page.getByLabel('Period').selectOption({ label: 'Last 12 months' });
  await expect(page).toHaveURL(/\/dashboard\/analytics\/admissions-and-ed-use\?period=last-12-months$/);
  const [ann] = people as [Person];
  const behind = page.getByRole('region', { name: 'Patients behind this number' });
  const ofAnn = behind.getByRole('link', { name: new RegExp(ann.family, 'i') }).first();
  await expect(ofAnn).toBeVisible();
  await page.getByRole('button', { name: 'View as table' }).first().click();
  await expect(page.getByRole('button', { name: 'View chart' })).toBeVisible();

  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [320, 390, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const content = await page.evaluate<number>('document.scrollingElement.scrollWidth');
      expect(content, `width of the content in a window of ${width} px`).toBeLessThanOrEqual(width);
      await expectAccessible(page, `a spotlight, ${scheme}, ${width} px`);
    }
  }

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^admissions-and-ed-use-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeHidden();
  await expect(page.getByRole('columnheader', { name: 'Facility' }).first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await ofAnn.click();
  await expect(page).toHaveURL(/\/dashboard\/patients\/\d+_\d+$/);
});

test('who may not view spotlights finds none', async ({ scene, open }) => {
  const page = await open(await scene.user('care coordinator', { removed: ['canViewSpotlights'] }));
  await expect(page.getByRole('link', { name: 'Pings' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Spotlights' })).toHaveCount(0);
});

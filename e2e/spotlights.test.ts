import { expectAccessible } from './accessible.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';
import { listedAYearAgo, untilProcessed } from './queries.ts';

test.slow();

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);

test('a spotlight says what it found, shows it as chart and table, and leads to the patients behind it', async ({
  scene,
  open,
  db,
}) => {
  const { hospital, people } = scene;
  await listedAYearAgo(db, scene.group.id);
  for (const [at, person] of people.entries()) {
    for (const visit of [40, 70, 100]) {
      const parts = { visit: `S${at}-${visit}`, patientClass: 'E' as const, at: daysAgo(visit) };
      await hospital.send('A04', person, parts);
      await hospital.send('A03', person, { ...parts, at: daysAgo(visit - 0.2), disposition: '01' });
    }
  }
  await untilProcessed(db);
  const page = await open(await scene.user('administrator'));
  await page.getByRole('link', { name: 'Spotlights' }).click();
  await expect(page).toHaveURL(/\/dashboard\/analytics$/);
  await expect(page.getByRole('heading', { level: 1, name: 'No discharges in this period' })).toBeVisible();
  await page.getByLabel('Spotlight').selectOption({ label: 'Admissions and ED use' });
  await page.getByLabel('Period').selectOption({ label: 'Last 12 months' });
  await expect(page).toHaveURL(/\/dashboard\/analytics\/admissions-and-ed-use\?period=last-12-months$/);
  const [ann] = people as [Person];
  const behind = page.getByRole('region', { name: 'Patients behind this number' });
  const ofAnn = behind.getByRole('link', { name: new RegExp(ann.family, 'i') }).first();
  await expect(ofAnn).toBeVisible();
  await page.getByRole('button', { name: 'View table' }).first().click();
  await expect(page.getByRole('button', { name: 'View chart' })).toBeVisible();

  for (const width of [390, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const content = await page.evaluate<number>('document.scrollingElement.scrollWidth');
    expect(content, `width of the content in a window of ${width} px`).toBeLessThanOrEqual(width);
  }
  await expectAccessible(page, 'a spotlight');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^admissions-and-ed-use-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeHidden();
  await expect(page.getByText(/Confidential: contains patient information \(PHI\)\. Printed .* by /)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Facility' }).first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await ofAnn.click();
  await expect(page).toHaveURL(/\/dashboard\/patients\/\d+_\d+$/);
});

test('a spotlight is saved under a name, shared with the team, changed and removed', async ({ scene, open }) => {
  const user = await scene.user('administrator');
  const page = await open(user);
  await page.getByRole('link', { name: 'Spotlights' }).click();
  await page.getByRole('button', { name: 'Save spotlight' }).click();
  const form = page.getByRole('dialog', { name: 'Save spotlight' });
  await form.getByLabel('Name').fill('Nights of this year');
  await form.getByLabel('What is counted').selectOption({ label: 'Length of stay' });
  await form.getByLabel('Period').selectOption({ label: 'Last 12 months' });
  await form.getByLabel('Shown first').selectOption({ label: 'By facility' });
  await form.getByLabel('Share with my team').check();
  await expectAccessible(page, 'the form of a saved spotlight');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/analytics\/length-of-stay\?/);
  await expect(page.getByRole('heading', { level: 1, name: 'No stays in this period' })).toBeVisible();
  await expect(page.locator('figcaption').first()).toContainText('By facility');
  const colleague = await open(await scene.user('administrator'));
  await colleague.goto('/dashboard/analytics');
  await colleague
    .getByLabel('Saved spotlights')
    .selectOption({ label: `Nights of this year (${user.firstName} ${user.lastName})` });
  await expect(colleague).toHaveURL(/\/analytics\/length-of-stay\?/);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Remove this spotlight…' }).click();
  await page.getByRole('button', { name: 'Remove spotlight' }).click();
  await expect(page.getByLabel('Saved spotlights')).toHaveCount(0);
});

test('a page of another system is shown in a frame of its own, for those who may view it', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 400 .*record-settings$/);
  const page = await open(await scene.user('administrator', { added: ['canViewSpotlightsWithTableau'] }));
  await page.route('https://tableau.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Other</title><h1>Views of another system</h1>' }),
  );
  await page.goto('/dashboard/analytics/embedded');
  await expect(page.getByText('No page is set up')).toBeVisible();
  await page.goto('/dashboard/admin/groups');
  await page.getByRole('button', { name: 'Change settings…' }).click();
  const address = page.getByLabel('Embedded spotlights');
  await address.fill('https://elsewhere.example/views');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('This installation allows pages at tableau.example.')).toBeVisible();
  await address.fill('https://tableau.example/views/Readmissions?:embed=y');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The patient record settings were saved.')).toBeVisible();
  await page.goto('/dashboard/analytics');
  await page.getByLabel('Spotlight').selectOption({ label: 'Embedded page' });
  const frame = page.frameLocator('iframe[title="Embedded spotlights"]');
  await expect(frame.getByRole('heading', { name: 'Views of another system' })).toBeVisible();
});

test('who may not view spotlights finds none', async ({ scene, open }) => {
  const page = await open(await scene.user('care coordinator', { removed: ['canViewSpotlights'] }));
  await expect(page.getByRole('link', { name: 'Pings' }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Spotlights' })).toHaveCount(0);
});

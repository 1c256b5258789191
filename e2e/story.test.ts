import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import { listedName, type Person } from './people.ts';

test.slow();

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);

const openStory = async (page: Page, person: Person): Promise<void> => {
  await rowOf(page, person).first().click();
  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Story' }).click();
  await expect(page).toHaveURL(/\/dashboard\/patients\/\d+_\d+$/);
};

test("a patient's story has all visits, fits every width, and follows the patient live", async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  const { hospital } = scene;
  await hospital.send('A01', ann, { visit: 'OLD', at: daysAgo(200) });
  await hospital.send('A03', ann, { visit: 'OLD', at: daysAgo(195), disposition: '01' });
  await hospital.send('A04', ann, { visit: 'ED', patientClass: 'E', at: daysAgo(2) });
  const page = await open(await scene.user('administrator'));
  await openStory(page, ann);
  await expect(page.getByRole('heading', { level: 1, name: listedName(ann) })).toBeVisible();
  const spaceBefore = `(() => {
    const spans = Array.from(document.querySelectorAll('button span'));
    const text = spans.find(({ firstChild }) => firstChild?.nodeValue === ' to the list').firstChild;
    const range = new Range();
    range.setStart(text, 0);
    range.setEnd(text, 1);
    return range.getBoundingClientRect().width;
  })()`;
  expect(await page.evaluate<number>(spaceBefore), 'width of the space in "Back to the list"').toBeGreaterThan(2);
  const emergency = page.getByRole('article', { name: `Emergency · ${hospital.name}` });
  await expect(emergency).toContainText('Arrived');
  await expect(emergency).toContainText('still there');
  await expect(emergency).toContainText('Heart failure, unspecified');
  const old = page.getByRole('article', { name: `Inpatient · ${hospital.name}` });
  await expect(old).toContainText(/Discharged .* · Home/);
  await expect(page.getByText(/^No events \d\d\/\d{4}–\d\d\/\d{4}$/)).toBeVisible();
  await old.getByRole('button', { name: 'Show details' }).click();
  await expect(old.getByText('Managing Provider')).toBeVisible();

  for (const width of [390, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const content = await page.evaluate<number>('document.scrollingElement.scrollWidth');
    expect(content, `width of the content in a window of ${width} px`).toBeLessThanOrEqual(width);
  }
  await expectAccessible(page, 'the story');

  await page.getByRole('button', { name: 'ED', exact: true }).click();
  await expect(old).toHaveCount(0);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(old).toBeVisible();

  await hospital.send('A03', ann, { visit: 'ED', patientClass: 'E', disposition: '07' });
  await expect(emergency).toContainText('Left against medical advice');
  const elsewhere = page.getByRole('link', { name: /^(View who has seen this patient|Why is there no ping\?)$/ });
  await expect(elsewhere).toHaveCount(2);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(/^Confidential: contains patient information/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back to the list' })).toBeHidden();
  await expect(elsewhere).toHaveCount(0);
});

test('the patients of a list follow each other by keys, and Escape leads back to it', async ({ scene, open }) => {
  const [ann, ben] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann, { at: daysAgo(2) });
  await scene.hospital.send('A01', ben, { at: daysAgo(1) });
  const page = await open(await scene.user('care coordinator'));
  await untilListed(page, [ann, ben]);
  await openStory(page, ben);
  const list = page.getByRole('navigation', { name: 'List' });
  await expect(list).toContainText('1 of 2');
  await expect(list.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { level: 1, name: listedName(ann) })).toBeVisible();
  await expect(list).toContainText('2 of 2');
  await page.keyboard.press('k');
  await expect(page.getByRole('heading', { level: 1, name: listedName(ben) })).toBeVisible();
  await page.keyboard.press('2');
  await expect(page.getByRole('heading', { level: 1, name: 'Care team' })).toBeVisible();
  await page.keyboard.press('1');
  await expect(page.getByRole('heading', { level: 1, name: listedName(ben) })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/dashboard\/home\/inbox/);
  await expect(rowOf(page, ben)).toBeFocused();
});

test('from care team and case management one step leads back to the list, and their print-outs say who the patient is', async ({
  scene,
  open,
}) => {
  const [ann, ben] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann, { at: daysAgo(2) });
  await scene.hospital.send('A01', ben, { at: daysAgo(1) });
  const page = await open(await scene.user('care coordinator'));
  await expect(rowOf(page, ann)).toBeVisible();
  await openStory(page, ben);
  const pages = page.getByRole('navigation', { name: 'Patient' });
  const list = page.getByRole('navigation', { name: 'List' });
  await pages.getByRole('link', { name: 'Care team' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Care team' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { level: 2, name: listedName(ann) })).toBeVisible();
  await expect(list).toContainText('2 of 2');
  await pages.getByRole('link', { name: 'Case management' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Case management' })).toBeVisible();

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(/^Confidential: contains patient information/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: listedName(ann) })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  // Printed by the button or by the browser, it is on record.
  const recorded = page.waitForResponse(/\/api\/prints$/);
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  expect((await recorded).status()).toBe(204);

  await list.getByRole('button', { name: 'Back to the list' }).click();
  await expect(page).toHaveURL(/\/dashboard\/home\/inbox/);
  await expect(rowOf(page, ben)).toBeVisible();
});

import type { Locator, Page } from '@playwright/test';
import { detail, rowOf, rows, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

const REASON = {
  code: 'RECENT_DISCHARGE',
  severity: 'caution',
  label: 'Discharged from a hospital 12 days before, 11/08/2026',
};
const LONG_NAME = {
  lastName: 'Wolfeschlegelsteinhausenbergerdorff-Montgomery de la Santísima Trinidad',
  firstName: 'Maximiliana Alexandrina Konstantinopolitanska',
};

/** Returns whether neither covers a part of the other. */
async function areApart(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) throw new Error('One of them is not shown.');
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

/** Has the server answer with patients as `change` makes them. */
async function answering(
  page: Page,
  change: (patient: Record<string, unknown> & { card: { headline: object } }) => void,
): Promise<void> {
  for (const pattern of ['**/api/pings', '**/api/patients/*_*'])
    await page.route(pattern, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      for (const patient of json.patients ?? [json]) if (patient.card) change(patient);
      await route.fulfill({ response, json });
    });
}

test('a row has the height that its list has room for, with a long reason and an owner', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A04', ann, { patientClass: 'E' });
  await scene.hospital.send('A06', ann);
  const page = await open(await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] }));
  await untilListed(page, [ann]);
  await rowOf(page, ann).click();
  const saved = page.waitForResponse('**/api/stays/assign');
  await detail(page).getByRole('button', { name: 'Take it' }).click();
  await saved;
  await expect(rowOf(page, ann)).toContainText('Taken by you');
  await answering(page, ({ card }) => {
    Object.assign(card.headline, { reason: REASON });
  });
  const heightAt = async (width: number): Promise<number> => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/dashboard/home/inbox');
    await expect(rowOf(page, ann)).toContainText(REASON.label);
    await expect(rowOf(page, ann)).toContainText('Taken by you');
    return (await rowOf(page, ann).boundingBox())?.height ?? 0;
  };
  // Beside the place of an open ping three lines, or four where reason and owner don't fit into one.
  expect(await heightAt(1440)).toBeLessThanOrEqual(100);
  expect(await heightAt(1920)).toBeLessThanOrEqual(81);
  // In a narrow list, four closer lines, or five where something of it takes two.
  for (const width of [1200, 1280]) expect(await heightAt(width)).toBeLessThanOrEqual(100);
  // As wide as the window: 56 px, or one line more for the owner.
  expect(await heightAt(1190)).toBeLessThanOrEqual(58);
  expect(await heightAt(1024)).toBeLessThanOrEqual(74);
  await page.evaluate(() => localStorage.setItem('tidings-density', 'compact'));
  await page.route('**/api/me', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('"comfortable"', '"compact"') });
  });
  expect(await heightAt(1920)).toBeLessThanOrEqual(37);
  expect(await heightAt(1440)).toBeLessThanOrEqual(48);
  for (const width of [1920, 1600, 1440, 1366, 1280, 1200, 1024, 768]) {
    await heightAt(width);
    const isApart = await areApart(
      rowOf(page, ann).getByText('Taken by you'),
      rowOf(page, ann).getByText('Unresolved'),
    );
    expect(isApart, `owner and status apart in a window of ${width} px`).toBe(true);
  }
});

test('a toast covers no button of an open ping, however long the name is', async ({ scene, open }) => {
  const people = scene.people.slice(0, 5);
  for (const person of people) await scene.hospital.send('A01', person);
  const page = await open(await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] }));
  await untilListed(page, people);
  await answering(page, (patient) => Object.assign(patient, LONG_NAME));
  for (const width of [1440, 1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/dashboard/home/inbox');
    await rows(page)
      .first()
      .click({ position: { x: 120, y: 12 } });
    // The toast offers to undo it, while the next ping is opened.
    await detail(page).getByRole('button', { name: 'Mark in progress' }).click();
    const toast = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Undo' }) });
    await expect(toast).toBeVisible();
    if (width === 390) await page.getByRole('button', { name: 'Back to the list' }).click();
    await rows(page)
      .nth(1)
      .click({ position: { x: 120, y: 12 } });
    await expect(detail(page).getByText('Unresolved').first()).toBeVisible();
    for (const name of ['Resolve', 'Mark in progress', 'Status']) {
      const button = detail(page).getByRole('button', { name, exact: true });
      expect(await areApart(toast, button), `${name} in a window of ${width} px`).toBe(true);
      await expect(button).toBeInViewport({ ratio: 1 });
    }
  }
});

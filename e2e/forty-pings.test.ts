/** A coordinator's morning: forty pings in a row, while a hospital sends five messages a second. */
import type { Page } from '@playwright/test';
import { detail, rows } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';
import type { Scene } from './scene.ts';

const WORKED = 40;
/** Rows of a page. */
const ON_PAGE = 20;
const BETWEEN_MESSAGES = 200;

/** Lists the people whose stays are in the inbox from the start, and those who arrive during the work. */
async function busyMorning(scene: Scene): Promise<Person[]> {
  const atWork = Array.from({ length: WORKED }, scene.stranger);
  const arriving = Array.from({ length: 100 }, scene.stranger);
  await scene.list([...scene.people, ...atWork, ...arriving]);
  const started = Date.now() - 3_600_000;
  for (const [n, person] of atWork.entries())
    await scene.hospital.send('A01', person, { at: new Date(started - n * 60_000) });
  return arriving;
}

/** Sends arrivals until `stop` is called, which resolves to how many there were. */
function sendArrivals(scene: Scene, people: readonly Person[]): () => Promise<number> {
  let stopped = false;
  const sending = (async () => {
    let sent = 0;
    for (const person of people) {
      if (stopped) break;
      await scene.hospital.send('A01', person);
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MESSAGES));
    }
    return sent;
  })();
  return () => {
    stopped = true;
    return sending;
  };
}

const ids = (page: Page): Promise<string[]> => rows(page).evaluateAll((links) => links.map(({ id }) => id));

const openInbox = async (page: Page): Promise<void> => {
  await expect(async () => {
    await page.reload();
    // Beside the title, or on a phone in the choice of the list.
    const counts = page
      .getByText(new RegExp(`^${WORKED} new of ${WORKED} open`))
      .or(page.getByRole('combobox', { name: 'List' }).filter({ hasText: `Unresolved ${WORKED}` }));
    await expect(counts).toBeVisible({ timeout: 2000 });
  }).toPass();
  await untilLive(page);
};

/** Resolves pings. After each, the list is as it was without that row: nothing was added, and nothing changed places. */
async function work(page: Page, count: number, resolveFirst: (id: string) => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await expect(rows(page).first()).toBeVisible();
    const before = await ids(page);
    const [first] = before as [string];
    await resolveFirst(first);
    await expect(page.locator(`[id="${first}"]`)).toHaveCount(0);
    // The last row of a page makes room for the next page.
    if (before.length > 1) expect(await ids(page)).toEqual(before.slice(1));
    else await expect(rows(page).first()).toBeVisible();
  }
}

test('forty pings are resolved by keys alone while others arrive, and the list never moves', async ({
  scene,
  open,
}) => {
  test.setTimeout(240_000);
  const arriving = await busyMorning(scene);
  const page = await open(await scene.user('care coordinator'));
  await openInbox(page);
  const stop = sendArrivals(scene, arriving);
  await work(page, WORKED, async (id) => {
    const row = page.locator(`[id="${id}"]`);
    if ((await page.evaluate<string>('document.activeElement.id')) !== id) {
      await page.keyboard.press('j');
      await expect(row).toBeFocused();
    }
    await page.keyboard.press('e');
    await expect(page.getByRole('form', { name: 'Resolve this ping' }).getByRole('checkbox').first()).toBeFocused();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
  });
  expect(await stop()).toBeGreaterThan(10);
  await expect(
    page
      .getByText(/ new pings — show$|^List updated — show$/)
      .or(rows(page))
      .first(),
  ).toBeVisible();
});

test('more pings than a page has are resolved by touch on a phone while others arrive', async ({ scene, open }) => {
  test.setTimeout(240_000);
  const arriving = await busyMorning(scene);
  const page = await open(await scene.user('care coordinator'));
  await page.setViewportSize({ width: 390, height: 844 });
  await openInbox(page);
  const stop = sendArrivals(scene, arriving);
  await work(page, ON_PAGE + 5, async (id) => {
    await page.locator(`[id="${id}"]`).click();
    await detail(page).getByRole('button', { name: 'Resolve' }).click();
    const form = page.getByRole('form', { name: 'Resolve this ping' });
    await form.getByRole('checkbox', { name: 'Contacted patient' }).check();
    await form.getByRole('button', { name: 'Resolve' }).click();
  });
  expect(await stop()).toBeGreaterThan(10);
});

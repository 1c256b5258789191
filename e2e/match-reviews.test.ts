import { expectAccessible } from './accessible.ts';
import { dialog, saved } from './admin-page.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import { listedName, type Person } from './people.ts';

test.slow();

/** What a hospital sends that knows the name and the birth date alone. */
const unlocated = { street: '', zip: '', phone: '' };

test('an administrator compares records, links clear matches together, and decides a doubtful one', async ({
  scene,
  open,
}) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  const inbox = await open(await scene.user('care coordinator'));
  await untilLive(inbox);
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  await untilLive(page);
  await scene.hospital.send('A01', { ...ann, ...unlocated });
  await scene.hospital.send('A01', { ...bob, ...unlocated });
  await scene.hospital.send('A01', { ...cid, given: 'Zebulon' });
  const entry = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Feeds' });
  await expect(entry).toContainText('3 to review');
  await page.getByRole('radio', { name: /^Matches to review/ }).click();
  await expect(page.getByText(/^3 to review · oldest waiting/)).toBeVisible();

  const card = (person: Person) => page.getByRole('article', { name: listedName(person) });
  await expect(card(ann)).toContainText('Same name and birth date.');
  await expect(card(ann)).toContainText('Record at another organization. Only what agrees is shown.');
  await expect(card({ ...cid, given: 'Zebulon' }).getByRole('row', { name: /^First name/ })).toContainText('Different');
  await expectAccessible(page, 'matches to review');

  await page.getByLabel('Select 2 clear matches on this page').check();
  await page.getByRole('button', { name: 'Link selected' }).click();
  await saved(page, '2 matches linked.');
  await expect(page.getByRole('article')).toHaveCount(1);
  // The second one to arrive waits for a click above the list.
  await inbox.reload();
  await expect(rowOf(inbox, ann)).toBeVisible();

  const twin = card({ ...cid, given: 'Zebulon' });
  await expect(twin).toContainText('Different first names at the same address: possibly a twin.');
  const same = twin.getByRole('button', { name: /^Same person/ });
  await same.focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Link as the same person?')).toContainText('possibly a sibling or twin');
  await page.keyboard.press('Escape');
  await expect(same).toBeFocused();
  await page.keyboard.press('Enter');
  await expectAccessible(page, 'confirmation before a doubtful link');
  await page.keyboard.press('Escape');
  await twin.getByRole('button', { name: 'Not the same person' }).click();
  await saved(page, 'Marked as not the same person.');
  await expect(page.getByText('No matches to review.')).toBeVisible();
  await expect(entry).not.toContainText('to review');
  await page.getByRole('status').filter({ hasText: 'Marked' }).getByRole('button', { name: 'Undo' }).click();
  await expect(twin).toBeVisible();
  await expect(page.getByRole('heading', { name: listedName({ ...cid, given: 'Zebulon' }) })).toBeFocused();

  await page.getByText('Decided', { exact: true }).click();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(card(ann)).toContainText('Same person');
  await expectAccessible(page, 'decisions about matches');
  await card(ann).getByRole('button', { name: /^Undo/ }).click();
  await saved(page, 'Decision undone.');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(rowOf(inbox, ann)).toContainText('This visit is no longer matched to this patient');
});

test('an operator sees both records in full', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  // No other journey's: family names repeat, and an operator sees the matches of all.
  const sent = { ...ann, given: 'Ephraim' };
  await scene.hospital.send('A01', sent);
  const operator = await scene.user('administrator', { isOperator: true, removed: ['canViewMfaOptIn'] });
  const page = await open(operator, '/dashboard/feeds');
  const card = page.getByRole('article', { name: listedName(sent) });
  const next = page.getByRole('navigation', { name: 'Pagination' }).getByRole('button', { name: 'Next' });
  // The list doesn't change by itself, the message is processed a moment after it is accepted, and there may be several pages.
  await expect(async () => {
    await page.getByText('Feeds', { exact: true }).last().click();
    await page.getByRole('radio', { name: /^Matches to review/ }).click();
    await expect(page.getByRole('article').first()).toBeVisible({ timeout: 5000 });
    while (!(await card.isVisible()) && (await next.isVisible()) && (await next.isEnabled())) {
      await next.click({ timeout: 5000 });
      await expect(page.getByRole('article').first()).toBeVisible({ timeout: 5000 });
    }
    await expect(card).toBeVisible({ timeout: 5000 });
  }).toPass();
  const given = card.getByRole('row', { name: /^First name/ });
  await expect(given.getByRole('cell').first()).toHaveText(sent.given);
  await expect(given.getByRole('cell').nth(1)).toContainText(`${ann.given} Different`);
  await expect(card.getByRole('columnheader', { name: /^Possible match 1/ })).toContainText(ann.memberId);
});

import { watchSilence } from '#server/intake/feeds/watch-silence.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { expectAccessible } from './accessible.ts';
import { dialog } from './admin-page.ts';
import { choose } from './choose.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

/** Gives the feed ten weeks of ten messages an hour, the last of them hours ago. */
async function silence(db: Database, feedId: string): Promise<void> {
  await db.query(sql`delete from feed_hours where feed_id = ${feedId}`);
  await db.query(sql`
    insert into feed_hours (feed_id, hour, received)
    select ${feedId}, date_trunc('hour', h, 'UTC'), 10
    from generate_series(now() - interval '10 weeks', now() - interval '5 hours', interval '1 hour') h`);
  await db.query(sql`update feed_counts set last_at = now() - interval '5 hours' where feed_id = ${feedId}`);
  await watchSilence(db, new Date());
}

/** By how much the first sentence is cut off, in px; on a phone it is a shorter one. */
const CUT_OFF = `(() => {
  const span = [...document.querySelectorAll('[role=status] summary span')].find((one) => one.checkVisibility());
  const sentence = document.createRange();
  sentence.setStart(span.firstChild, 0);
  sentence.setEnd(span.firstChild, Math.min(span.firstChild.length, 'This list may be incomplete.'.length));
  return sentence.getBoundingClientRect().right - Math.min(innerWidth, span.parentElement.getBoundingClientRect().right);
})()`;

test('a silent feed is shown on the feeds page, and live on the lists that hear from its hospital', async ({
  scene,
  open,
  db,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  const inbox = await open(await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] }));
  await expect(rowOf(inbox, ann)).toBeVisible();
  await untilLive(inbox);
  await expect(inbox.getByText('This list may be incomplete')).toHaveCount(0);
  const before = await rowOf(inbox, ann).boundingBox();
  await silence(db, scene.feed.id);
  const notice = inbox.getByRole('status').filter({ hasText: 'This list may be incomplete' });
  await expect(notice).toContainText(`${scene.hospital.name}: no messages since`);
  expect(await rowOf(inbox, ann).boundingBox()).toEqual(before);
  await expectAccessible(inbox, 'inbox with a gap');
  for (const width of [320, 390, 768, 1200]) {
    await inbox.setViewportSize({ width, height: 640 });
    expect(await inbox.evaluate<number>(CUT_OFF), `cut off at ${width} px`).toBeLessThanOrEqual(0);
  }
  await inbox.setViewportSize({ width: 320, height: 640 });
  await notice.getByText('May be incomplete', { exact: true }).click();
  await expect(notice.getByRole('listitem')).toBeVisible();
  await notice.getByText('May be incomplete', { exact: true }).click();
  await inbox.setViewportSize({ width: 1440, height: 900 });
  await notice.getByText('This list may be incomplete').click();
  await expect(notice.getByRole('listitem')).toContainText(`${scene.hospital.name}: no messages since`);
  expect(await rowOf(inbox, ann).boundingBox()).toEqual(before);

  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  const row = page.getByRole('row', { name: new RegExp(scene.feed.name) });
  await expect(row).toContainText('Silent since');
  await expect(row).toContainText('usually 240');
  await expectAccessible(page, 'feeds with a silent one');
  await row.getByRole('button', { name: `Health of ${scene.feed.name}` }).click();
  await expect(dialog(page)).toContainText('In the same hours of earlier weeks there were 40');
  await expect(dialog(page).getByRole('img', { name: /in the last 48 whole hours/ })).toBeVisible();
  await expectAccessible(page, 'health of a feed');

  await scene.hospital.send('A01', bob);
  const gaps = async () => {
    await watchSilence(db, new Date());
    return notice.count();
  };
  await expect.poll(gaps).toBe(0);
});

test('a quarantined message is dismissed with a reason, and that is undone', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const controlId = await scene.hospital.send('A01', ann, { identifier: 'NEWWING' });
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  await page.getByText('Messages', { exact: true }).click();
  await expect(page.getByRole('link', { name: `${ann.family}, ${ann.given}` }).first()).toBeVisible();
  const row = page.getByRole('row', { name: new RegExp(controlId) });
  await row.getByRole('button').click();
  await page.getByRole('button', { name: 'Dismiss…' }).click();
  await dialog(page).getByRole('radio', { name: 'Not meant for us' }).check();
  await dialog(page).getByLabel('Note').fill('Wing opens in March');
  await expectAccessible(page, 'dismissal');
  await dialog(page).getByRole('button', { name: 'Dismiss message' }).click();
  await expect(page.getByRole('main')).toContainText('“Wing opens in March”');
  await page.getByRole('button', { name: 'Back to the messages' }).click();
  await expect(row).toContainText('Dismissed');
  await expectAccessible(page, 'messages');
  await row.getByRole('button').click();
  await page.getByRole('button', { name: 'Undo dismissal' }).click();
  await expect(page.getByRole('button', { name: 'Dismiss…' })).toBeVisible();
});

test('a pasted message and changed settings are tried without changing anything', async ({ scene, open, db }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  const { rows } = await db.query<{ raw: Buffer }>(
    sql`select raw from messages where feed_id = ${scene.feed.id} order by id desc limit 1`,
  );
  const text = (rows[0]?.raw.toString() ?? '').replaceAll('ADT^A01', 'ADT^A03').replace('EVN|A01', 'EVN|A03');
  await page.getByText('Try a message', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Show what it would do' }).click();
  const result = page.getByRole('region', { name: 'What it would do' });
  await expect(result).toContainText('Would be applied');
  await expect(result).toContainText('Would add: Discharged');
  await expectAccessible(page, 'try a message');

  await page.getByText('Feeds', { exact: true }).last().click();
  await page.getByRole('button', { name: `Settings for ${scene.feed.name}` }).click();
  const drawer = dialog(page);
  await choose(drawer, 'Time zone', 'Chicago (America/Chicago)');
  await drawer.getByRole('button', { name: "Try on last week's messages" }).click();
  await expect(drawer.getByRole('region', { name: 'Try these settings' })).toContainText(/Of 1 message since/);
  await expectAccessible(page, 'settings that were tried');
  const count = await db.query(sql`select from messages where feed_id = ${scene.feed.id}`);
  expect(count.rowCount).toBe(1);
});

test('a filter is shared with the team, used and copied by a colleague, and taken back', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A04', bob, { patientClass: 'E' });
  const owner = await scene.user('care coordinator', {
    removed: ['canViewMfaOptIn'],
    firstName: 'Olive',
    lastName: 'Owner',
  });
  const page = await open(owner, '/dashboard/home/inbox?f.setting=EMERGENCY');
  await expect(rowOf(page, bob)).toBeVisible();
  await page.getByRole('button', { name: /^Filter: / }).click();
  await page.getByRole('menuitem', { name: 'Save as new filter…' }).click();
  await dialog(page).getByLabel('Name').fill('ED now');
  await dialog(page).getByLabel('Share with my team').check();
  await expectAccessible(page, 'save and share');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Filter: ED now' })).toBeVisible();

  const colleague = await open(await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] }));
  await expect(rowOf(colleague, ann)).toBeVisible();
  await colleague.getByRole('button', { name: /^Filter: / }).click();
  await colleague.getByRole('menuitemradio', { name: 'ED now (Olive Owner)' }).click();
  await expect(rowOf(colleague, ann)).toHaveCount(0);
  await expect(rowOf(colleague, bob)).toBeVisible();
  await colleague.getByRole('button', { name: 'Filter: ED now' }).click();
  await colleague.getByRole('menuitem', { name: 'Manage filters…' }).click();
  const item = dialog(colleague).getByRole('listitem');
  await expect(item).toContainText('Shared by Olive Owner');
  await expect(item.getByRole('button', { name: /^(Rename|Delete|Move|Share)/ })).toHaveCount(0);
  await expectAccessible(colleague, 'filters of the team');

  await page.getByRole('button', { name: 'Filter: ED now' }).click();
  await page.getByRole('menuitem', { name: 'Manage filters…' }).click();
  await dialog(page).getByRole('button', { name: 'Stop sharing ED now' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Share ED now with the team' })).toBeVisible();
  await colleague.reload();
  await expect(colleague.getByText('This saved filter no longer exists.')).toBeVisible();
});

test('a branch that stops while the feed goes on is named on the feeds page', async ({ scene, open, db }) => {
  const { feed, make } = scene;
  const branch = await make.group({ type: 'HOS', name: `Annex of ${feed.name}` });
  await make.feedFacility({ feedId: feed.id, groupId: branch.id, identifier: `${feed.name.slice(-6)}-3` });
  await db.query(sql`
    insert into facility_hours (feed_id, group_id, hour, received, last_at)
    select ${feed.id}, ${branch.id}, date_trunc('hour', h, 'UTC'), 10, h
    from generate_series(now() - interval '10 weeks', now() - interval '4 hours', interval '1 hour') h`);
  await watchSilence(db, new Date());
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  const row = page.getByRole('row', { name: new RegExp(feed.name) });
  await expect(row).toContainText('1 facility silent');
  await row.getByRole('button', { name: `Health of ${feed.name}` }).click();
  await expect(dialog(page)).toContainText(`${branch.name}: no message since`);
  await expectAccessible(page, 'health of a feed with a silent branch');
});

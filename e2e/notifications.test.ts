import type { Page } from '@playwright/test';
import { sql } from '#server/platform/database/sql.ts';
import { NOTIFY_QUEUE, NOTIFY_TASK } from '#server/work/notifications/notify.ts';
import { expectAccessible } from './accessible.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';
import { usageEvent } from './queries.ts';

test.slow();

const NAME = 'New admissions';

/** Saves the inbox's filter for admissions under a name. */
async function saveFilter(page: Page): Promise<void> {
  await page.goto('/dashboard/home/inbox?f.currentStatus=ADMIT');
  await page.getByRole('button', { name: /^Filter: / }).click();
  await page.getByRole('menuitem', { name: 'Save as new filter…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save filter' });
  await dialog.getByLabel('Name').fill(NAME);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Saved ${NAME}`)).toBeVisible();
}

test('a coordinator is notified of an admission by email and text, and the link opens the filtered list', async ({
  scene,
  open,
  db,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  const user = await scene.user('care coordinator');
  const page = await open(user);
  await saveFilter(page);
  await page.getByRole('button', { name: `Filter: ${NAME}` }).click();
  await page.getByRole('menuitem', { name: 'Edit notifications…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit notifications' });
  await expect(dialog.getByLabel('Saved filter')).toContainText(NAME);
  await expectAccessible(page, 'the notifications of a filter');
  await page.setViewportSize({ width: 1440, height: 900 });

  await dialog.getByRole('button', { name: 'Add mobile number' }).click();
  const local = 2_000_000 + (Number(user.id) % 8_000_000);
  const number = page.getByRole('dialog', { name: 'Mobile number' });
  await number.getByLabel('Mobile phone number').fill(`312${local}`);
  await number.getByRole('button', { name: 'Send code' }).click();
  const verification = page.getByRole('dialog', { name: 'Verification number' });
  await expect(verification).toBeVisible();
  const mailbox = await page.context().newPage();
  await mailbox.goto('/demo/mailbox');
  const texts = mailbox.getByRole('listitem').filter({ hasText: `to +1312${local}` });
  const code = /code is (\d{6})/.exec((await texts.first().textContent()) ?? '')?.[1] ?? '';
  await verification.getByLabel('Verification code').fill(code);
  await expectAccessible(page, 'the verification number');
  await page.setViewportSize({ width: 1440, height: 900 });
  await verification.getByRole('button', { name: 'Confirm number' }).click();
  await expect(verification).toHaveCount(0);
  await expect(dialog.getByRole('checkbox', { name: 'Text message' })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Email' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Notifications for ${NAME} saved.`)).toBeVisible();

  await scene.hospital.send('A04', bob, { patientClass: 'E' });
  await scene.hospital.send('A01', ann);
  const waiting = async () =>
    (await db.query(sql`select from notification_matches where user_id = ${user.id} and notification_id is null`))
      .rowCount;
  await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
  // As if the minute had passed in which further pings would be gathered.
  await db.query(
    sql`update notification_matches set matched_at = matched_at - interval '1 minute' where user_id = ${user.id}`,
  );
  await db.query(sql`select graphile_worker.add_job(${NOTIFY_TASK}, '{}'::json, queue_name => ${NOTIFY_QUEUE})`);

  await expect(async () => {
    await mailbox.reload();
    await expect(
      mailbox
        .getByRole('listitem')
        .filter({ hasText: `to ${user.username}` })
        .first(),
    ).toContainText('1 new ping matches a saved filter', { timeout: 1000 });
    await expect(texts.first()).toContainText('Tidings: 1 new ping matches a saved filter.', { timeout: 1000 });
  }).toPass({ timeout: 30_000 });
  for (const secret of [ann.family, ann.given, NAME]) await expect(texts.first()).not.toContainText(secret);
  const mail = await mailbox
    .getByRole('listitem')
    .filter({ hasText: `to ${user.username}` })
    .first()
    .textContent();
  const link = /http\S+\/notifications\/([\da-f-]{36})\?notificationModality=EMAIL/.exec(mail ?? '');
  expect(link).not.toBeNull();

  await mailbox.goto(new URL(link?.[0] ?? '').pathname + new URL(link?.[0] ?? '').search);
  await expect(mailbox).toHaveURL(/\/dashboard\/home\/inbox\/active-filter-id\/\d+$/);
  await expect(mailbox.getByRole('button', { name: `Filter: ${NAME}` })).toBeVisible();
  await expect(rowOf(mailbox, ann)).toBeVisible();
  await expect(rowOf(mailbox, bob)).toHaveCount(0);
  await expect
    .poll(async () => (await usageEvent(db, user, 'page-viewed'))['notificationUuid'], { timeout: 15_000 })
    .toBe(link?.[1]);
  expect(await usageEvent(db, user, 'page-viewed')).toMatchObject({ notificationModality: 'EMAIL' });

  await page.goto('/dashboard/user-profile');
  const log = page.getByRole('list', { name: 'Latest notifications' });
  await expect(log.getByRole('listitem')).toHaveCount(2);
  await expect(log).toContainText(/1 new pingSent by email \d\d:\d\d [AP]M/);
  await expectAccessible(page, 'the profile with notifications');

  await scene.hospital.send('A11', ann);
  const correcting = async () =>
    (await db.query(sql`select from notification_matches where user_id = ${user.id} and to_correct_since is not null`))
      .rowCount;
  await expect.poll(correcting, { timeout: 30_000 }).toBe(1);
  await db.query(
    sql`update notification_matches set to_correct_since = to_correct_since - interval '1 minute' where user_id = ${user.id}`,
  );
  await db.query(sql`select graphile_worker.add_job(${NOTIFY_TASK}, '{}'::json, queue_name => ${NOTIFY_QUEUE})`);
  await expect(async () => {
    await page.reload();
    await expect(log.getByRole('listitem')).toHaveCount(4, { timeout: 1000 });
    await expect(log.getByRole('listitem').first()).toContainText('Correction of 1 pingSent by', { timeout: 1000 });
  }).toPass({ timeout: 30_000 });
});

import { dialog, saved, searchFor } from './admin-page.ts';
import { connectHospital } from './hospital.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

test('a feed that an administrator adds waits until an operator approves its sender', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 400 .*\/api\/admin\/feeds$/);
  const [ann] = scene.people as [Person];
  const inbox = await open(await scene.user('care coordinator'));
  await untilLive(inbox);
  const [application, identifier] = [`WEST_ADT_${scene.feed.id}`, `WEST${scene.feed.id}`];
  const west = await connectHospital({ ...scene.hospital, application, identifier });
  await west.send('A01', ann);
  west.close();

  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  await page.getByRole('button', { name: 'Add feed' }).click();
  const drawer = dialog(page, 'Add feed');
  const name = `West ${scene.feed.id}`;
  await drawer.getByLabel('Name', { exact: true }).fill(name);
  await drawer.getByLabel('Sending application (MSH-3)').fill(application);
  await drawer.getByLabel('Sent as, row 1').fill(identifier);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText(/^Enter the sending facility/)).toBeVisible();
  await drawer.getByLabel('Sending facility (MSH-4)').fill(identifier);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(
    page,
    `The feed ${name} was added. An operator has to approve its sender before its messages are processed.`,
  );
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText('Waiting for approval');
  await expect(row.getByRole('button', { name: /^Review/ })).toHaveCount(0);
  await expect(row.getByRole('cell').nth(2)).toHaveText('0');

  const operator = await open(
    await scene.user('administrator', { isOperator: true, removed: ['canViewMfaOptIn'] }),
    '/dashboard/feeds',
  );
  await searchFor(operator, name);
  await operator.getByRole('button', { name: `Review the sender of ${name}` }).click();
  const review = dialog(operator, `Review the sender of ${name}`);
  await expect(review).toContainText(`${application} / ${identifier}`);
  await expect(review).toContainText(`${identifier} → ${scene.hospital.name}`);
  await expect(review).toContainText('1 message');
  await review.getByRole('button', { name: 'Approve sender' }).click();
  await saved(operator, `The sender of ${name} was approved. 1 message from quarantine will be processed now.`);
  await expect(rowOf(inbox, ann)).toBeVisible();
  await page.reload();
  await expect(row).not.toContainText('Waiting for approval');
});

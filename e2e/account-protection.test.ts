import { generateSync } from 'otplib';
import { TEAM_HEADER } from '#contract/constants.ts';
import { sql } from '#server/platform/database/sql.ts';
import { TEST_PASSWORD } from '#server/testing/factories.ts';
import { expect as expectPage, test as journey, untilLive } from './journey.ts';
import { expect, followMail, test, tryToSignIn } from './office.ts';
import { signInTo } from './scene.ts';

test.slow();
journey.slow();

const codeOf = (secret: string): string => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });

test('a change of how the account is opened asks who it is, and then goes ahead', async ({
  db,
  office,
  open,
  complaints,
}) => {
  complaints.expect(/status of 40[13] .*\/api\/(users\/optIntoMfa|authenticate\/again)$/);
  const user = await office.user();
  const page = await open(user, '/dashboard/user-profile');
  await db.query(sql`update sessions set verified_at = created_at - interval '1 hour' where user_id = ${user.id}`);
  const question = page.getByRole('dialog', { name: "Confirm it's you" });

  await page.getByRole('button', { name: 'Set up two-step verification' }).click();
  await expect(question.getByLabel('Your password')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(page.getByText("Confirm it's you, then try again. Nothing was changed.")).toBeVisible();

  await page.getByRole('button', { name: 'Set up two-step verification' }).click();
  await question.getByLabel('Your password').fill('not mine');
  await page.keyboard.press('Enter');
  await expect(question.getByText('Incorrect password.')).toBeVisible();
  await question.getByLabel('Your password').fill(TEST_PASSWORD);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByLabel('2. Enter the code from the app')).toBeVisible();
  await expect(question).toHaveCount(0);
});

test('a reset lists passkeys and devices, and removes them unless they are kept', async ({
  page,
  db,
  office,
  open,
}) => {
  const user = await office.user();
  await open(user);
  const name = "Rosa's old phone";
  await db.query(sql`
    insert into passkeys (user_id, credential_id, public_key, counter, name, created_at)
    values (${user.id}, ${user.username}, ${Buffer.alloc(8)}, 0, ${name}, ${new Date()})`);
  await page.goto('/forgot-password');
  await page.getByLabel('Username').fill(user.username);
  await page.getByRole('button', { name: /link/i }).click();
  await expect(page.getByText('Thank you for your request to reset your password.')).toBeVisible();
  await followMail(page, user.username, 'Set a new password');
  const devices = page.getByRole('region', { name: 'Your passkeys and devices' });
  await expect(devices.getByText(`Passkey “${name}”, not used yet`)).toBeVisible();
  await expect(devices.getByText(/^Chrome on Linux, last used/)).toBeVisible();
  await expect(devices.getByRole('radio', { name: 'Remove all of them' })).toBeChecked();
  await page.getByLabel('New password').fill('violet otter at noon');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Your password is set. Sign in with your new password.')).toBeVisible();
  const { rows } = await db.query(sql`
    select (select count(*)::int from passkeys where user_id = ${user.id}) as passkeys,
      (select count(*)::int from devices where user_id = ${user.id}) as devices`);
  expect(rows).toEqual([{ passkeys: 0, devices: 0 }]);
  await page.goto('/demo/mailbox');
  await expect(
    page.getByText(/All devices have to sign in again, and your passkey was removed\./).first(),
  ).toBeVisible();
});

test('where a second factor is required, it is set up before the first page', async ({
  page,
  db,
  office,
  complaints,
}) => {
  complaints.expect(/status of 403 .*\/api\/me$/);
  await db.query(sql`update organizations set requires_second_factor = true where id = ${office.organization.id}`);
  const user = await office.user();
  await tryToSignIn(page, user.username, TEST_PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Set up a second step' })).toBeVisible();
  expect((await page.request.get('/api/me')).status()).toBe(403);
  await page.getByRole('button', { name: 'Use an authenticator app' }).click();
  const secret = (await page.getByText(/^([A-Z2-7]{4} ){3,}[A-Z2-7]+$/).innerText()).replaceAll(' ', '');
  await page.getByLabel('2. Enter the code from the app').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByLabel("I've saved these codes").check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL('/dashboard/home/inbox');
});

journey(
  'permissions that are taken away or given show at once, and sign no one out',
  async ({ scene, open, playwright }) => {
    const user = await scene.user('viewer');
    const page = await open(user);
    await untilLive(page);
    const request = await playwright.request.newContext({ baseURL: new URL(page.url()).origin });
    await signInTo(request, (await scene.user('administrator')).username);
    const headers = { [TEAM_HEADER]: scene.team.id };
    const roles = (await (await request.get('/api/admin/roles', { headers })).json()) as { id: string; name: string }[];
    const roleId = roles.find(({ name }) => name === 'viewer')?.id;
    const change = async (added: string[], removed: string[]): Promise<void> => {
      const { firstName, lastName } = user;
      const grants = [{ teamId: scene.team.id, groupId: scene.group.id, roleId, added, removed }];
      const data = { firstName, lastName, applicationExperience: 'JANUS', grants };
      expectPage((await request.put(`/api/admin/users/${user.id}`, { headers, data })).status()).toBe(200);
    };
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true });

    await change([], ['canViewPings']);
    await expectPage(page).toHaveURL('/dashboard/patients/my-patients');
    await expectPage(
      page.getByText('An administrator changed your access. You can no longer open that page.'),
    ).toBeVisible();
    await expectPage(pages.getByRole('link', { name: 'Pings' })).toHaveCount(0);

    await change(['canUploadRoster'], []);
    await expectPage(pages.getByRole('link', { name: 'Pings' })).toBeVisible();
    await expectPage(pages.getByRole('link', { name: /Roster/ })).toBeVisible();
    await expectPage(page).toHaveURL('/dashboard/patients/my-patients');
    await request.dispose();
  },
);

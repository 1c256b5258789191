import { sql } from '#server/platform/database/sql.ts';
import { TEST_PASSWORD } from '#server/testing/factories.ts';
import { expectAccessible } from './accessible.ts';
import { expect, expectProblem, followMail, test, tryToSignIn } from './office.ts';

test.slow();

test('the steps of sign-in are accessible', async ({ page, office, db }) => {
  const user = await office.user();
  const title = (name: string) => page.getByRole('heading', { level: 1, name });
  await page.goto('/login?error=SSO_ERROR');
  await expectProblem(page, 'There is a problem with your account. Contact us at the support link.');
  await expectAccessible(page, 'username');
  await db.query(sql`update users set mfa_opted_in = true, mfa_secret = 'JBSWY3DPEHPK3PXP' where id = ${user.id}`);
  await tryToSignIn(page, user.username, TEST_PASSWORD);
  await expect(title('Enter your code')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Enter the 6-digit code.')).toBeVisible();
  await expectAccessible(page, 'code');

  await db.query(sql`update users set mfa_opted_in = false where id = ${user.id}`);
  await office.age(user, { activated_at: 100, password_changed_at: 95, current_login_at: 1 });
  await tryToSignIn(page, user.username, TEST_PASSWORD);
  await expect(title('Change your password')).toBeVisible();
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible();
  await expectAccessible(page, 'change of an expired password');
});

test('the pages around sign-in are accessible', async ({ page, office }) => {
  const user = await office.user();
  await page.goto('/registration');
  await page.getByLabel('Group', { exact: true }).fill(office.group.name);
  await page.getByLabel(office.group.name).check();
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByText('Enter your first name.')).toBeVisible();
  await expectAccessible(page, 'registration');
  await page.goto('/forgot-password');
  await page.getByLabel('Username').fill(user.username);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status')).toBeVisible();
  await followMail(page, user.username, 'Set a new password');
  await expect(page.getByLabel('New password')).toBeVisible();
  await expectAccessible(page, 'mailed link');
  await page.goto('/demo/mailbox');
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'demo mailbox');
});

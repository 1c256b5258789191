import { TEST_PASSWORD } from '#server/testing/factories.ts';
import { enableConnections } from './journey.ts';
import { expect, expectProblem, test } from './office.ts';

test('while the provider is down, the page says so and an administrator gets in with a password', async ({
  page,
  office,
  open,
  db,
  complaints,
}) => {
  complaints.expect(/status of 400 .*\/test/);
  const domain = `lakeshore-${office.organization.id}.example`;
  const desmond = await office.user({ username: `desmond@${domain}`, role: 'administrator' });
  const desk = await open(await office.user({ role: 'administrator' }), '/dashboard/admin/single-sign-on');
  await desk.getByRole('button', { name: 'Add OpenID Connect' }).click();
  await desk.getByLabel('Name', { exact: true }).fill('Lakeshore sign-in');
  // No one listens there.
  await desk.getByLabel('Issuer').fill('http://127.0.0.1:9');
  await desk.getByLabel('Client ID').fill('tidings');
  await desk.getByLabel('Email domains').fill(domain);
  await desk.getByRole('button', { name: 'Save' }).click();
  await desk.getByRole('button', { name: 'Test sign-in' }).click();
  await expect(desk.getByText(/^We couldn't reach this identity provider/)).toBeVisible();
  await office.approveDomains();
  await enableConnections(db, office.organization.id);

  await page.goto('/login');
  for (const username of [desmond.username, `unknown@${domain}`]) {
    await page.getByLabel('Username').fill(username);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expectProblem(
      page,
      "Your organization's sign-in service can't be reached. Try again in a few minutes, or contact your administrator.",
    );
    await expect(page.getByRole('button', { name: 'Sign in with a password' })).toBeVisible();
  }
  await page.getByLabel('Username').fill('');
  await page.getByRole('button', { name: 'Sign in with a password' }).click();
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Username').fill(desmond.username);
  await page.getByRole('button', { name: 'Sign in with a password' }).click();
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/dashboard/home/inbox');
});

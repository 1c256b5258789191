import type { Page } from '@playwright/test';
import { selfSigned } from '#server/testing/certificate.ts';
import { startIdentityProvider } from '#server/testing/identity-provider.ts';
import { administrator, adminPath, dialog, openRow, rowNamed, saved } from './admin-page.ts';
import { approveDomains, enableConnections, expect, test } from './journey.ts';

test.slow();

/** Enters the username on the sign-in page and continues. */
async function enterUsername(page: Page, username: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('an OpenID Connect connection is set up, and then sends its users to the identity provider', async ({
  scene,
  page,
  open,
  complaints,
  db,
}) => {
  complaints.expect(/status of 40[09] .*\/api\/admin\/sso-connections/);
  // Requested by the provider's own page.
  complaints.expect(/fonts\.googleapis\.com|favicon\.ico/);
  const domain = `oidc${scene.team.id}.example`;
  // The operator sees the connections of all tests.
  const name = `Lakeside sign-in ${scene.team.id}`;
  const admin = await open(await administrator(scene), adminPath('single-sign-on'));
  await admin.getByRole('button', { name: 'Add OpenID Connect' }).click();
  const drawer = dialog(admin);
  const save = drawer.getByRole('button', { name: 'Save' });
  await save.click();
  for (const words of ['Enter a name.', 'Enter the issuer.', 'Enter the client ID.'])
    await expect(drawer.getByText(words)).toBeVisible();
  await drawer.getByLabel('Name', { exact: true }).fill(name);
  await drawer.getByLabel('Issuer').fill('http://127.0.0.1:9');
  await drawer.getByLabel('Client ID').fill('tidings');
  await drawer.getByLabel('Email domains').fill('not a domain!');
  await save.click();
  await expect(drawer.getByText("Enter domains like 'lakeshore.example'.")).toBeVisible();
  await drawer.getByLabel('Email domains').fill(domain);
  await save.click();
  // It opens again with the URLs for the identity provider.
  await expect(admin.getByText(`The connection ${name} was saved.`)).toBeVisible();
  const redirectUri = (await drawer.getByText(/\/api\/sso\/oidc\/.*\/callback$/).textContent()) ?? '';
  const client = { clientId: 'tidings', clientSecret: 'between the two of us', redirectUri };
  const provider = await startIdentityProvider([client], new Map());
  try {
    await drawer.getByLabel('Issuer').fill(provider.issuer);
    await drawer.getByLabel('Client secret').fill(client.clientSecret);
    await expect(drawer.getByRole('button', { name: 'Test sign-in' })).toBeDisabled();
    await save.click();
    await expect(admin.getByRole('dialog')).toHaveCount(0);
    await saved(admin, `The connection ${name} was saved.`);
    await expect(rowNamed(admin, name)).toContainText('Not enabled');
    await enableConnections(db, scene.team.organizationId);
    await admin.reload();
    await expect(rowNamed(admin, name)).not.toContainText('Not enabled');
    await openRow(admin, name);
    await expect(drawer.getByText(/^A secret is saved and never shown/)).toBeVisible();
    await expect(drawer.getByLabel('Client secret')).toHaveValue('');

    // A domain sends no one to the provider until it is verified.
    await enterUsername(page, `ana@${domain}`);
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await expect(drawer.getByText(/^tidings-domain-verification=/)).toBeVisible();
    await drawer.getByRole('button', { name: `Check ${domain} now` }).click();
    await expect(drawer.getByText(/couldn't find this TXT record yet/)).toBeVisible();
    await expect(drawer.getByRole('button', { name: /^Approve/ })).toHaveCount(0);
    const operator = await open(await scene.user('administrator', { isOperator: true }), adminPath('single-sign-on'));
    await openRow(operator, name);
    await dialog(operator)
      .getByRole('button', { name: `Approve ${domain} without the record` })
      .click();
    await dialog(operator, /^Approve the domain/)
      .getByRole('button', { name: 'Approve domain' })
      .click();
    await expect(operator.getByText(`The domain ${domain} was approved.`)).toBeVisible();
    await expect(dialog(operator).getByText('Approved by an operator')).toBeVisible();
    const revoke = dialog(operator).getByRole('button', { name: `Revoke the approval of ${domain}` });
    await expect(revoke).toBeFocused();
    await revoke.click();
    await dialog(operator, /^Revoke the approval/)
      .getByRole('button', { name: 'Revoke approval' })
      .click();
    await expect(operator.getByText(`The approval of ${domain} was revoked.`)).toBeVisible();
    await enterUsername(page, `ana@${domain}`);
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await dialog(operator)
      .getByRole('button', { name: `Approve ${domain} without the record` })
      .click();
    await dialog(operator, /^Approve the domain/)
      .getByRole('button', { name: 'Approve domain' })
      .click();
    await expect(dialog(operator).getByText('Approved by an operator')).toBeVisible();
    await enterUsername(page, `ana@${domain}`);
    await expect(page).toHaveURL((url) => url.origin === provider.issuer);

    await drawer.getByRole('button', { name: 'Remove this connection…' }).click();
    await dialog(admin, /^Remove/)
      .getByRole('button', { name: 'Remove connection' })
      .click();
    await saved(admin, `The connection ${name} was removed.`);
    await enterUsername(page, `ana@${domain}`);
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  } finally {
    await provider.close();
  }
});

test('a SAML connection is set up, and then sends its users to the identity provider', async ({
  scene,
  page,
  open,
  complaints,
  db,
}) => {
  complaints.expect(/status of 400 .*\/api\/admin\/sso-connections/);
  const domain = `saml${scene.team.id}.example`;
  const entryPoint = `https://identity.${domain}/saml`;
  const admin = await open(await administrator(scene), adminPath('single-sign-on'));
  await admin.getByRole('button', { name: 'Add SAML 2.0' }).click();
  const drawer = dialog(admin);
  const save = drawer.getByRole('button', { name: 'Save' });
  const certificates = drawer.getByLabel('Signing certificates');
  await drawer.getByLabel('Name', { exact: true }).fill('Lakeside enterprise');
  await drawer.getByLabel('Identity provider entity ID').fill(`https://identity.${domain}`);
  await drawer.getByLabel('Sign-in URL').fill(entryPoint);
  await certificates.fill('-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----');
  await drawer.getByLabel('Email domains').fill(domain);
  await save.click();
  await expect(drawer.getByText('This is not an X.509 certificate.')).toBeVisible();
  await expect(certificates).toBeFocused();
  await certificates.fill(selfSigned(new Date(Date.now() + 86_400_000)).pem);
  await save.click();
  await expect(drawer.getByText('Assertion consumer service URL (callback)')).toBeVisible();
  await expect(drawer.getByText('Entity ID and metadata URL')).toBeVisible();
  const metadata = (await drawer.getByText(/\/metadata$/).textContent()) ?? '';
  expect(await (await page.request.get(metadata)).text()).toContain('AssertionConsumerService');

  await approveDomains(db, scene.team.organizationId);
  await enableConnections(db, scene.team.organizationId);
  // No server answers there, so the test only sees that the browser leaves.
  complaints.expect(/ERR_NAME_NOT_RESOLVED/);
  const leaves = page.waitForRequest((request) => request.url().startsWith(`${entryPoint}?`));
  await enterUsername(page, `ana@${domain}`);
  expect(new URL((await leaves).url()).searchParams.has('SAMLRequest')).toBe(true);
});

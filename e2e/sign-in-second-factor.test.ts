import type { Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { TEST_PASSWORD } from '#server/testing/factories.ts';
import { signIn } from './journey.ts';
import { expect, expectProblem, runningServer, signOut, test, tryToSignIn } from './office.ts';

test.slow();

const WRONG_CODE = 'This code is incorrect or was already used. Check it and try again.';
const INBOX = '/dashboard/home/inbox';

/** Returns the app's code so many seconds from now. Each code works once, and one step early or late is accepted. */
const codeOf = (secret: string, seconds = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + seconds });

/** Sets up two-step verification on the profile page. Returns the secret and the recovery codes. */
async function enrol(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Set up two-step verification' }).click();
  const secret = (await page.getByText(/^([A-Z2-7]{4} ){3,}[A-Z2-7]+$/).innerText()).replaceAll(' ', '');
  await expect(page.getByRole('img', { name: 'QR code for the setup key below' })).toBeVisible();
  await page.getByLabel('2. Enter the code from the app').fill(codeOf(secret, -30));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const list = page.getByRole('group', { name: 'Your recovery codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  const recoveryCodes = await list.getByRole('listitem').allInnerTexts();
  await list.getByLabel("I've saved these codes").check();
  await list.getByRole('button', { name: 'Done' }).click();
  await expect(
    page.getByText("Two-step verification is on. You'll be asked for a code when you sign in."),
  ).toBeVisible();
  return { secret, recoveryCodes };
}

async function giveCode(page: Page, label: string, code: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('two-step verification is set up on the profile page, and then sign-in asks for a code', async ({
  page,
  office,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401 .*\/api\/(authenticate\/mfa|users\/mfa\/confirm)$/);
  const user = await office.user();
  const profile = await open(user, '/dashboard/user-profile');
  await profile.getByRole('button', { name: 'Set up two-step verification' }).click();
  await profile.getByLabel('2. Enter the code from the app').fill('000000');
  await profile.getByRole('button', { name: 'Turn on' }).click();
  await expect(profile.getByText(WRONG_CODE)).toBeVisible();
  await profile.getByRole('button', { name: 'Cancel' }).click();
  const { secret, recoveryCodes } = await enrol(profile);
  const [recovery = ''] = recoveryCodes;

  await page.goto('/dashboard/user-profile');
  await signIn(page, user.username, TEST_PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Enter the 6-digit code.')).toBeVisible();
  await giveCode(page, 'Verification code', '000000');
  await expectProblem(page, WRONG_CODE);
  await giveCode(page, 'Verification code', codeOf(secret));
  await expect(page).toHaveURL('/dashboard/user-profile');
  await expect(page.getByText('10 recovery codes left.')).toBeVisible();
  await signOut(page);

  await signIn(page, user.username, TEST_PASSWORD);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await giveCode(page, 'Recovery code', recovery.toUpperCase().replace('-', ' '));
  await expect(page).toHaveURL(INBOX);
  await signOut(page);

  await signIn(page, user.username, TEST_PASSWORD);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await giveCode(page, 'Recovery code', recovery);
  await expectProblem(page, WRONG_CODE);
  await page.getByRole('button', { name: 'Use authenticator app' }).click();
  await giveCode(page, 'Verification code', codeOf(secret, 30));
  await expect(page).toHaveURL(INBOX);
});

test('sign-in with a code works by keyboard only', async ({ page, office, open }) => {
  const user = await office.user();
  const { recoveryCodes } = await enrol(await open(user, '/dashboard/user-profile'));
  const focused = page.locator(':focus');
  const tabTo = async (name: string): Promise<void> => {
    for (let steps = 0; steps < 12; steps++) {
      await page.keyboard.press('Tab');
      if ((await focused.innerText()) === name) break;
    }
    await expect(focused).toHaveText(name);
    await expect(focused).toHaveCSS('outline-style', 'solid');
  };
  await page.goto('/login');
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.keyboard.type(user.username);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await tabTo('Sign in');
  await page.keyboard.press('Space');
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(TEST_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Verification code', { exact: true })).toBeFocused();
  await tabTo('Use a recovery code');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Recovery code')).toBeFocused();
  await page.keyboard.type(recoveryCodes[1] ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(INBOX);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await tabTo('Skip to main content');
});

test('a passkey is added on the profile page and signs in without a username and password', async ({
  page,
  office,
  complaints,
}) => {
  complaints.expect(/status of 401 .*\/api\/authenticate\/passkey$/);
  // An IP address can't be a relying party, but the server is also localhost.
  const at = runningServer().url.replace('127.0.0.1', 'localhost');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const user = await office.user();
  await tryToSignIn(page, user.username, TEST_PASSWORD, at);
  await expect(page).toHaveURL(`${at}${INBOX}`);
  await page.goto(`${at}/dashboard/user-profile`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Passkey name').fill('work laptop');
  await page.getByRole('button', { name: 'Continue on this device' }).click();
  await expect(page.getByText('Passkey “work laptop” added.')).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(`${at}${INBOX}`);
  await page.goto(`${at}/dashboard/user-profile`);
  await expect(page.getByText(/last used \d\d\/\d\d\/\d{4}/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove passkey work laptop' }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await expect(page.getByText('Passkey “work laptop” removed.')).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expectProblem(page, "This passkey didn't work or isn't registered here. Sign in another way.");
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expectProblem(page, "The passkey wasn't used. Try again, or sign in with your password.");
});

test('at an IP address the page says where passkeys work', async ({ page }) => {
  const { port } = new URL(runningServer().url);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expectProblem(page, `Passkeys don't work at an IP address. Open http://localhost:${port} instead.`);
});

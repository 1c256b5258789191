import type { Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { TEST_PASSWORD } from '#server/testing/factories.ts';
import { signIn } from './journey.ts';
import { expect, expectProblem, runningServer, signOut, test, tryToSignIn } from './office.ts';

test.slow();

const WRONG_CODE = 'This code is incorrect or was already used. Check it and try again.';
const INBOX = '/dashboard/home/inbox';

/** The code that an app shows so many seconds from now: a code works once, and one step early or late is taken. */
const codeOf = (secret: string, seconds = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + seconds });

/** Enrols on the profile page; what an authenticator app and a sheet of paper would keep. */
async function enrol(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const secret = (await page.getByText(/^([A-Z2-7]{4} ){3,}[A-Z2-7]+$/).innerText()).replaceAll(' ', '');
  await expect(page.getByRole('img', { name: 'QR code of the secret below' })).toBeVisible();
  await page.getByLabel('2. Enter the code that the app shows').fill(codeOf(secret, -30));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  const list = page.getByRole('group', { name: 'Your recovery codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  const recoveryCodes = await list.getByRole('listitem').allInnerTexts();
  await list.getByLabel('I have kept these codes').check();
  await list.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('The second factor is on. You are asked for a code when you sign in.')).toBeVisible();
  return { secret, recoveryCodes };
}

async function giveCode(page: Page, label: string, code: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a second factor is enrolled on the profile page, and from then on a code is asked for', async ({
  page,
  office,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401 .*\/api\/(authenticate\/mfa|users\/mfa\/confirm)$/);
  const user = await office.user();
  const profile = await open(user, '/dashboard/user-profile');
  await profile.getByRole('button', { name: 'Set up a second factor' }).click();
  await profile.getByLabel('2. Enter the code that the app shows').fill('000000');
  await profile.getByRole('button', { name: 'Turn it on' }).click();
  await expect(profile.getByText(WRONG_CODE)).toBeVisible();
  await profile.getByRole('button', { name: 'Cancel' }).click();
  const { secret, recoveryCodes } = await enrol(profile);
  const [recovery = ''] = recoveryCodes;

  await page.goto('/dashboard/user-profile');
  await signIn(page, user.username, TEST_PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Enter the six digits.')).toBeVisible();
  await giveCode(page, 'Code', '000000');
  await expectProblem(page, WRONG_CODE);
  await giveCode(page, 'Code', codeOf(secret));
  await expect(page).toHaveURL('/dashboard/user-profile');
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
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
  await page.getByRole('button', { name: 'Use the authenticator app' }).click();
  await giveCode(page, 'Code', codeOf(secret, 30));
  await expect(page).toHaveURL(INBOX);
});

test('with a code wanted, keys alone suffice from the username to the inbox', async ({ page, office, open }) => {
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
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await tabTo('Use a recovery code');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Recovery code')).toBeFocused();
  await page.keyboard.type(recoveryCodes[1] ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(INBOX);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await tabTo('Skip to the content');
});

test('a passkey is added on the profile page and signs in without username and password', async ({
  page,
  office,
  complaints,
}) => {
  complaints.expect(/status of 401 .*\/api\/authenticate\/passkey$/);
  // An address is no relying party; the same server is localhost too.
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
  await page.getByLabel('Name of the passkey').fill('work laptop');
  await page.getByRole('button', { name: 'Continue on this device' }).click();
  await expect(page.getByText('The passkey “work laptop” was added.')).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(`${at}${INBOX}`);
  await page.goto(`${at}/dashboard/user-profile`);
  await expect(page.getByText(/last used \d\d\/\d\d\/\d{4}/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove the passkey work laptop' }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await expect(page.getByText('The passkey “work laptop” was removed.')).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expectProblem(page, "This passkey didn't work or isn't registered here. Sign in another way.");
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expectProblem(page, 'The passkey was not used. Try again, or sign in by password.');
});

test('at an address without a name the page says where passkeys work', async ({ page }) => {
  const { port } = new URL(runningServer().url);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expectProblem(page, `Passkeys do not work at an address of numbers. Open http://localhost:${port} instead.`);
});

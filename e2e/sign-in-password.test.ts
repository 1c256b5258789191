import { TEST_PASSWORD } from '#server/testing/factories.ts';
import { signIn } from './journey.ts';
import { expect, expectProblem, followMail, runningServer, signOut, test, tryToSignIn } from './office.ts';

test.slow();

// The fixed texts of the product. Not imported from the contract, which is what is tested.
const NOT_FOUND = 'Oops! There seems to be an issue accessing this account. Contact us at the support link.';
const DISABLED = 'Sorry, your account has been disabled. Contact us at the support link to unlock your account.';
const NOT_ACTIVATED =
  "Whoops, looks like you haven't finished activating your account. We've sent you an email to help you do just that.";
const LOCKED =
  "Your account is now locked because you've entered an incorrect password 3 times. We have sent you an email to unlock your account.";
const INACTIVE =
  'Your account is locked due to inactivity over the last 90 days. We have sent you an email to unlock your account.';
const REQUESTED = 'Thank you for your request to reset your password.';
const UNLOCK_REQUESTED = 'Your account was locked due to too many failed attempts.';
const NOT_SENT = 'Sorry, something went wrong. Can you try again?';
const WRONG = 'Incorrect username or password. Check both and try again.';

const NEW_PASSWORD = 'seven herons on a lake';
const INBOX = '/dashboard/home/inbox';

test.beforeEach(({ complaints }) => complaints.expect(/status of (401|502) .*\/api\/(authenticate|password\/forgot)/));

test('three wrong passwords lock the account, and the mailed link unlocks it', async ({ page, office }) => {
  const { username } = await office.user();
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  for (const message of [WRONG, WRONG, LOCKED]) {
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    const answer = page.waitForResponse('**/api/authenticate');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await answer;
    await expectProblem(page, message);
  }
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectProblem(page, LOCKED);

  await followMail(page, username, 'Unlock your Tidings account');
  await expect(page.getByRole('heading', { level: 1, name: 'Unlock your account' })).toBeVisible();
  await expect(page).toHaveURL('/password/set');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Unlock account' }).click();
  await expect(page.getByRole('status')).toHaveText('Your password is set. Sign in with your new password.');
  await signIn(page, username, NEW_PASSWORD);
  await expect(page).toHaveURL(INBOX);
});

test('a refused user reads why, but only with the right password', async ({ page, office }) => {
  const disabled = await office.user();
  await office.age(disabled, { disabled_at: 1 });
  const invited = await office.user();
  await office.age(invited, { activated_at: null });
  const inactive = await office.user();
  await office.age(inactive, { activated_at: 200, current_login_at: 91, password_changed_at: 120 });
  for (const [{ username }, message] of [
    [disabled, DISABLED],
    [invited, NOT_ACTIVATED],
    [inactive, INACTIVE],
  ] as const) {
    await tryToSignIn(page, username, 'not the password');
    await expectProblem(page, WRONG);
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD);
    await page.keyboard.press('Enter');
    await expectProblem(page, message);
  }
  await tryToSignIn(page, `nobody.${disabled.username}`, TEST_PASSWORD);
  await expectProblem(page, WRONG);

  await tryToSignIn(page, disabled.username, TEST_PASSWORD);
  await expect(page.getByRole('link', { name: 'the support link' })).toHaveAttribute(
    'href',
    'https://help.odile.example',
  );
  await followMail(page, inactive.username, 'Unlock your Tidings account');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Unlock account' }).click();
  await signIn(page, inactive.username, NEW_PASSWORD);
  await expect(page).toHaveURL(INBOX);
});

test('a forgotten password is reset with the emailed link', async ({ page, office }) => {
  const { username } = await office.user();
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByLabel('Username')).toHaveValue(username);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status')).toHaveText(REQUESTED);

  await followMail(page, username, 'Set a new password');
  await expect(page.getByRole('heading', { level: 1, name: 'Set a new password' })).toBeVisible();
  const field = page.getByLabel('New password');
  for (const [password, complaint] of [
    ['short', 'Use at least 8 characters.'],
    [`x${username.split('@')[0]}x`, "Don't use your username in your password."],
  ] as const) {
    await field.fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page.getByText(complaint)).toBeVisible();
    await expect(field).toBeFocused();
  }
  await field.fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page).toHaveURL('/login?passwordSet=true');
  await signIn(page, username, NEW_PASSWORD);
  await expect(page).toHaveURL(INBOX);
});

test('a refused password does not use up the link, and a used link says so', async ({ page, office, complaints }) => {
  complaints.expect(/status of (400|404) .*\/api\/(password\/set|users\/tokens)/);
  const { username } = await office.user();
  await page.goto('/forgot-password');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status')).toHaveText(REQUESTED);
  await followMail(page, username, 'Set a new password');
  for (const [password, complaint] of [
    ['password123', 'This password is too common and easy to guess. Choose another one.'],
    [TEST_PASSWORD, "You've used this password before. Choose a new one."],
  ] as const) {
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expectProblem(page, complaint);
  }
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page).toHaveURL('/login?passwordSet=true');
  await followMail(page, username, 'Set a new password');
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page).toHaveURL('/forgot-password');
});

test('a password request is answered by the state of the account, or always the same with neutral answers', async ({
  page,
  office,
}) => {
  const ready = await office.user();
  const disabled = await office.user();
  await office.age(disabled, { disabled_at: 1 });
  const invited = await office.user();
  await office.age(invited, { activated_at: null });
  const inactive = await office.user();
  await office.age(inactive, { activated_at: 200, current_login_at: 91, password_changed_at: 120 });
  const locked = await office.user();
  for (const _ of [1, 2, 3])
    await page.request.post('/api/authenticate', { data: { username: locked.username, password: 'not it' } });
  const nobody = { username: `nobody.${ready.username}` };

  const ask = async (at: string, username: string): Promise<void> => {
    await page.goto(`${at}/forgot-password`);
    await page.getByLabel('Username').fill(username);
    await page.getByRole('button', { name: 'Send link' }).click();
  };
  for (const [{ username }, message] of [
    [nobody, NOT_FOUND],
    [disabled, DISABLED],
    [invited, NOT_ACTIVATED],
    [inactive, INACTIVE],
    [locked, UNLOCK_REQUESTED],
  ] as const) {
    await ask('', username);
    await expectProblem(page, message);
  }
  await ask(runningServer().maillessUrl, ready.username);
  await expectProblem(page, NOT_SENT);
  for (const { username } of [ready, nobody, disabled, locked]) {
    await ask(runningServer().neutralUrl, username);
    await expect(page.getByRole('status')).toHaveText(REQUESTED);
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  await followMail(page, ready.username, 'Set a new password');
  await expect(page.getByRole('heading', { level: 1, name: 'Set a new password' })).toBeVisible();
});

test('after 90 days sign-in continues with a change of password', async ({ page, office, complaints }) => {
  complaints.expect(/status of 400 .*\/api\/users\/password/);
  const user = await office.user();
  await office.age(user, { activated_at: 200, current_login_at: 1, password_changed_at: 90 });
  await tryToSignIn(page, user.username, TEST_PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Change your password' })).toBeVisible();
  await page.getByLabel('New password').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expectProblem(page, "You've used this password before. Choose a new one.");
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page).toHaveURL(INBOX);
  await signOut(page);
  await signIn(page, user.username, NEW_PASSWORD);
  await expect(page).toHaveURL(INBOX);
});

test('an expired password must be changed before anything else opens', async ({ page, office, complaints }) => {
  complaints.expect(/status of 403 .*\/api\/me$/);
  const user = await office.user();
  await office.age(user, { activated_at: 200, current_login_at: 1, password_changed_at: 120 });
  await tryToSignIn(page, user.username, TEST_PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Change your password' })).toBeVisible();
  await page.goto(INBOX);
  await expect(page).toHaveURL('/login');
  await signIn(page, user.username, TEST_PASSWORD);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page).toHaveURL(INBOX);
});

test('the page warns of the expiry of a password from a week before, until it is changed', async ({ page, office }) => {
  const notice = page.getByRole('note').filter({ hasText: 'Your password expires' });
  const user = await office.user();
  await office.age(user, { activated_at: 200, password_changed_at: 83 });
  await tryToSignIn(page, user.username, TEST_PASSWORD);
  await expect(notice).toContainText('Your password expires in 7 days.');
  await page.getByRole('link', { name: 'Change it' }).click();
  await page.getByLabel('Current password').fill(TEST_PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your password was changed. It expires in 90 days.')).toBeVisible();
  await expect(notice).toHaveCount(0);
});

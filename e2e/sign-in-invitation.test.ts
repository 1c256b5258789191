import { TEST_PASSWORD } from '#server/testing/factories.ts';
import { signIn } from './journey.ts';
import { expect, expectProblem, followMail, test, tryToSignIn } from './office.ts';

test.slow();

const NEW_PASSWORD = 'seven herons on a lake';

test('an invited user activates the account with the emailed link and signs in', async ({ page, office, open }) => {
  const admin = await office.user({ role: 'administrator' });
  const invited = `noor.${admin.username}`;
  const desk = await open(admin, '/dashboard/admin/users');
  await desk.getByRole('button', { name: 'Invite' }).click();
  await desk.getByLabel('Email').fill(invited);
  await desk.getByLabel('First name').fill('Noor');
  await desk.getByLabel('Last name').fill('Haddad');
  await desk.getByRole('dialog').getByLabel('Role', { exact: true }).selectOption({ label: 'Care coordinator' });
  await desk.getByLabel(office.group.name).check();
  await desk.getByRole('button', { name: 'Add access' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(desk.getByText('1 person invited by email.')).toBeVisible();
  await expect(desk.getByRole('row', { name: /Haddad, Noor/ })).toContainText('Invited');

  await followMail(page, invited, 'Activate your Tidings account');
  await expect(page.getByRole('heading', { level: 1, name: 'Activate your account' })).toBeVisible();
  await expect(page).toHaveURL('/registration');
  await expect(page.getByText('Noor, choose a password to finish.')).toBeVisible();
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Activate account' }).click();
  await expect(page.getByLabel('Username')).toHaveValue(invited);
  await signIn(page, invited, NEW_PASSWORD);
  await expect(page).toHaveURL('/dashboard/home/inbox');
  await expect(page.getByText('No patients yet.')).toBeVisible();
  await desk.reload();
  await expect(desk.getByRole('row', { name: /Haddad, Noor/ })).toContainText('Active');
});

test('a link that is opened while another user is signed in leads to sign-in for its own account', async ({
  office,
  open,
}) => {
  const page = await open(await office.user());
  const other = await office.user({ firstName: 'Noor' });
  await page.goto('/forgot-password');
  await page.getByLabel('Username').fill(other.username);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status')).toBeVisible();
  await followMail(page, other.username, 'Set a new password');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Your password is set. Sign in with your new password.')).toBeVisible();
  await signIn(page, other.username, NEW_PASSWORD);
  await expect(page.getByRole('button', { name: 'Account of Noor Osei' })).toBeVisible();
});

test('a user who requests access to a group is approved by its administrator, and signs in', async ({
  page,
  office,
  open,
}) => {
  const admin = await office.user({ role: 'administrator' });
  const asking = `ida.${admin.username}`;
  await page.goto('/login');
  await page.getByRole('link', { name: 'Request access' }).click();
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByLabel('Work email')).toBeFocused();
  await expect(page.getByText('Enter your first name.')).toBeVisible();
  await page.getByLabel('Work email').fill(asking);
  await page.getByLabel('First name').fill('Ida');
  await page.getByLabel('Last name').fill('Berg');
  await page.getByLabel('Group', { exact: true }).fill(office.group.name);
  await page.getByLabel(office.group.name).check();
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Request sent' })).toBeVisible();
  await page.getByLabel("Administrator's email").fill(admin.username);
  await page.getByRole('button', { name: 'Send reminder' }).click();
  await expect(page.getByText('If this person can approve your request, a reminder is on its way.')).toBeVisible();

  const desk = await open(admin);
  await followMail(desk, admin.username, `Request to join ${office.group.name}`);
  await expect(desk).toHaveURL('/dashboard/admin/requests');
  await desk.getByRole('button', { name: `Approve Ida Berg for ${office.group.name}` }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Approve request' }).click();
  await expect(desk.getByText(`Ida Berg was added to ${office.group.name} and will get an email.`)).toBeVisible();

  await followMail(page, asking, 'Activate your Tidings account');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Activate account' }).click();
  await signIn(page, asking, NEW_PASSWORD);
  await expect(page.getByRole('button', { name: 'Account of Ida Berg' })).toBeVisible();
});

test('an unactivated user is emailed a new link, and an invalid link says so', async ({ page, office, complaints }) => {
  complaints.expect(/status of (401|404) .*\/api\/(authenticate|users\/tokens)/);
  const user = await office.user();
  await office.age(user, { activated_at: null });
  await tryToSignIn(page, user.username, TEST_PASSWORD);
  await expectProblem(
    page,
    "Whoops, looks like you haven't finished activating your account. We've sent you an email to help you do just that.",
  );
  await followMail(page, user.username, 'Activate your Tidings account');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Activate account' }).click();
  await signIn(page, user.username, NEW_PASSWORD);
  await expect(page).toHaveURL('/dashboard/home/inbox');
  await page.goto('/registration#token=nothing');
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
});

test('the token of a link reaches the server in one call only, and is in no address, referrer or history', async ({
  page,
  office,
  complaints,
}) => {
  complaints.expect(/status of 404 .*\/api\/users\/tokens/);
  const user = await office.user();
  await page.goto('/forgot-password');
  await page.getByLabel('Username').fill(user.username);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status')).toBeVisible();
  const requests: { url: string; referer: string | undefined }[] = [];
  page.on('request', (request) => requests.push({ url: request.url(), referer: request.headers()['referer'] }));
  await followMail(page, user.username, 'Set a new password');
  await expect(page.getByLabel('New password')).toBeVisible();
  await expect(page).toHaveURL('/password/set');
  const call = requests.find(({ url }) => url.includes('/api/users/tokens/'));
  const token = call?.url.split('/').at(-1) ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(requests.filter(({ url }) => url.includes(token) && !url.includes('/api/users/tokens/'))).toEqual([]);
  expect(requests.filter(({ referer }) => referer)).toEqual([]);
  expect(await page.evaluate('JSON.stringify([location.href, history.state, document.referrer])')).not.toContain(token);

  // A link in the older form, and one that is opened on the page of another.
  await page.goto(`/password/set?token=${token}`);
  await expect(page.getByLabel('New password')).toBeVisible();
  await expect(page).toHaveURL('/password/set');
  expect(requests.filter(({ referer }) => referer)).toEqual([]);
  await page.goto('/password/set#token=nothing');
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
  await expect(page).toHaveURL('/password/set');
});

import type { Page } from '@playwright/test';
import { sql } from '#server/platform/database/sql.ts';
import { expectAccessible } from './accessible.ts';
import { choose } from './choose.ts';
import { detail, rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import { listedName, type Person } from './people.ts';
import { signInTo } from './scene.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });
/** Saves the preferences and waits for the server's answer. */
async function save(page: Page): Promise<void> {
  const saved = page.waitForResponse('**/api/users/preferences');
  await page.getByRole('button', { name: 'Save preferences' }).click();
  expect((await saved).status()).toBe(204);
}

test('a password is changed on the profile, with errors at their fields', async ({
  scene,
  open,
  complaints,
  playwright,
}) => {
  complaints.expect(/status of 4\d\d .*\/api\/users\/password$/);
  const user = await scene.user('viewer');
  const page = await open(user, '/dashboard/user-profile');
  const form = section(page, 'Password');
  const fill = async (current: string, next: string, again = next) => {
    await form.getByLabel('Current password').fill(current);
    await form.getByLabel('New password', { exact: true }).fill(next);
    await form.getByLabel('Confirm new password').fill(again);
    await form.getByRole('button', { name: 'Change password' }).click();
  };
  await expect(form.getByText('Your password expires in 90 days.')).toBeVisible();
  await fill(scene.password, 'short');
  await expect(form.getByText('Use at least 8 characters.')).toBeVisible();
  await expect(form.getByLabel('New password', { exact: true })).toBeFocused();
  await fill(scene.password, 'quiet harbour 12', 'quiet harbour 13');
  await expect(form.getByText("The passwords don't match.")).toBeVisible();
  await fill('not my password', 'quiet harbour 12');
  await expect(form.getByText('Incorrect password.')).toBeVisible();
  await fill(scene.password, 'password123');
  await expect(form.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await fill(scene.password, scene.password);
  await expect(form.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await fill(scene.password, 'quiet harbour 12');
  await expect(page.getByText('Your password was changed. It expires in 90 days.')).toBeVisible();
  await expect(form.getByLabel('Current password')).toHaveValue('');

  const request = await playwright.request.newContext();
  await signInTo(request, user.username, 'quiet harbour 12');
  await request.dispose();
});

test('a phone number is confirmed with its code, within five tries and ten minutes', async ({
  scene,
  open,
  complaints,
  db,
}) => {
  complaints.expect(/status of 4\d\d .*\/verify$/);
  const user = await scene.user('viewer');
  const page = await open(user, '/dashboard/user-profile');
  const phone = section(page, 'Notification phone number');
  const form = page.getByRole('dialog');
  await phone.getByRole('button', { name: 'Add mobile number' }).click();
  const local = 2_000_000 + (Number(user.id) % 8_000_000);
  const typed = `(312) ${String(local).slice(0, 3)}-${String(local).slice(3)}`;
  const mailbox = await page.context().newPage();
  const codes = async () => {
    await mailbox.goto('/demo/mailbox');
    const letters = mailbox.getByRole('listitem').filter({ hasText: `to +1312${local}` });
    await expect(letters.first()).toContainText('Your Tidings code is');
    return (await letters.allTextContents()).map((text) => /code is (\d{6})/.exec(text)?.[1] ?? '');
  };
  const confirm = async (code: string) => {
    await form.getByLabel('Verification code').fill(code);
    const answer = page.waitForResponse('**/verify');
    await form.getByRole('button', { name: 'Confirm number' }).click();
    return (await answer).status();
  };
  await form.getByLabel('Mobile phone number').fill('12');
  await form.getByRole('button', { name: 'Send code' }).click();
  await expect(form.getByText('Enter the phone number with its area code.')).toBeVisible();
  await form.getByLabel('Mobile phone number').fill(typed);
  await form.getByRole('button', { name: 'Send code' }).click();
  await expect(form.getByText(`We texted a code to ${typed}.`)).toBeVisible();
  await expect(page).toHaveURL(/\?notificationPhone=[\w-]+$/);
  const [first = ''] = await codes();
  const wrong = first === '000000' ? '111111' : '000000';
  for (let tries = 0; tries < 5; tries += 1) expect(await confirm(wrong)).toBeGreaterThanOrEqual(400);
  await expect(form.getByLabel('Verification code')).toHaveAttribute('aria-invalid', 'true');
  expect(await confirm(first)).toBe(404);
  await expect(form.getByLabel('Verification code')).toHaveAttribute('aria-invalid', 'true');

  const another = async () => {
    const sent = page.waitForResponse('**/api/users/notification-phone');
    await form.getByRole('button', { name: 'Send another code' }).click();
    await sent;
    return (await codes())[0] ?? '';
  };
  const late = await another();
  await db.query(
    sql`update phone_verifications set created_at = created_at - interval '11 minutes' where user_id = ${user.id}`,
  );
  expect(await confirm(late)).toBe(404);
  expect(await confirm(await another())).toBe(204);
  await expect(page.getByText('Your notification phone number is confirmed.')).toBeVisible();
  await expect(phone.getByText(`ends in ${String(local).slice(-4)}`)).toBeVisible();
  await phone.getByRole('button', { name: 'Remove number' }).click();
  await page.getByRole('dialog', { name: 'Remove number' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Your notification phone number was removed.')).toBeVisible();
  await expect(phone.getByRole('button', { name: 'Add mobile number' })).toBeVisible();
});

test('preferences belong to the user: time zone, density, single-key shortcuts', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A04', bob, { patientClass: 'E' });
  const user = await scene.user('care coordinator');
  const page = await open(user);
  const height = async (person: Person) => (await rowOf(page, person).boundingBox())?.height;
  await expect(rowOf(page, ann)).toBeVisible();
  const tall = (await height(ann)) ?? 0;
  expect(tall).toBeGreaterThanOrEqual(56);

  await page.goto('/dashboard/user-profile');
  const preferences = section(page, 'Preferences');
  const signedIn = section(page, "Where you're signed in").getByText(/^Signed in/);
  const hour = async () => Number(/(\d\d):\d\d [AP]M/.exec((await signedIn.first().textContent()) ?? '')?.[1]);
  await expect(signedIn).toBeVisible();
  const eastern = await hour();
  await choose(preferences, 'Time zone', 'America/Chicago');
  await preferences.getByRole('radio', { name: 'Compact' }).check();
  await preferences.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
  await save(page);
  await expect.poll(async () => (eastern - (await hour()) + 12) % 12).toBe(1);

  // Also in a browser that is new to the user.
  const elsewhere = await open(user);
  await expect(rowOf(elsewhere, ann)).toBeVisible();
  const low = async (person: Person) => (await rowOf(elsewhere, person).boundingBox())?.height;
  await expect.poll(() => low(ann)).toBe(36);
  expect(await low(bob)).toBe(36);
  await expect(rowOf(elsewhere, ann)).toContainText(listedName(ann));
  await expect(rowOf(elsewhere, ann)).toContainText(`${ann.birthDate.slice(5, 7)}/${ann.birthDate.slice(8)}`);
  await expect(rowOf(elsewhere, ann)).toContainText('Unresolved');
  await elsewhere.keyboard.press('j');
  await elsewhere.keyboard.press('?');
  await expect(elsewhere.getByRole('dialog')).toHaveCount(0);
  await rowOf(elsewhere, ann).click();
  await expect(detail(elsewhere).getByRole('heading', { level: 2 })).toBeVisible();
  expect((await low(bob)) ?? 0).toBeLessThan(tall);
});

test('a new default team opens right away, and on the next visit', async ({ scene, open }) => {
  const second = await scene.make.team({ organizationId: scene.team.organizationId, name: `Late ${scene.team.name}` });
  const user = await scene.user('care coordinator', { defaultTeamId: scene.team.id });
  await scene.grant(user, second.id, 'viewer');
  const page = await open(user, '/dashboard/user-profile');
  await page.getByLabel('Default team').selectOption(second.id);
  await save(page);
  await expect(page.getByText('This is now your default team.')).toBeVisible();
  const switcher = page.getByRole('button', { name: `Team ${second.name}. Switch team` });
  await expect(switcher).toBeVisible();
  await page.goto('/');
  await untilLive(page);
  await expect(switcher).toBeVisible();
});

test('a user opts out of a beta feature, and in again', async ({ scene, open }) => {
  const page = await open(await scene.user('viewer'), '/dashboard/user-profile');
  const beta = section(page, 'Beta features');
  await beta.getByRole('button', { name: 'Opt out of Actions in search' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Opt out' }).click();
  await expect(page.getByText('Successfully opted out of beta')).toBeVisible();
  await page.reload();
  await beta.getByRole('button', { name: 'Opt in to Actions in search' }).click();
  await expect(page.getByText('Successfully opted in to beta')).toBeVisible();
  await page.reload();
  await expect(beta.getByRole('button', { name: 'Opt out of Actions in search' })).toBeVisible();
});

test('the profile and the timeout warning are accessible, and work by keyboard only', async ({
  scene,
  open,
  complaints,
}) => {
  test.slow();
  // The page whose session ends may be loading its counts just then.
  complaints.expect(/status of 401 .*\/api\/pings\/count\//);
  const user = await scene.user('viewer');
  const page = await open(user);
  const other = await open(user, '/dashboard/user-profile');
  await page.context().clock.install();
  await page.goto('/dashboard/user-profile');
  const sessions = section(page, "Where you're signed in");
  const end = sessions.getByRole('button', { name: /^End session on/ });
  await end.focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Session ended.')).toBeVisible();
  await expect(other).toHaveURL('/login');
  await expectAccessible(page, 'profile');

  await page.clock.fastForward(36 * 60_000);
  const warning = page.getByRole('dialog', { name: 'Your session is about to end' });
  await expect(warning).toBeVisible();
  await expectAccessible(page, 'timeout warning');
  await page.keyboard.press('Shift+Tab');
  await expect(warning.getByRole('button', { name: 'Sign out' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
});

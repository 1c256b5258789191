import type { Page } from '@playwright/test';
import { detail, rowOf } from './inbox-page.ts';
import { expect, signIn, test } from './journey.ts';
import { listedName, type Person } from './people.ts';
import type { Scene, SceneUser } from './scene.ts';

const PATIENTS = '/dashboard/patients/my-patients';

/** What a page holds where someone could look for the user before: its text, its history's state and its storage. */
const heldBy = (page: Page): Promise<string> =>
  page.evaluate<string>(
    'JSON.stringify([document.body.innerText, history.state, { ...sessionStorage }, { ...localStorage }]).toLowerCase()',
  );

async function signOut(page: Page, { firstName, lastName }: { firstName: string; lastName: string }): Promise<void> {
  await page.getByRole('button', { name: `Account of ${firstName} ${lastName}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
}

/** A user of another organization, who may see none of the scene's patients. */
async function stranger({ make, team: { name } }: Scene): Promise<SceneUser> {
  const { id: organizationId } = await make.organization({ name: `Elsewhere of ${name}` });
  const group = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [group.id] });
  return make.user({ team, role: 'care coordinator', removed: ['canViewMfaOptIn'] });
}

test('the next user finds neither a toast nor a typed name, not even with the back button', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const who = { firstName: 'Vera', lastName: 'Quill' };
  const page = await open(await scene.user('care coordinator', { ...who, removed: ['canViewMfaOptIn'] }), PATIENTS);
  const typed = ann.family.slice(0, 5).toLowerCase();
  await page.getByRole('searchbox', { name: 'Name or identifier' }).fill(typed);
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('RELEVANCE ASC');
  expect((await page.evaluate<string>('JSON.stringify(history.state)')).toLowerCase()).not.toContain(typed);
  await page.getByRole('link', { name: /^Pings/ }).click();
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Contacted patient').check();
  await page.getByRole('form', { name: 'Resolve this ping' }).getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await signOut(page, who);
  expect(await heldBy(page)).not.toContain(ann.family.toLowerCase());

  await signIn(page, (await stranger(scene)).username, scene.password);
  await expect(page).toHaveURL('/dashboard/home/inbox');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  // Every entry of the history, up to the blank page that the browser began with.
  while (page.url() !== 'about:blank') {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const held = await heldBy(page);
    expect(held).not.toContain(typed);
    expect(held).not.toContain(listedName(ann).toLowerCase());
    await page.goBack();
  }
});

test('a toast does not outlive an expired session either', async ({ scene, open, complaints }) => {
  complaints.expect(/status of 401/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] }));
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Contacted patient').check();
  await page.getByRole('form', { name: 'Resolve this ping' }).getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.context().clearCookies({ name: 'tidings_session' });
  await page.getByRole('button', { name: 'Refresh the list' }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, (await stranger(scene)).username, scene.password);
  await expect(page.getByRole('heading', { level: 1, name: 'Pings' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect(await heldBy(page)).not.toContain(ann.family.toLowerCase());
});

import type { Page } from '@playwright/test';
import { detail, endSession, rowOf } from './inbox-page.ts';
import { expect, signIn, test } from './journey.ts';
import { listedName, type Person } from './people.ts';
import type { Scene, SceneUser } from './scene.ts';

const PATIENTS = '/dashboard/patients/my-patients';

/** What a page holds where someone could look for the user before: its text, its history's state and its storage. */
const heldBy = (page: Page): Promise<string> =>
  page.evaluate<string>(
    'JSON.stringify([document.body?.innerText ?? "", history.state, { ...sessionStorage }, { ...localStorage }]).toLowerCase()',
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
  const username = `stranger.${team.id}@elsewhere.example`;
  return make.user({ team, role: 'care coordinator', username, removed: ['canViewMfaOptIn'] });
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

/** Types the details of a resolution, and marks the document. */
async function typeNote(page: Page, person: Person): Promise<void> {
  await rowOf(page, person).click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Other', { exact: true }).check();
  await page.getByLabel('Add details').fill('Daughter will');
  await page.evaluate('window.__mark = true');
}
const isSameDocument = (page: Page): Promise<boolean> => page.evaluate<boolean>('"__mark" in window');

test('signing out in one tab signs out of all of them, in new documents that keep neither page nor draft', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const who = { firstName: 'Vera', lastName: 'Quill' };
  const rosa = await scene.user('care coordinator', { ...who, removed: ['canViewMfaOptIn'] });
  const typing = await open(rosa);
  await typeNote(typing, ann);
  const other = await typing.context().newPage();
  await other.goto('/dashboard/home/inbox');
  await expect(rowOf(other, ann)).toBeVisible();
  await other.evaluate('window.__mark = true');
  await signOut(other, who);
  for (const tab of [typing, other]) {
    await expect(tab).toHaveURL('/login');
    await expect.poll(() => isSameDocument(tab)).toBe(false);
    await expect(tab.getByLabel('Username')).toBeVisible();
    await expect(tab.getByText('Your session has ended')).toHaveCount(0);
    expect(await heldBy(tab)).not.toMatch(/returnto|sel=/);
  }
  await signIn(typing, rosa.username, scene.password);
  await expect(typing).toHaveURL('/dashboard/home/inbox');
  await rowOf(typing, ann).click();
  await detail(typing).getByRole('button', { name: 'Resolve' }).click();
  await typing.getByLabel('Other', { exact: true }).check();
  await expect(typing.getByLabel('Add details')).toHaveValue('');
});

test('whoever signs in after another user’s session has ended starts at home, in a new document', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] }));
  await typeNote(page, ann);
  const other = await page.context().newPage();
  await other.goto('/dashboard/whats-new');
  await expect(other.getByRole('heading', { level: 1, name: 'What’s new' })).toBeVisible();
  await endSession(page);
  for (const tab of [page, other]) await expect(tab.getByText('Your session has ended')).toBeVisible();
  // A document of its own doesn't know the user before, but its history does.
  await other.reload();
  const asked: string[] = [];
  for (const tab of [page, other])
    tab.on('request', (request) => void (/\/api\/patients\/\d/.test(request.url()) && asked.push(request.url())));
  await signIn(page, (await stranger(scene)).username, scene.password);
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL('/dashboard/home/inbox');
    await expect(tab.getByRole('heading', { level: 1, name: 'Pings' })).toBeVisible();
    expect(await isSameDocument(tab)).toBe(false);
  }
  expect(asked).toEqual([]);
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
  await endSession(page);
  await expect(page).toHaveURL('/login');
  await signIn(page, (await stranger(scene)).username, scene.password);
  await expect(page.getByRole('heading', { level: 1, name: 'Pings' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect(await heldBy(page)).not.toContain(ann.family.toLowerCase());
});

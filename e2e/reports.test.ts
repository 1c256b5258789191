import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessible.ts';
import { administrator, adminPath, dialog } from './admin-page.ts';
import { fillOrganization, SCALE } from './at-scale.ts';
import { choose } from './choose.ts';
import { expect, test } from './journey.ts';

test.slow();

test(`the reports of ${SCALE.users} users and ${SCALE.groups} groups are filtered, sorted, paged and downloaded`, async ({
  db,
  scene,
  open,
}) => {
  const user = await administrator(scene);
  const { id: teamId, organizationId } = scene.team;
  await fillOrganization(db, { organizationId, teamId, userId: user.id });

  const page = await open(user, adminPath('users'));
  await expect(page.getByText('3,002 users')).toBeVisible();
  await page.getByRole('link', { name: 'Reports' }).click();
  await expect(page).toHaveURL(/\/dashboard\/user-report$/);
  await expect(page.getByRole('heading', { name: 'User report' })).toBeVisible();
  await expect(page.getByText('3,002 users')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(21);
  await page.getByRole('searchbox', { name: 'Search' }).fill(user.username);
  await expect(page.getByText('1 user matches 1 filter')).toBeVisible();
  await page.getByText('401 groups').click();
  await expect(page.getByRole('list', { name: '401 groups' }).getByRole('listitem')).toHaveCount(401);
  await expectAccessible(page, 'the user report');
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await page.getByLabel('Last sign-in').selectOption('Never');
  await expect(page.getByText(/^3,000 users match 1 filter/)).toBeVisible();
  await choose(page.locator('main'), 'Sort by', 'Email');
  await page.reload();
  await expect(page.getByText(/^3,000 users match 1 filter/)).toBeVisible();

  await page.getByRole('link', { name: 'Access review' }).click();
  await expect(page.getByRole('heading', { name: 'Access review' })).toBeVisible();
  await expect(page.getByText('9,402 rows')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill('number 2999');
  await expect(page.getByText('3 rows match 1 filter')).toBeVisible();
  await page
    .getByText(/^5 permissions/)
    .first()
    .click();
  await expect(page.getByText('View the ping inbox: never used')).toBeVisible();
  await expectAccessible(page, 'the access review');
  await page.getByRole('link', { name: 'Number 2999, Colleague' }).first().click();
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: 'Save' })).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/users$/);
});

test('the reports break no word, at the width of a tablet either', async ({ scene, open }) => {
  const page = await open(await administrator(scene), '/user-report');
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [report, words] of [
      ['Users', ['Active', 'Administrator', 'Created', 'Activated']],
      ['Access review', ['Active', 'Administrator']],
    ] as const) {
      await page.getByRole('link', { name: report }).click();
      const region = page.getByRole('region', { name: report === 'Users' ? 'Users' : 'Access' });
      for (const word of words) {
        const box = await region.getByText(word, { exact: true }).first().boundingBox();
        expect(box?.height, `${report}, ${width} px: ${word}`).toBeLessThan(24);
      }
    }
  }
});

test('access that no one used is found, downloaded and ended', async ({ db, scene, open }) => {
  const desk = await administrator(scene);
  const idle = await scene.user('clinician', { firstName: 'Kofi', lastName: 'Mensah' });
  const longAgo = new Date(Date.now() - 200 * 24 * 60 * 60_000);
  await db.query('update users set created_at = $2, activated_at = $2, current_login_at = null where id = $1', [
    idle.id,
    longAgo,
  ]);
  const page = await open(desk, '/user-report/access');
  await expect(page).toHaveURL(/\/dashboard\/user-report\/access$/);
  await page.getByLabel('Dormant only').check();
  await expect(page.getByText('1 row matches 1 filter')).toBeVisible();
  await expect(page.getByRole('row', { name: /Mensah/ })).toContainText('None of these permissions ever used');
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  const file = await started;
  expect(file.suggestedFilename()).toBe('access-review.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"Mensah, Kofi"');

  await page.getByRole('link', { name: 'Mensah, Kofi' }).click();
  await dialog(page)
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The account of Kofi Mensah was saved.')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('No access matches.')).toBeVisible();
});

test('page use shows who opened a page, and which pages no one opened', async ({ scene, open }) => {
  const desk = await administrator(scene);
  const reader = await scene.user('viewer', { firstName: 'Kofi', lastName: 'Mensah' });
  const other = await open(reader);
  const counted = other.waitForResponse((answer) => answer.url().endsWith('/api/user-events'));
  await other.goto('/dashboard/length-of-stay');
  await counted;
  const page = await open(desk, '/dashboard/user-report/pages');
  const row = (name: string) => page.getByRole('row', { name });
  await expect(row('Length of stay')).toContainText('1');
  await expect(row('Pre-admit')).toContainText('Not in this period');
  await page.getByLabel('Show').selectOption('Pages and users');
  await expect(row('Length of stay')).toContainText('Mensah, Kofi');
  await expect(row('Length of stay')).toContainText(scene.team.name);
  await expectAccessible(page, 'page use');
});

test('those who may see page use without being administrators reach it from the account menu', async ({
  scene,
  open,
}) => {
  const page = await open(await scene.user('viewer', { added: ['canViewRouteAuditReport'] }));
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Reports' }).click();
  await expect(page.getByRole('heading', { name: 'Page use' })).toBeVisible();
});

import type { Page } from '@playwright/test';
import { sql } from '#server/platform/database/sql.ts';
import { expectAccessible } from './accessible.ts';
import { administrator, adminPath, dialog, openRow, saved } from './admin-page.ts';
import { fillOrganization, LONG_NAME, SCALE } from './at-scale.ts';
import { choose } from './choose.ts';
import { expect, test } from './journey.ts';

test.slow();

/** Elements in the page: a list that puts hundreds of entries into it has thousands. */
const elements = (page: Page): Promise<number> => page.locator('*').count();

test(`the administration of ${SCALE.groups} groups and ${SCALE.users} users is paged and searched`, async ({
  db,
  scene,
  open,
}) => {
  const user = await administrator(scene);
  const { id: teamId, organizationId } = scene.team;
  await fillOrganization(db, { organizationId, teamId, userId: user.id });

  const page = await open(user, adminPath('groups'));
  await expect(page.getByText('401 groups')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(21);
  await page.getByLabel('Rows per page').selectOption('100');
  await expect(page.getByRole('row')).toHaveCount(101);
  await page.getByRole('button', { name: 'Last' }).click();
  await expect(page.getByText('401–401 of 401')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill('bartholomew');
  await expect(page.getByText('1 group matches 1 filter')).toBeVisible();
  await expect(page.getByRole('button', { name: LONG_NAME })).toBeVisible();
  await expectAccessible(page, 'groups at scale');

  await page.getByRole('link', { name: 'Teams' }).click();
  await expect(page.getByText('61 teams')).toBeVisible();
  await page.getByText('12 groups').first().click();
  await expect(page.getByRole('list', { name: '12 groups' }).getByRole('listitem')).toHaveCount(12);
  await expectAccessible(page, 'teams at scale');
  await openRow(page, scene.team.name);
  await dialog(page).getByRole('searchbox', { name: 'Search groups' }).fill('facility 39');
  await expect(dialog(page).getByRole('checkbox')).toHaveCount(10);
  await expectAccessible(page, 'a team of 401 groups');
  await dialog(page)
    .getByRole('checkbox', { name: /^Facility 399/ })
    .uncheck();
  await expect(dialog(page).getByText('400 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();

  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByText('3,002 users')).toBeVisible();
  await page.getByText('Filters', { exact: true }).click();
  await choose(page.getByRole('main'), 'Team', 'Shift 07');
  await expect(page.getByText('0 users match 1 filter')).toBeVisible();
  await expectAccessible(page, 'filters of users at scale');
  await page.getByRole('button', { name: 'Clear all' }).first().click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('number 2999');
  await expect(page.getByText('1 user matches 1 filter')).toBeVisible();
  await openRow(page, 'Number 2999, Colleague');
  await choose(dialog(page), 'Team', 'Shift 07');
  await dialog(page).getByRole('checkbox', { name: 'All 12 groups' }).check();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The account of Colleague Number 2999 was saved.');
  await page.getByRole('searchbox', { name: 'Search' }).fill(user.username);
  await openRow(page, 'Diaz, Rosa');
  await dialog(page).getByRole('searchbox', { name: 'Search access' }).fill('facility 40');
  await expect(dialog(page).getByRole('region', { name: 'Access' }).getByRole('listitem')).toHaveCount(1);
  expect(await elements(page)).toBeLessThan(2000);
  await expectAccessible(page, 'a user with 401 grants');
});

test(`the other pages of administration stay readable with ${SCALE.users} users`, async ({ db, scene, open }) => {
  const user = await administrator(scene);
  const { id: teamId, organizationId } = scene.team;
  await fillOrganization(db, { organizationId, teamId, userId: user.id });
  const connection = await scene.make.connection({ organizationId, domains: [`scale${teamId}.example`] });
  await db.query(sql`
    with added as (
      insert into provider_groups (connection_id, display_name, created_at)
      select ${connection.id}, 'Provider group ' || lpad(n::text, 3, '0'), ${new Date()} from generate_series(1, 200) n returning id)
    insert into provider_group_members (provider_group_id, user_id)
    select added.id, u.id from added, users u where u.organization_id = ${organizationId} and u.id % 200 = added.id % 200`);
  await db.query(sql`
    insert into access_requests (username, first_name, last_name, group_id, created_at)
    select 'asker' || n || '@elsewhere.example', 'Asker', 'Number ' || n, ${scene.group.id}, ${new Date()}
    from generate_series(1, 200) n`);
  await db.query(sql`
    insert into audit_entries (at, user_id, action, subject, subject_id, detail, in_log)
    select ${new Date()}, u.id, 'sign-in', 'user', u.id, '{"way": "password"}', true
    from users u where u.organization_id = ${organizationId}`);

  const page = await open(user, adminPath('roles'));
  for (const [link, shown] of [
    ['Roles', page.getByRole('button', { name: 'Care coordinator' })],
    ['Access requests', page.getByText('Asker Number 1', { exact: true })],
    ['Audit log', page.getByText(/^3,00\d entries/)],
    ['Single sign-on', page.getByRole('button', { name: /^Connection / })],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await expect(shown.first()).toBeVisible();
    await expectAccessible(page, `${link} at scale`);
  }
  await page.getByRole('button', { name: /^Connection / }).click();
  await expect(dialog(page).getByText('Provider group 200')).toBeAttached();
  await expectAccessible(page, 'a connection with 200 groups');
  expect(await elements(page)).toBeLessThan(4000);
});

test(`the menu of ${SCALE.savedFilters} saved filters keeps its actions in reach`, async ({ db, scene, open }) => {
  const user = await administrator(scene);
  const { id: teamId, organizationId } = scene.team;
  await fillOrganization(db, { organizationId, teamId, userId: user.id });
  const page = await open(user, '/dashboard/home/inbox');
  for (const size of [
    { width: 1440, height: 900 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: /^Filter:/ }).click();
    await expect(page.getByRole('menuitemradio', { name: 'Saved filter 60' })).toBeAttached();
    for (const name of ['Save as new filter…', 'Manage filters…', 'Edit notifications…'])
      await expect(page.getByRole('menuitem', { name })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    // Not behind the actions, which stay in place.
    const last = await page.getByRole('menuitemradio', { name: 'Saved filter 60' }).boundingBox();
    const actions = await page.getByRole('menuitem', { name: 'Save as new filter…' }).boundingBox();
    await expect(page.getByRole('menuitemradio', { name: 'Saved filter 60' })).toBeFocused();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(actions?.y ?? 0);
    await page.keyboard.press('Escape');
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: /^Filter:/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Manage filters…' })).toBeVisible();
  await expectAccessible(page, 'the menu of 60 filters');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  const group = page.getByRole('combobox', { name: 'Group' });
  await group.fill('facility 399');
  await page.getByRole('listbox', { name: 'Choices for Group' }).getByRole('option').click();
  await expect(page).toHaveURL(/[?&]group=/);
});

/** Filters that are shared with the team. */
import { expect, test } from 'vitest';
import type { NotificationPreferenceFields } from '#contract/notifications.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import {
  create,
  list,
  NOT_FOUND,
  PATH,
  preferences,
  remove,
  save,
  startSavedFilterApp,
} from '#server/testing/saved-filters.ts';

const { app, rows } = await startSavedFilterApp();
const { make } = app;
const NOT_PERMITTED = { status: 403, errorKey: 'NOT_PERMITTED' };

const share = (client: Client, id: string, shared = true) =>
  client.call(`PUT ${PATH}/:id/shared`, { params: { id }, body: { shared } });
const names = async (client: Client) =>
  (await list(client)).map(({ name, orderNum, isShared, owner, mayChange }) =>
    [
      orderNum,
      name,
      isShared && 'shared',
      !owner.isYou && `by ${owner.name}`,
      !owner.isOnTeam && 'left',
      mayChange && 'may change',
    ]
      .filter(Boolean)
      .join(' '),
  );

/** A team with an owner of filters, a colleague and an administrator, and someone on another team of the organization. */
async function office() {
  const team = await make.team();
  const person = (role: 'care coordinator' | 'administrator', name: string) =>
    make.user({ team, role, firstName: 'Pat', lastName: name });
  const [owner, colleague, admin] = [
    await person('care coordinator', 'Owner'),
    await person('care coordinator', 'Colleague'),
    await person('administrator', 'Admin'),
  ];
  const elsewhere = await make.team({ organizationId: team.organizationId });
  const stranger = await make.user({ team: elsewhere, role: 'administrator' });
  return {
    team,
    owner: await signIn(app, owner.username),
    ownerId: owner.id,
    colleague: await signIn(app, colleague.username),
    colleagueId: colleague.id,
    admin: await signIn(app, admin.username),
    stranger: await signIn(app, stranger.username),
  };
}

test('a shared filter is listed after one’s own, with its owner, for the team and no one else', async () => {
  const { owner, colleague, admin, stranger } = await office();
  await create(colleague, 'Mine');
  const { id } = await create(owner, 'High risk', preferences({ gender: ['Female'] }));
  await create(owner, 'Private');
  expect(await names(colleague)).toEqual(['1 Mine may change']);
  expect(await share(owner, id)).toMatchObject({ isShared: true, owner: { isYou: true } });
  expect(await names(colleague)).toEqual(['1 Mine may change', '2 High risk shared by Pat Owner']);
  expect(await names(admin)).toEqual(['1 High risk shared by Pat Owner may change']);
  expect(await names(owner)).toEqual(['1 High risk shared may change', '2 Private may change']);
  expect(await names(stranger)).toEqual([]);
  const [, shared] = await list(colleague);
  expect(shared?.userDefinedFacetPreferences.preferenceMap.gender).toMatchObject([{ value: 'Female' }]);
  // A name may be used by both.
  await create(colleague, 'High risk');
});

test('only the owner shares and stops sharing; the owner and administrators change and delete', async () => {
  const { owner, colleague, admin, stranger } = await office();
  const { id } = await create(owner, 'Shared');
  const params = { id };
  for (const client of [colleague, admin, stranger])
    expect(await errorOf(client, `PUT ${PATH}/:id/shared`, { params, body: { shared: true } })).toMatchObject(
      NOT_FOUND,
    );
  await share(owner, id);
  for (const client of [colleague, admin])
    expect(await errorOf(client, `PUT ${PATH}/:id/shared`, { params, body: { shared: false } })).toMatchObject(
      NOT_PERMITTED,
    );
  expect(await errorOf(colleague, `PUT ${PATH}/:id`, { params, body: { name: 'X' } })).toMatchObject(NOT_PERMITTED);
  expect(await errorOf(colleague, `DELETE ${PATH}/:id`, { params })).toMatchObject(NOT_PERMITTED);
  expect(await errorOf(stranger, `DELETE ${PATH}/:id`, { params })).toMatchObject(NOT_FOUND);
  await save(admin, id, { name: 'Renamed', ...preferences({ gender: ['Male'] }) });
  expect(await names(colleague)).toEqual(['1 Renamed shared by Pat Owner']);
  await create(owner, 'Second');
  await remove(admin, id);
  expect(await names(owner)).toEqual(['1 Second may change']);
});

test('a name, ID or birth date is not shared', async () => {
  const { owner } = await office();
  for (const over of [{ query: 'lind' }, { dateOfBirth: '1941-03-14' }]) {
    const { id } = await create(owner, `About a person ${JSON.stringify(over).length}`, preferences({}, over));
    expect(await errorOf(owner, `PUT ${PATH}/:id/shared`, { params: { id }, body: { shared: true } })).toMatchObject({
      status: 400,
      errorKey: 'BAD_REQUEST',
    });
  }
  const { id } = await create(owner, 'Women', preferences({ gender: ['Female'] }));
  await share(owner, id);
  const body = { name: 'Women', ...preferences({}, { query: 'lind' }) };
  expect(await errorOf(owner, `PUT ${PATH}/:id`, { params: { id }, body })).toMatchObject({ status: 400 });
});

test('defaults, uses and notifications of a shared filter are each user’s own, and end with the sharing', async () => {
  const { owner, colleague, ownerId, colleagueId } = await office();
  const { id } = await create(owner, 'Shared');
  await share(owner, id);
  const setDefault = (client: Client) =>
    client.call(`POST ${PATH}/preferences`, { query: { filterId: id, moduleName: 'PING_SEARCH' } });
  const notify: NotificationPreferenceFields = { email: true, text: false, timing: 'AT_ONCE', hour: 8, muted: false };
  const setNotification = (client: Client, over: Partial<NotificationPreferenceFields> = {}) =>
    client.call('PUT /api/notification-filter-preferences/:id', { params: { id }, body: { ...notify, ...over } });
  const both = [owner, colleague];
  for (const client of both) await setDefault(client);
  await setNotification(owner);
  await setNotification(colleague, { timing: 'DAILY' });
  await colleague.call(`POST ${PATH}/:id/uses`, { params: { id } });
  const notified = (client: Client) => client.call('GET /api/notification-filter-preferences', {});
  expect(await notified(owner)).toMatchObject([{ filterId: id, timing: 'AT_ONCE' }]);
  expect(await notified(colleague)).toMatchObject([{ filterId: id, timing: 'DAILY' }]);
  const usedAt = async (client: Client) => (await client.call(`GET ${PATH}/uses`, {}))[0]?.lastUsedAt ?? null;
  expect(await usedAt(owner)).toBe(null);
  expect(await usedAt(colleague)).not.toBe(null);
  // Each is told of the other.
  const users = async (client: Client) => (await client.call(`GET ${PATH}/uses`, {}))[0]?.colleagues;
  expect([await users(owner), await users(colleague)]).toEqual([1, 1]);

  await share(owner, id, false);
  expect(await names(colleague)).toEqual([]);
  expect(await notified(colleague)).toEqual([]);
  expect(await colleague.call(`GET ${PATH}/preferences`, {})).toEqual([]);
  expect(await notified(owner)).toHaveLength(1);
  expect(await owner.call(`GET ${PATH}/preferences`, {})).toHaveLength(1);
  expect(
    await errorOf(colleague, 'PUT /api/notification-filter-preferences/:id', { params: { id }, body: notify }),
  ).toMatchObject(NOT_FOUND);
  const left = await rows<{ user: string }>(
    'select user_id::text as user from search_preferences where filter_id = $1 order by 1',
    [id],
  );
  expect(left).toEqual([{ user: ownerId }]);
  expect(colleagueId).not.toBe(ownerId);
});

test('a filter stays shared when its owner leaves the team, and administrators look after it', async () => {
  const { owner, ownerId, colleague, admin, team } = await office();
  const { id } = await create(owner, 'Left behind');
  await create(owner, 'Private');
  await share(owner, id);
  await rows('delete from grants where user_id = $1 and team_id = $2', [ownerId, team.id]);
  expect(await names(colleague)).toEqual(['1 Left behind shared by Pat Owner left']);
  await save(admin, id, { name: 'Kept' });
  expect(await names(colleague)).toEqual(['1 Kept shared by Pat Owner left']);
  await remove(admin, id);
  expect(await names(colleague)).toEqual([]);
});

test('a colleague without the permission for a filter value sees the rest, and does not lose it for others', async () => {
  const { owner, admin, team } = await office();
  const { id } = await create(owner, 'Gaps', preferences({ gender: ['Female'], careGaps: ['A1C'] }));
  await share(owner, id);
  const blind = await make.user({ team, role: 'administrator', removed: ['canViewCareGapsWorklistAlpha'] });
  const client = await signIn(app, blind.username);
  const [seen] = await list(client);
  expect(seen?.ignoredFacets).toEqual(['careGaps']);
  await save(client, id, { name: 'Gaps', ...preferences({ gender: ['Male'] }) });
  expect(Object.keys((await list(admin))[0]?.userDefinedFacetPreferences.preferenceMap ?? {}).sort()).toEqual([
    'careGaps',
    'gender',
  ]);
});

test('no statement of another team or user sees what the team does not share', async () => {
  const { owner, ownerId, colleagueId, team } = await office();
  const { id } = await create(owner, 'Shared');
  await create(owner, 'Private');
  await share(owner, id);
  const seenBy = (userId: string, teamId: string) =>
    app.database.app.transaction(
      async (tx) => (await tx.query<{ name: string }>(sql`select name from saved_filters order by name`)).rows,
      {
        settings: { 'tidings.user_id': userId, 'tidings.team_id': teamId },
      },
    );
  const other = await make.team();
  expect(await seenBy(colleagueId, team.id)).toEqual([{ name: 'Shared' }]);
  expect(await seenBy(colleagueId, other.id)).toEqual([]);
  expect(await seenBy(ownerId, team.id)).toHaveLength(2);
  const changed = await app.database.app.transaction(
    (tx) => tx.query(sql`update saved_filters set name = 'Taken' where id = ${id}`),
    { settings: { 'tidings.user_id': colleagueId, 'tidings.team_id': team.id } },
  );
  expect(changed.rowCount).toBe(0);
});

test('what is unset has its key and its meaning', async () => {
  const { owner } = await office();
  const created = await create(owner, 'Plain');
  expect(created).toMatchObject({ visibleTo: [], ignoredPatientIds: [], sortOrder: 'DESC', sortBy: [] });
  const byName = await create(owner, 'By name', { sortBy: ['LAST_NAME'] });
  expect(byName.sortOrder).toBe('ASC');
  const found = await create(owner, 'Found', preferences({}, { query: 'lind' }));
  expect(found.sortOrder).toBe('ASC');
});

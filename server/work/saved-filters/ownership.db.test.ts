import { describe, expect, test } from 'vitest';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import {
  create,
  list,
  NOT_FOUND,
  order,
  PATH,
  preferences,
  remove,
  save,
  startSavedFilterApp,
} from '#server/testing/saved-filters.ts';

const { app, coordinator, lines, rows } = await startSavedFilterApp();
const { make, database } = app;

describe('a filter of another', () => {
  test('user or team does not exist', async () => {
    const { client, user, team } = await coordinator();
    const { id } = await create(client, 'Mine');
    const colleague = await signIn(app, (await make.user({ team })).username);
    const elsewhere = await signIn(app, user.username);
    const other = await make.team({ organizationId: team.organizationId });
    await rows(
      'insert into grants (user_id, team_id, group_id, role_id) select $1, $2, $3, role_id from grants limit 1',
      [user.id, other.id, other.groupIds[0]],
    );
    elsewhere.teamId = other.id;
    for (const stranger of [colleague, elsewhere]) {
      expect(await list(stranger)).toEqual([]);
      const params = { id };
      const body = { name: 'Yours' };
      expect(await errorOf(stranger, `PUT ${PATH}/:id`, { params, body })).toMatchObject(NOT_FOUND);
      expect(await errorOf(stranger, `DELETE ${PATH}/:id`, { params })).toMatchObject(NOT_FOUND);
      const query = { filterId: id, moduleName: 'EXPORTS' } as const;
      expect(await errorOf(stranger, `POST ${PATH}/preferences`, { query })).toMatchObject(NOT_FOUND);
      await stranger.call(`DELETE ${PATH}/preferences`, { query: { moduleName: 'PING_SEARCH' } });
    }
    expect(await order(client)).toEqual(['1 Mine']);
  });

  test('user stays invisible to a statement that forgets to filter by owner', async () => {
    const { client, user } = await coordinator();
    await create(client, 'Mine');
    const seenBy = (userId: string) =>
      database.app.transaction(async (tx) => (await tx.query('select user_id from saved_filters')).rows, {
        settings: { 'tidings.user_id': userId },
      });
    expect(await seenBy(user.id)).toEqual([{ user_id: user.id }]);
    expect(await seenBy((await coordinator()).user.id)).toEqual([]);
    expect((await database.app.query('select from saved_filters')).rows).toEqual([]);
  });
});

describe('the default of a module', () => {
  const defaults = (client: Client) => client.call(`GET ${PATH}/preferences`, {});
  const set = (client: Client, filterId: string, moduleName: 'PING_SEARCH' | 'EXPORTS') =>
    client.call(`POST ${PATH}/preferences`, { query: { filterId, moduleName } });

  test('is set, replaced, cleared, and deleted with its filter', async () => {
    const { client } = await coordinator();
    const [a, b] = [await create(client, 'a'), await create(client, 'b')];
    expect(await defaults(client)).toEqual([]);
    await set(client, a.id, 'PING_SEARCH');
    await set(client, a.id, 'EXPORTS');
    await set(client, b.id, 'PING_SEARCH');
    expect(await defaults(client)).toEqual([
      { moduleName: 'EXPORTS', filterId: a.id },
      { moduleName: 'PING_SEARCH', filterId: b.id },
    ]);
    await client.call(`DELETE ${PATH}/preferences`, { query: { moduleName: 'EXPORTS' } });
    await client.call(`DELETE ${PATH}/preferences`, { query: { moduleName: 'EXPORTS' } });
    await set(client, a.id, 'EXPORTS');
    await remove(client, b.id);
    expect(await defaults(client)).toEqual([{ moduleName: 'EXPORTS', filterId: a.id }]);
    const query = { filterId: b.id, moduleName: 'EXPORTS' } as const;
    expect(await errorOf(client, `POST ${PATH}/preferences`, { query })).toMatchObject(NOT_FOUND);
  });

  test('is each user’s own', async () => {
    const { client, team } = await coordinator();
    const colleague = await signIn(app, (await make.user({ team })).username);
    const [mine, theirs] = [await create(client, 'a'), await create(colleague, 'a')];
    await set(client, mine.id, 'EXPORTS');
    await set(colleague, theirs.id, 'EXPORTS');
    await colleague.call(`DELETE ${PATH}/preferences`, { query: { moduleName: 'EXPORTS' } });
    expect(await defaults(client)).toEqual([{ moduleName: 'EXPORTS', filterId: mine.id }]);
    expect(await defaults(colleague)).toEqual([]);
  });
});

test('filter values appear in no log and no audit entry; audit entries name ids', async () => {
  const { client, user, team } = await coordinator();
  lines.length = 0;
  const typed = preferences({ city: ['Zanzibarville'] }, { query: 'Qwxyzton', dateOfBirth: '1911-11-11' });
  const { id } = await create(client, 'Qwxyzton, Vera', typed);
  await errorOf(client, `POST ${PATH}`, { body: { name: 'qwxyzton, vera', ...typed } });
  await errorOf(client, `POST ${PATH}`, {
    body: { name: 'V', userDefinedFacetPreferences: { dateOfBirth: '11/11/1911' } },
  });
  await save(client, id, { name: 'Qwxyzton', ...typed });
  await client.call(`POST ${PATH}/preferences`, { query: { filterId: id, moduleName: 'EXPORTS' } });
  await client.call(`POST ${PATH}/preview`, { body: typed });
  await client.call(`DELETE ${PATH}/preferences`, { query: { moduleName: 'EXPORTS' } });
  await remove(client, id);
  const entries = await rows<{ action: string }>(
    'select action, subject, subject_id, team_id, detail from audit_entries where user_id = $1 and subject = $2 order by id',
    [user.id, 'saved-filter'],
  );
  const about = { subject: 'saved-filter', subject_id: id, team_id: team.id, detail: {} };
  expect(entries.filter(({ action }) => action !== 'saved-filter.preview')).toEqual([
    { ...about, action: 'saved-filter.create' },
    { ...about, action: 'saved-filter.change' },
    { ...about, action: 'saved-filter.default', detail: { moduleName: 'EXPORTS' } },
    { ...about, action: 'saved-filter.no-default', subject_id: null, detail: { moduleName: 'EXPORTS' } },
    { ...about, action: 'saved-filter.delete' },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/qwxyz|vera|1911|zanzibar/i);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.join('')).not.toMatch(/qwxyz|vera|1911|zanzibar/i);
});

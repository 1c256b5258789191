import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { SAVED_FILTERS_LIMIT, type SavedFilter, type SavedFilterFields } from '#contract/saved-filters.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { createLog } from '#server/platform/http/log.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { savedFilterRoutes } from './routes.ts';

const lines: string[] = [];
const destination = new Writable({
  write(chunk: Buffer, _, done) {
    lines.push(chunk.toString());
    done();
  },
});
/** What the read model was asked for a preview. */
const asked: { actor: Actor; parameters: SearchParameters; createdSince: Date }[] = [];

const app = await startApp({
  log: createLog('trace', destination),
  routes: ({ database, clock }) =>
    savedFilterRoutes({
      db: database.app,
      clock: clock.now,
      countEvents: async (actor, parameters, createdSince) => {
        asked.push({ actor, parameters, createdSince });
        return { pings: 12, patients: 7 };
      },
      countFound: async (_, { userDefinedFacetPreferences: { openPatientsOnly } }) => (openPatientsOnly ? 5 : null),
    }),
});
const { make, clock, database } = app;

const PATH = '/api/patient-search-params';
const NOT_FOUND = { status: 404, errorKey: 'NOT_FOUND' };

async function coordinator(over: { removed?: Permission[] } = {}) {
  const team = await make.team();
  const user = await make.user({ team, ...over });
  return { team, user, client: await signIn(app, user.username) };
}

const create = (client: Client, name: string, over: Partial<SavedFilterFields> = {}): Promise<SavedFilter> =>
  client.call(`POST ${PATH}`, { body: { name, ...over } });
const save = (client: Client, id: string, body: SavedFilterFields) =>
  client.call(`PUT ${PATH}/:id`, { params: { id }, body });
const remove = (client: Client, id: string) => client.call(`DELETE ${PATH}/:id`, { params: { id } });
const list = (client: Client) => client.call(`GET ${PATH}`, {});
const order = async (client: Client) => (await list(client)).map(({ name, orderNum }) => `${orderNum} ${name}`);
const refusalOf = (client: Client, body: SavedFilterFields) => errorOf(client, `POST ${PATH}`, { body });

const rows = async <R extends object>(text: string, values: unknown[] = []) =>
  (await database.pipeline.query<R>(text, values)).rows;

/** Takes a flag from somebody who had it. */
const takeAway = (userId: string, flag: Permission) =>
  database.pipeline.query('update grants set removed = array_append(removed, $2) where user_id = $1', [userId, flag]);

const preferences = (
  map: Record<string, readonly string[]>,
  over: Partial<SavedFilterFields['userDefinedFacetPreferences']> = {},
) => ({
  userDefinedFacetPreferences: {
    preferenceMap: Object.fromEntries(
      Object.entries(map).map(([facet, values]) => [facet, values.map((value) => ({ field: facet, value }))]),
    ),
    ...over,
  },
});

describe('a saved filter', () => {
  test('comes back as it was saved, with what follows from it', async () => {
    const { team, client } = await coordinator();
    const body: SavedFilterFields = {
      name: '  Diabetes, west  ',
      searchContext: 'PINGS',
      ignoredPatientIds: ['12_0', '15_44'],
      visibleTo: [...team.groupIds],
      userDefinedFacetPreferences: {
        query: 'oko',
        dateOfBirth: '1941-03-14',
        preferenceMap: {
          diagnoses: [
            { field: 'diagnoses', value: 'E11', negated: true, loggableFilterRepresentation: 'Okonkwo' },
            { field: 'diagnoses', value: 'I10' },
          ],
          eventDate: [{ field: 'eventDaysAgo', value: '0:7' }],
          gender: [],
        },
        openPatientsOnly: true,
      },
      sortBy: ['LAST_NAME', 'FIRST_NAME'],
      sortOrder: 'ASC',
      pageNumber: 3,
      pageSize: 20,
    };
    const filter = await create(client, body.name, body);
    expect(filter).toEqual({
      id: expect.any(String),
      name: 'Diabetes, west',
      teamId: team.id,
      orderNum: 1,
      offset: 40,
      query: 'oko',
      ignoredPatientIds: ['12_0', '15_44'],
      visibleTo: team.groupIds,
      searchContext: 'PINGS',
      userDefinedFacetPreferences: {
        query: 'oko',
        dateOfBirth: '1941-03-14',
        preferenceMap: {
          diagnoses: [
            { field: 'diagnoses', value: 'E11', negated: true, loggableFilterRepresentation: 'not diagnoses' },
            { field: 'diagnoses', value: 'I10', negated: false, loggableFilterRepresentation: 'diagnoses' },
          ],
          eventDate: [
            {
              field: 'eventDaysAgo',
              value: '0:7',
              negated: false,
              loggableFilterRepresentation: 'eventDate (eventDaysAgo)',
            },
          ],
        },
        openPatientsOnly: true,
      },
      sortBy: ['LAST_NAME', 'FIRST_NAME'],
      sortOrder: 'ASC',
      pageNumber: 3,
      pageSize: 20,
      ignoredFacets: [],
      loggableFilterRepresentation:
        'not diagnoses: 1, diagnoses: 1, eventDate (eventDaysAgo): 1, text, birth date, open patients only',
    });
    expect(await list(client)).toEqual([filter]);
    expect(await save(client, filter.id, filter)).toEqual(filter);
  });

  test('has pages of ten, the first of them, and filters nothing, unless said', async () => {
    const { client } = await coordinator();
    expect(await create(client, 'Everybody')).toMatchObject({
      searchContext: 'ALL',
      pageNumber: 1,
      pageSize: 10,
      offset: 0,
      query: '',
      loggableFilterRepresentation: 'none',
    });
  });

  test('is renamed and changed', async () => {
    const { client } = await coordinator();
    const { id } = await create(client, 'Women', preferences({ gender: ['Female'] }));
    await save(client, id, { name: 'Men', ...preferences({ gender: ['Male'] }) });
    const [filter] = await list(client);
    expect(filter?.name).toBe('Men');
    expect(filter?.userDefinedFacetPreferences.preferenceMap.gender?.map(({ value }) => value)).toEqual(['Male']);
    await save(client, id, { name: 'MEN' });
    expect(await order(client)).toEqual(['1 MEN']);
  });

  test('needs a name that the user has given to no other one, nor everybody has', async () => {
    const { client } = await coordinator();
    expect(await refusalOf(client, { name: '  ' })).toMatchObject({
      errorKey: 'BAD_REQUEST',
      fields: { name: 'A filter needs a name.' },
    });
    expect((await refusalOf(client, { name: 'x'.repeat(101) })).fields).toHaveProperty('name');
    await create(client, 'Élan');
    const { id } = await create(client, 'Other');
    const taken = 'You have a saved filter with this name already.';
    const refused = { status: 409, errorKey: 'NAME_TAKEN', message: taken, fields: { name: taken } };
    expect(await refusalOf(client, { name: 'élan' })).toMatchObject(refused);
    expect(await errorOf(client, `PUT ${PATH}/:id`, { params: { id }, body: { name: 'Élan' } })).toMatchObject(refused);
    expect(await refusalOf(client, { name: 'all patients' })).toMatchObject({ errorKey: 'NAME_TAKEN' });
    expect(await order(client)).toEqual(['1 Élan', '2 Other']);
    await create((await coordinator()).client, 'Élan');
  });

  test.each([
    ['dateOfBirth', { userDefinedFacetPreferences: { dateOfBirth: '1941-02-30' } }],
    ['preferenceMap.gender.0.value', preferences({ gender: [''] })],
    ['preferenceMap.gender.1.value', preferences({ gender: ['Female', 'null'] })],
    ['preferenceMap.age.0.value', preferences({ age: [':'] })],
    ['preferenceMap.age', preferences({ age: ['1:2', '5:6'] })],
    [
      'preferenceMap.eventDate.0.field',
      {
        userDefinedFacetPreferences: { preferenceMap: { eventDate: [{ field: 'toString', value: '0:7' }] } },
      },
    ],
    [
      'preferenceMap.city.0.field',
      {
        userDefinedFacetPreferences: { preferenceMap: { city: [{ field: 'Okonkwo', value: 'Albany' }] } },
      },
    ],
  ] as const)('is refused with a word for the field %s, which does not repeat the value', async (path, over) => {
    const { client } = await coordinator();
    const error = await refusalOf(client, { name: 'Wrong', ...(over as object) });
    expect(error.status).toBe(400);
    expect(Object.keys(error.fields ?? {})).toEqual([`userDefinedFacetPreferences.${path}`]);
    expect(JSON.stringify(error)).not.toMatch(/1941|Okonkwo|Albany|toString/);
    expect(await list(client)).toEqual([]);
  });

  test.each(['\u0000', '\ud800'])('with what is no text (%j) is refused', async (wrong) => {
    const { client } = await coordinator();
    const error = await refusalOf(client, {
      name: `a${wrong}`,
      ignoredPatientIds: [wrong],
      ...preferences({ program: [wrong] }, { query: wrong }),
    });
    expect([error.status, Object.keys(error.fields ?? {}).toSorted()]).toEqual([
      400,
      [
        'ignoredPatientIds',
        'name',
        'userDefinedFacetPreferences.preferenceMap.program.0.value',
        'userDefinedFacetPreferences.query',
      ],
    ]);
  });

  test('finds no room beyond the limit', async () => {
    const { client, user, team } = await coordinator();
    const { id } = await create(client, 'First');
    await rows(
      `insert into saved_filters (user_id, team_id, name, order_num, parameters, created_at, updated_at)
       select $1, $2, 'Filter ' || n, n, '{}', $3, $3 from generate_series(2, $4::int) as n`,
      [user.id, team.id, clock.now(), SAVED_FILTERS_LIMIT],
    );
    const message = 'You have 200 saved filters, and there can be no more. Delete one to save another.';
    expect(await refusalOf(client, { name: 'One more' })).toMatchObject({
      status: 409,
      errorKey: 'TOO_MANY_FILTERS',
      message,
    });
    await remove(client, id);
    expect((await create(client, 'One more')).orderNum).toBe(SAVED_FILTERS_LIMIT);
  });
});

describe('the order', () => {
  test('is that of creation; a moved filter shifts its neighbours by one, and so does a deleted one', async () => {
    const { client } = await coordinator();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await create(client, name)).id);
    const [a = '', b = '', , d = ''] = ids;
    expect((await save(client, b, { name: 'b', orderNum: 4 })).orderNum).toBe(4);
    expect(await order(client)).toEqual(['1 a', '2 c', '3 d', '4 b', '5 e']);
    await save(client, d, { name: 'd', orderNum: 1 });
    expect(await order(client)).toEqual(['1 d', '2 a', '3 c', '4 b', '5 e']);
    await save(client, a, { name: 'a', orderNum: 1000 });
    expect(await order(client)).toEqual(['1 d', '2 c', '3 b', '4 e', '5 a']);
    await remove(client, b);
    expect(await order(client)).toEqual(['1 d', '2 c', '3 e', '4 a']);
    await create(client, 'f', { orderNum: 2 });
    await create(client, 'g', { orderNum: 90 });
    expect(await order(client)).toEqual(['1 d', '2 f', '3 c', '4 e', '5 a', '6 g']);
    expect((await refusalOf(client, { name: 'h', orderNum: 0 })).fields).toHaveProperty('orderNum');
  });
});

describe('a filter of another', () => {
  test('user or team is not there', async () => {
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

  test('user is not to be seen by a statement that forgets to ask for the owner', async () => {
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

  test('is set, replaced, taken away, and goes with its filter', async () => {
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

describe('facets', () => {
  const mapOf = (filter: SavedFilter | undefined) =>
    Object.keys(filter?.userDefinedFacetPreferences.preferenceMap ?? {});

  test('that the user may not filter by are refused', async () => {
    const { client } = await coordinator({ removed: ['canViewCovid19Status'] });
    const error = await refusalOf(client, { name: 'Covid', ...preferences({ covid19: ['ACTIVE'] }) });
    expect(error.fields).toEqual({
      'userDefinedFacetPreferences.preferenceMap.covid19':
        'Your role in this team does not allow to filter by Covid-19.',
    });
  });

  test('that the user may filter by no more are left out and named, stay through changes, and come back', async () => {
    const { client, user } = await coordinator();
    const { id } = await create(client, 'Covid', preferences({ covid19: ['ACTIVE'], gender: ['Male'] }));
    await takeAway(user.id, 'canViewCovid19Status');
    const [filter] = await list(client);
    expect([mapOf(filter), filter?.ignoredFacets]).toEqual([['gender'], ['covid19']]);
    expect(filter?.loggableFilterRepresentation).toBe('gender: 1');
    const changed = await save(client, id, { name: 'Covid, men', ...preferences({ age: ['65:'] }) });
    expect([mapOf(changed), changed.ignoredFacets]).toEqual([['age'], ['covid19']]);
    await rows("update grants set removed = '{}' where user_id = $1", [user.id]);
    const [after] = await list(client);
    expect([mapOf(after), after?.ignoredFacets]).toEqual([['age', 'covid19'], []]);
    expect(after?.userDefinedFacetPreferences.preferenceMap.covid19?.[0]?.value).toBe('ACTIVE');
  });

  test('and sort keys of an older version are left out, facets are named, until the filter is saved anew', async () => {
    const { client } = await coordinator();
    const { id } = await create(client, 'Old', preferences({ gender: ['Male'] }));
    const old = {
      userDefinedFacetPreferences: {
        query: 'oko',
        preferenceMap: {
          gender: [{ field: 'gender', value: 'Male', negated: false }],
          ward: [{ field: 'ward', value: '3 West', negated: false }],
          age: [{ field: 'age', value: 'old', negated: false }],
        },
      },
      sortBy: ['WARD'],
      pageSize: 20,
    };
    await rows('update saved_filters set parameters = $2 where id = $1', [id, JSON.stringify(old)]);
    const [filter] = await list(client);
    expect([mapOf(filter), filter?.ignoredFacets]).toEqual([['gender'], ['age', 'ward']]);
    expect(filter).toMatchObject({ sortBy: [], pageSize: 20, query: 'oko' });
    expect(await save(client, id, filter as SavedFilter)).toEqual({ ...filter, ignoredFacets: [] });
  });
});

describe('the preview', () => {
  const preview = (client: Client, body: object) => client.call(`POST ${PATH}/preview`, { body });

  test('counts the pings of thirty days in the groups of the actor that were asked for', async () => {
    const { id: organizationId } = await make.organization();
    const [a, b] = [await make.group({ organizationId }), await make.group({ organizationId })];
    const foreign = await make.group();
    const team = await make.team({ organizationId, groupIds: [a.id, b.id] });
    const client = await signIn(app, (await make.user({ team })).username);
    asked.length = 0;
    const answer = { days: 30, pings: 12, patients: 7 };
    expect(await preview(client, preferences({ gender: ['Male'] }))).toEqual(answer);
    expect(await preview(client, { visibleTo: [b.id, foreign.id] })).toEqual(answer);
    expect(asked.map(({ parameters }) => parameters.visibleTo?.toSorted())).toEqual([[a.id, b.id].toSorted(), [b.id]]);
    expect(asked[0]?.parameters.userDefinedFacetPreferences.preferenceMap.gender).toHaveLength(1);
    expect(asked.map(({ createdSince }) => createdSince.toISOString())).toEqual(
      Array(2).fill('2026-10-21T15:00:00.000Z'),
    );
    expect(await preview(client, { visibleTo: [foreign.id] })).toEqual({ days: 30, pings: 0, patients: 0 });
    expect(asked).toHaveLength(2);
  });

  test('leaves out groups whose pings the actor may not see, and facets are checked as when a filter is saved', async () => {
    const { id: organizationId } = await make.organization();
    const [a, b] = [await make.group({ organizationId }), await make.group({ organizationId })];
    const team = await make.team({ organizationId, groupIds: [a.id, b.id] });
    const user = await make.user({ team, removed: ['canViewCovid19Status'] });
    await rows("update grants set removed = removed || '{canViewPings}' where user_id = $1 and group_id = $2", [
      user.id,
      b.id,
    ]);
    const client = await signIn(app, user.username);
    asked.length = 0;
    await preview(client, {});
    expect(asked[0]?.parameters.visibleTo).toEqual([a.id]);
    const body = preferences({ covid19: ['ACTIVE'] });
    expect(await errorOf(client, `POST ${PATH}/preview`, { body })).toMatchObject({ errorKey: 'BAD_REQUEST' });
    expect(asked).toHaveLength(1);
  });
});

test('what is typed into a filter reaches no log and no audit entry, which names ids', async () => {
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
  const entries = await rows(
    'select action, subject, subject_id, team_id, detail from audit_entries where user_id = $1 and subject = $2 order by id',
    [user.id, 'saved-filter'],
  );
  const about = { subject: 'saved-filter', subject_id: id, team_id: team.id, detail: {} };
  expect(entries).toEqual([
    { ...about, action: 'saved-filter.create' },
    { ...about, action: 'saved-filter.change' },
    { ...about, action: 'saved-filter.default', detail: { moduleName: 'EXPORTS' } },
    { ...about, action: 'saved-filter.no-default', subject_id: null, detail: { moduleName: 'EXPORTS' } },
    { ...about, action: 'saved-filter.delete' },
  ]);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.join('')).not.toMatch(/qwxyz|vera|1911|zanzibar/i);
});

test('the list of filters says when each was last used and how many rows it finds; of others nothing', async () => {
  const { client, team } = await coordinator();
  const other = await signIn(app, (await make.user({ team })).username);
  const used = await create(client, 'Here now', {
    userDefinedFacetPreferences: { openPatientsOnly: true },
  });
  const unused = await create(client, 'Everybody');
  const use = (by: Client) => by.call(`POST ${PATH}/:id/uses`, { params: { id: used.id } });
  await use(client);
  expect(await client.call(`GET ${PATH}/uses`, {})).toEqual([
    { filterId: used.id, lastUsedAt: clock.now().toISOString(), count: 5 },
    { filterId: unused.id, lastUsedAt: null, count: null },
  ]);
  expect(await other.call(`GET ${PATH}/uses`, {})).toEqual([]);
  expect(await errorOf(other, `POST ${PATH}/:id/uses`, { params: { id: used.id } })).toMatchObject(NOT_FOUND);
});

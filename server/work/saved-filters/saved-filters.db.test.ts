import { describe, expect, test } from 'vitest';
import { SAVED_FILTERS_LIMIT, type SavedFilterFields } from '#contract/saved-filters.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import {
  create,
  list,
  NOT_FOUND,
  order,
  PATH,
  preferences,
  refusalOf,
  remove,
  save,
  startSavedFilterApp,
} from '#server/testing/saved-filters.ts';

const { app, coordinator, rows } = await startSavedFilterApp();
const { make, clock } = app;

describe('a saved filter', () => {
  test('is returned as it was saved, with derived fields', async () => {
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
      isShared: false,
      mayChange: true,
      owner: { name: expect.any(String), isYou: true, isOnTeam: true },
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
        'not diagnoses: 1, diagnoses: 1, eventDate (eventDaysAgo): 1, text, birth date, current stays only',
    });
    expect(await list(client)).toEqual([filter]);
    expect(await save(client, filter.id, filter)).toEqual(filter);
  });

  test('defaults to the first page of ten, without filters', async () => {
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

  test('needs a name that no other filter of the user and no built-in filter has', async () => {
    const { client } = await coordinator();
    expect(await refusalOf(client, { name: '  ' })).toMatchObject({
      errorKey: 'BAD_REQUEST',
      fields: { name: 'Enter a name for the filter.' },
    });
    expect((await refusalOf(client, { name: 'x'.repeat(101) })).fields).toHaveProperty('name');
    await create(client, 'Élan');
    const { id } = await create(client, 'Other');
    const taken = 'You already have a saved filter with this name.';
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
  ] as const)('is refused with a message for the field %s that does not repeat the value', async (path, over) => {
    const { client } = await coordinator();
    const error = await refusalOf(client, { name: 'Wrong', ...(over as object) });
    expect(error.status).toBe(400);
    expect(Object.keys(error.fields ?? {})).toEqual([`userDefinedFacetPreferences.${path}`]);
    expect(JSON.stringify(error)).not.toMatch(/1941|Okonkwo|Albany|toString/);
    expect(await list(client)).toEqual([]);
  });

  test.each(['\u0000', '\ud800'])('with an unreadable character (%j) is refused', async (wrong) => {
    const { client } = await coordinator();
    const error = await refusalOf(client, {
      name: `a${wrong}`,
      ignoredPatientIds: [wrong],
      ...preferences({ program: [wrong] }, { query: wrong }),
    });
    // The first one that is found: the check runs before the schema.
    expect([error.status, Object.keys(error.fields ?? {})]).toEqual([400, ['name']]);
  });

  test('is refused beyond the limit', async () => {
    const { client, user, team } = await coordinator();
    const { id } = await create(client, 'First');
    await rows(
      `insert into saved_filters (user_id, team_id, name, order_num, parameters, created_at, updated_at)
       select $1, $2, 'Filter ' || n, n, '{}', $3, $3 from generate_series(2, $4::int) as n`,
      [user.id, team.id, clock.now(), SAVED_FILTERS_LIMIT],
    );
    const message = 'You have 200 saved filters, which is the limit. Delete one to save another.';
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
  test('is that of creation; moving or deleting a filter shifts its neighbors by one', async () => {
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

test('the list of filters shows when each was last used and how many rows it finds, only for the user’s own', async () => {
  const { client, team } = await coordinator();
  const other = await signIn(app, (await make.user({ team })).username);
  const used = await create(client, 'Here now', {
    userDefinedFacetPreferences: { openPatientsOnly: true },
  });
  const unused = await create(client, 'Everybody');
  const use = (by: Client) => by.call(`POST ${PATH}/:id/uses`, { params: { id: used.id } });
  await use(client);
  expect(await client.call(`GET ${PATH}/uses`, {})).toEqual([
    { filterId: used.id, lastUsedAt: clock.now().toISOString(), count: 5, colleagues: 0 },
    { filterId: unused.id, lastUsedAt: null, count: null, colleagues: 0 },
  ]);
  expect(await other.call(`GET ${PATH}/uses`, {})).toEqual([]);
  expect(await errorOf(other, `POST ${PATH}/:id/uses`, { params: { id: used.id } })).toMatchObject(NOT_FOUND);
});

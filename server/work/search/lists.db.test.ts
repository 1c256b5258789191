/** Rows and order of lists over HTTP. */
import { expect, test } from 'vitest';
import type { SearchContext, SearchParametersInput, SortKey } from '#contract/search.ts';
import { signIn } from '#server/testing/app.ts';
import { filtering, names, patients, startSearchApp } from '#server/testing/search.ts';

const { app, make, ago, teamOf, addPerson } = await startSearchApp();

test('a list has one row per person with the latest visit, leaves out those who left, and counts each facet', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  const hospital = await make.group({ type: 'HOS', name: 'Mercy General', state: 'NY' });
  await addPerson(groupId, {
    first: 'Ada',
    admitted: 2,
    facility: hospital.id,
    columns: { programs: ['Lantern', 'Harbor'] },
  });
  await addPerson(groupId, { first: 'Bo', columns: { programs: ['Lantern'] } });
  await addPerson(groupId, { first: 'Cy', columns: { left_at: ago(1), programs: ['Harbor'] } });
  const found = await patients(client, { sortBy: ['FIRST_NAME'] });
  expect(found.patients.map(({ firstName }) => firstName)).toEqual(['Ada', 'Bo']);
  expect(found.patients[0]?.currentPingEncounter?.admittingFacility.name).toBe('Mercy General');
  expect([found.total, found.numPages]).toEqual([2, 1]);
  expect(found.facets.program).toEqual({
    distinct: 2,
    options: [
      { value: 'Lantern', label: 'Lantern', count: 2, field: 'program', typeaheadEnabled: true },
      { value: 'Harbor', label: 'Harbor', count: 1, field: 'program', typeaheadEnabled: true },
    ],
  });
  expect(found.facets.currentStatus?.options).toMatchObject([{ value: 'ADMIT', label: 'Admitted', count: 1 }]);
  expect(found.facets.facilityType?.options).toMatchObject([{ value: 'HOS', label: 'Hospital', count: 1 }]);
  expect(found.facets.managementStatus).toBeUndefined();
  expect(await client.call('GET /api/patients/count', {})).toEqual({ count: 2 });
});

test('a search of patients returns the rows of its context, with the permission of that list', async () => {
  const { groupIds, team, client } = await teamOf();
  const [groupId] = groupIds;
  const { encounter } = await addPerson(groupId, { first: 'Ada', admitted: 5 });
  await make.event({ encounterId: encounter?.id ?? '', code: 'DISCHARGE', at: ago(1) });
  await addPerson(groupId, { first: 'Bo' });
  const found = (searchContext: SearchContext, by = client) => names(by, { searchContext, sortBy: ['FIRST_NAME'] });
  expect(await found('ALL')).toEqual(['Ada', 'Bo']);
  expect(await found('PINGS')).toEqual(['Ada']);
  expect(await found('EVENTS')).toEqual(['Ada', 'Ada']);
  const { username } = await make.user({ team, role: 'viewer', removed: ['canViewPings'] });
  const reader = await signIn(app, username);
  expect(await found('ALL', reader)).toEqual(['Ada', 'Bo']);
  for (const context of ['PINGS', 'EVENTS'] as const)
    await expect(found(context, reader)).rejects.toMatchObject({ body: { errorKey: 'NOT_PERMITTED' } });
});

test('the status of a row is its newest event that is not retracted, like the facet, even without a ping', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  const ada = await addPerson(groupId, { first: 'Ada', admitted: 5, facility: groupId });
  const untold = async (code: 'TRANSFER' | 'DISCHARGE', days: number, state: 'ACTIVE' | 'CANCELLED' = 'ACTIVE') =>
    make.event({ encounterId: ada.encounter?.id as string, code, at: ago(days), state });
  await untold('TRANSFER', 3);
  await untold('DISCHARGE', 1, 'CANCELLED');
  const { patients: rows, facets } = await patients(client, filtering({ currentStatus: 'TRANSFER' }));
  expect(rows.map(({ firstName, currentPing }) => [firstName, currentPing?.status])).toEqual([['Ada', 'TRANSFER']]);
  expect(facets.currentStatus?.options).toMatchObject([{ value: 'TRANSFER', count: 1 }]);
});

test('a parameter that is null is not set, in searches, saved filters and what is asked about a list', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada', admitted: 2, facility: groupIds[0] });
  const preferences = { query: null, dateOfBirth: null, preferenceMap: { program: null }, openPatientsOnly: null };
  const unset = {
    name: null,
    visibleTo: null,
    ignoredPatientIds: null,
    canSaveStoredFilters: null,
    termFacetSizeOverride: null,
    searchContext: null,
    sortBy: null,
    sortOrder: null,
    pageNumber: null,
    pageSize: null,
    userDefinedFacetPreferences: preferences,
  };
  const post = async (path: string, body: object) => {
    const answer = await client.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [answer.status, (await answer.json()) as Record<string, unknown>] as const;
  };
  for (const body of [unset, { ...unset, userDefinedFacetPreferences: null }])
    for (const [path, total] of [
      ['/api/patients/search', 1],
      ['/api/pings', 1],
      ['/api/events/search', 1],
    ] as const)
      expect(await post(path, body)).toMatchObject([200, { total }]);
  const asked = { parameters: unset, facet: 'age', ranges: ['0:120'] };
  expect((await post('/api/patients/range-counts', asked))[0]).toBe(200);
  expect(await post('/api/patient-search-params', { ...unset, name: 'All of them' })).toMatchObject([
    200,
    { visibleTo: [], pageSize: 10 },
  ]);
  expect(await post('/api/patient-search-params', unset)).toMatchObject([
    400,
    { fields: { name: expect.any(String) } },
  ]);
  expect((await post('/api/patients/search', { sortBy: [null] }))[0]).toBe(400);
});

test('a sort key comes alone or in a list, and relevance is the empty key', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Bo', last: 'Lind' });
  await addPerson(groupIds[0], { first: 'Ada', last: 'Lindqvist' });
  expect(await names(client, { sortBy: 'FIRST_NAME' })).toEqual(['Ada', 'Bo']);
  expect(await names(client, { sortBy: ['FIRST_NAME'], sortOrder: 'DESC' })).toEqual(['Bo', 'Ada']);
  const typed = filtering({}, { query: 'lind' });
  for (const sortOrder of ['ASC', 'DESC'] as const)
    expect(await names(client, { ...typed, sortBy: '', sortOrder })).toEqual(['Bo', 'Ada']);
});

test('lists sort by every key, in its default direction unless another is requested', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  await addPerson(groupId, { first: 'Bo', last: 'Adler', admitted: 9, columns: { programs: ['a', 'b'] } });
  await addPerson(groupId, { first: 'Ada', last: 'Clay', admitted: 30, discharged: 2, columns: { practices: ['a'] } });
  await addPerson(groupId, { first: 'Cy', last: 'Birch', admitted: 20 });
  await addPerson(groupId, { first: 'Di', last: 'Dunn' });
  const by = (...sortBy: SortKey[]) => names(client, { sortBy });
  expect(await by()).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
  expect(await by('LAST_NAME')).toEqual(['Bo', 'Cy', 'Ada', 'Di']);
  expect(await names(client, { sortBy: ['LAST_NAME'], sortOrder: 'DESC' })).toEqual(['Di', 'Ada', 'Cy', 'Bo']);
  expect(await by('VISIT_DURATION')).toEqual(['Bo', 'Cy', 'Ada', 'Di']);
  expect(await by('LENGTH_OF_STAY')).toEqual(['Ada', 'Cy', 'Bo', 'Di']);
  expect((await names(client, { sortBy: ['NUMBER_OF_PROGRAMS'], sortOrder: 'DESC' }))[0]).toBe('Bo');
  expect((await by('NUMBER_OF_PRACTICES')).at(-1)).toBe('Ada');
  expect((await by('NUMBER_OF_OUTSIDE_ENCOUNTERS'))[0]).toBe('Di');
  const pages = [1, 2, 3].map((pageNumber) => names(client, { sortBy: ['LAST_NAME'], pageSize: 2, pageNumber }));
  expect(await Promise.all(pages)).toEqual([['Bo', 'Cy'], ['Ada', 'Di'], []]);
});

test('stays sort by the duration and length that their rows show, open and finished ones together', async () => {
  const { groupIds, client } = await teamOf();
  const hour = 1 / 24;
  const stays = [
    [0.5 * hour],
    [3 * hour],
    [3 + 2 * hour, 3],
    [2 + 5 * hour, 2],
    [40 * hour],
    [50 * hour],
    [71 * hour],
    [74 * hour],
    [5 + 49 * hour, 5],
    [30 + 71 * hour, 30],
    [9],
    [40, 9],
  ] as const;
  for (const [admitted, discharged] of stays) {
    await addPerson(groupIds[0], { admitted, ...(discharged === undefined ? {} : { discharged }) });
  }
  const shown = async (sortBy: SortKey, sortOrder: 'ASC' | 'DESC') => {
    const { patients: rows } = await patients(client, { sortBy: [sortBy], sortOrder, pageSize: 20 });
    return rows.map(({ currentPingEncounter: stay }) => ({
      days: stay?.lengthOfStay,
      minutes: minutesOf(stay?.visitDuration ?? ''),
    }));
  };
  for (const sortOrder of ['ASC', 'DESC'] as const) {
    const sign = sortOrder === 'ASC' ? 1 : -1;
    const inOrder = (values: unknown[]) => (values as number[]).toSorted((a, b) => sign * (a - b));
    const durations = (await shown('VISIT_DURATION', sortOrder)).map(({ minutes }) => minutes);
    expect(durations).toEqual(inOrder(durations));
    const lengths = (await shown('LENGTH_OF_STAY', sortOrder)).map(({ days }) => days);
    expect(lengths).toEqual(inOrder(lengths));
  }
});

test('the open stay of someone who died is no current stay, and sorts by its length at the death, as its row shows', async () => {
  const { groupIds, client } = await teamOf();
  const hour = 1 / 24;
  const died = async (first: string, admitted: number, at: number, precision: 'minute' | 'day' = 'minute') => {
    const { encounter } = await addPerson(groupIds[0], { first, admitted });
    const of = { encounterId: encounter?.id as string, code: 'DECEASED' as const, at: ago(at) };
    await make.event({ ...of, event_precision: precision });
  };
  await addPerson(groupIds[0], { first: 'Ada', admitted: 3 * hour });
  await died('Bo', 47 * hour, 46 * hour);
  await addPerson(groupIds[0], { first: 'Cy', admitted: 20 * hour });
  await died('Di', 30, 20);
  await addPerson(groupIds[0], { first: 'Ed', admitted: 15 });
  // A date counts to the end of its day. Now it is 10 a.m. at the facility.
  await died('Flo', 47 * hour, 34 * hour, 'day');
  const { patients: rows } = await patients(client, { sortBy: ['VISIT_DURATION'], sortOrder: 'ASC' });
  expect(rows.map((row) => [row.firstName, row.currentPingEncounter?.visitDuration])).toEqual([
    ['Bo', '1 hour'],
    ['Ada', '3 hours'],
    ['Cy', '20 hours'],
    ['Flo', '36 hours'],
    ['Di', '10 days'],
    ['Ed', '15 days'],
  ]);
  expect((await names(client, filtering({}, { openPatientsOnly: true }))).toSorted()).toEqual(['Ada', 'Cy', 'Ed']);
});

/** Returns what '3 hours' shows, in minutes. */
function minutesOf(duration: string): number {
  const [, count, unit = ''] = /^(\d+) (minute|hour|day)/.exec(duration) ?? [];
  return Number(count) * ({ minute: 1, hour: 60, day: 1440 }[unit] ?? Number.NaN);
}

test('patients who have left are in no room, and come after all who are in one', async () => {
  const { groupIds, client } = await teamOf();
  const inRoom = async (first: string, room: string | null, discharged?: number) => {
    const location = { pointOfCare: '3W', room, bed: 'A', facility: null };
    const { encounter } = await addPerson(groupIds[0], { first, admitted: 3, ...(discharged ? { discharged } : {}) });
    await app.database.pipeline.query(
      `update encounters set state = jsonb_set(state, '{location}', $2::jsonb) where id = $1`,
      [encounter?.id, JSON.stringify(location)],
    );
  };
  await inRoom('Ada', '110', 1);
  await inRoom('Bo', '120');
  await inRoom('Cy', '105');
  expect(await names(client, { sortBy: ['ROOM_AND_BED'] })).toEqual(['Cy', 'Bo', 'Ada']);
  expect(await names(client, { sortBy: ['ROOM_AND_BED'], sortOrder: 'DESC' })).toEqual(['Bo', 'Cy', 'Ada']);
});

test('lists can be limited to some groups and leave out some patients', async () => {
  const { groupIds, client } = await teamOf(2);
  const [a, b] = groupIds as [string, string];
  const ada = await addPerson(a, { first: 'Ada', admitted: 1 });
  await addPerson(b, { first: 'Bo', admitted: 2 });
  expect(await names(client, { visibleTo: [a] })).toEqual(['Ada']);
  expect(await names(client, { visibleTo: [(await make.group()).id] })).toEqual([]);
  const without: SearchParametersInput = { ignoredPatientIds: [`${ada.listing.id}_0`] };
  expect(await names(client, without)).toEqual(['Bo']);
  const others = [
    await client.call('POST /api/pings', { body: without }),
    await client.call('POST /api/events/search', { body: without }),
  ];
  expect(others.map((list) => list.patients.map(({ firstName }) => firstName))).toEqual([['Bo'], ['Bo']]);
});

test('events are rows of their own, with or without pings', async () => {
  const { groupIds, client } = await teamOf();
  const ada = await addPerson(groupIds[0], { first: 'Ada', admitted: 4 });
  const transfer = await make.event({ encounterId: ada.encounter?.id ?? '', code: 'TRANSFER', at: ago(1) });
  const { patients: rows, total, facets } = await client.call('POST /api/events/search', { body: {} });
  expect(total).toBe(2);
  expect(rows.map(({ currentPing }) => [currentPing?.status, currentPing?.eventIdentifier])).toEqual([
    ['TRANSFER', transfer.id],
    ['ADMIT', ada.event?.id],
  ]);
  expect(facets.currentStatus?.options.map(({ value }) => value)).toEqual(['ADMIT', 'TRANSFER']);
  expect(facets.managementStatus?.options).toMatchObject([{ value: 'NEW', count: 1 }]);
});

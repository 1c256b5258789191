/** Lists, filters and typeahead as a browser asks for them. All people are invented. */
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import type { Facet, SearchContext } from '#contract/facets.ts';
import type { Permission, StandardRole } from '#contract/permissions.ts';
import type { SearchParametersInput, SortKey } from '#contract/search.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { momentOf } from '#server/testing/factories.ts';

const app = await startApp();
const { make, clock } = app;
const DAY = 86_400_000;
const ago = (days: number) => new Date(clock.now().getTime() - days * DAY);

async function teamOf(groups = 1, role: StandardRole = 'administrator') {
  const { id: organizationId } = await make.organization();
  const groupIds: string[] = [];
  for (let n = 0; n < groups; n += 1) groupIds.push((await make.group({ organizationId })).id);
  const team = await make.team({ organizationId, groupIds });
  const { username } = await make.user({ team, role });
  return { groupIds: groupIds as [string, ...string[]], team, username, client: await signIn(app, username) };
}

interface Person {
  first?: string;
  last?: string;
  born?: string;
  columns?: Record<string, unknown>;
  /** Days ago. */
  admitted?: number;
  discharged?: number;
  /** Days from the admission. */
  expected?: number;
  facility?: string;
  diagnosis?: { code: string; description: string };
  status?: 'NEW' | 'RESOLVED';
}

async function addPerson(groupId: string, of: Person = {}) {
  const { first = 'Ada', last = 'Kestrel', born = '1941-03-14', admitted, discharged, facility } = of;
  const { id: personId } = await make.person();
  const names = { first_name: first, last_name: last, sort_first: first.toLowerCase(), sort_last: last.toLowerCase() };
  const listing = await make.rosterPatient({ groupId, personId, ...names, date_of_birth: born, ...of.columns });
  if (admitted === undefined) return { personId, listing };
  const visit = {
    admittedAt: momentOf(ago(admitted)),
    estimatedDays: of.expected ?? null,
    diagnoses: of.diagnosis ? [{ ...of.diagnosis, type: 'F' as const, priority: 1, codeSystem: 'I10' }] : [],
    ...(discharged === undefined ? {} : { status: 'FINISHED' as const, dischargedAt: momentOf(ago(discharged)) }),
  };
  const encounter = await make.encounter({ ...(facility ? { groupId: facility } : {}), personId, visit });
  const event = await make.event({
    encounterId: encounter.id,
    code: discharged === undefined ? 'ADMIT' : 'DISCHARGE',
    at: ago(discharged ?? admitted),
  });
  const ping = await make.ping({
    groupId,
    encounter,
    eventId: event.id,
    rosterPatientId: listing.id,
    event_at: event.at,
    status: of.status ?? 'NEW',
  });
  return { personId, listing, encounter, event, ping };
}

type Filters = Partial<Record<Facet, string | string[]>>;
/** '!' before a value negates it; 'field=' before it names another field than the facet. */
function filtering(filters: Filters, over: Record<string, unknown> = {}): SearchParametersInput {
  const filterOf = (facet: string, text: string) => {
    const [, not, field = facet, value = ''] = /^(!?)(?:(\w+)=)?(.*)$/.exec(text) ?? [];
    return { field, value, negated: not === '!' };
  };
  const preferenceMap = Object.fromEntries(
    Object.entries(filters).map(([facet, values]) => [facet, [values].flat().map((value) => filterOf(facet, value))]),
  );
  return { userDefinedFacetPreferences: { preferenceMap, ...over } };
}
const patients = (client: Client, body: SearchParametersInput = {}) =>
  client.call('POST /api/patients/search', { body });
const names = async (client: Client, body: SearchParametersInput = {}) =>
  (await patients(client, body)).patients.map(({ firstName }) => firstName);
const sorted = async (list: Promise<string[]>) => (await list).toSorted((a, b) => a.localeCompare(b));

test('a list has one row a person with the latest visit, not those who left, and counts each facet', async () => {
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

test('the status of a row is its newest event that stands, as the facet counts it, also where no ping told of it', async () => {
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

test('OR within a facet, AND between facets, none of the negated; a facet is counted without its own filter', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  await addPerson(groupId, { first: 'Ada', columns: { programs: ['Lantern'], gender: 'Female' } });
  await addPerson(groupId, { first: 'Bo', columns: { programs: ['Harbor'], gender: 'Male' } });
  await addPerson(groupId, { first: 'Cy', columns: { programs: ['Lantern', 'Harbor'], gender: 'Male' } });
  await addPerson(groupId, { first: 'Di', columns: { programs: [], gender: 'Female' } });
  expect(await sorted(names(client, filtering({ program: ['Lantern', 'Harbor'] })))).toEqual(['Ada', 'Bo', 'Cy']);
  expect(await sorted(names(client, filtering({ program: ['Lantern', 'Harbor'], gender: 'Male' })))).toEqual([
    'Bo',
    'Cy',
  ]);
  expect(await sorted(names(client, filtering({ program: '!Harbor' })))).toEqual(['Ada', 'Di']);
  expect(await sorted(names(client, filtering({ program: ['Lantern', '!Harbor'] })))).toEqual(['Ada']);
  const { facets } = await patients(client, filtering({ program: ['Lantern', 'Nobody has it'], gender: 'Male' }));
  const counts = (facet: Facet) =>
    Object.fromEntries((facets[facet]?.options ?? []).map(({ value, count }) => [value, count]));
  expect(counts('program')).toEqual({ Harbor: 2, Lantern: 1, 'Nobody has it': 0 });
  expect(counts('gender')).toEqual({ Female: 1, Male: 1 });
  const few = await patients(client, { termFacetSizeOverride: 1 });
  expect(few.facets.program).toMatchObject({ distinct: 2, options: [{ count: 2 }] });
  expect((await patients(client, { termFacetSizeOverride: 0 })).facets).toEqual({});
});

test('ranges are of ages, days of stay, days and weekdays ago, and dates', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  // Today is Friday, 20 November 2026.
  await addPerson(groupId, { first: 'Ada', born: '1946-11-20', admitted: 3 });
  await addPerson(groupId, { first: 'Bo', born: '1946-11-21', admitted: 10, discharged: 7 });
  await addPerson(groupId, { first: 'Cy', born: '1966-01-01', admitted: 40, discharged: 31 });
  const found = (filters: Filters, over = {}) => sorted(names(client, filtering(filters, over)));
  expect(await found({ age: '80:' })).toEqual(['Ada']);
  expect(await found({ age: ':79' })).toEqual(['Bo', 'Cy']);
  expect(await found({ age: '!79:79' })).toEqual(['Ada', 'Cy']);
  expect(await found({ visitDuration: '3:3' })).toEqual(['Ada', 'Bo']);
  expect(await found({ lengthOfStay: '0:8' }, { openPatientsOnly: true })).toEqual(['Ada']);
  expect(await found({ lengthOfStay: '0:8', visitDuration: '3:3' }, { openPatientsOnly: true })).toEqual(['Ada']);
  expect(await found({ eventDate: 'eventDaysAgo=0:7' })).toEqual(['Ada', 'Bo']);
  expect(await found({ eventDate: 'eventWeekdaysAgo=4:5' })).toEqual(['Bo']);
  expect(await found({ eventDate: 'eventDate=2026-11-13:2026-11-13' })).toEqual(['Bo']);
  expect(await found({ dischargedDaysAgo: '0:30' })).toEqual(['Bo']);
  expect(await found({}, { dateOfBirth: '11/21/1946' })).toEqual(['Bo']);
});

test('a sort key comes alone or in a list, and relevance is the empty one', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Bo', last: 'Lind' });
  await addPerson(groupIds[0], { first: 'Ada', last: 'Lindqvist' });
  expect(await names(client, { sortBy: 'FIRST_NAME' })).toEqual(['Ada', 'Bo']);
  expect(await names(client, { sortBy: ['FIRST_NAME'], sortOrder: 'DESC' })).toEqual(['Bo', 'Ada']);
  const typed = filtering({}, { query: 'lind' });
  for (const sortOrder of ['ASC', 'DESC'] as const)
    expect(await names(client, { ...typed, sortBy: '', sortOrder })).toEqual(['Bo', 'Ada']);
});

test('patients are counted in each of some ranges, in the place of the list’s own range', async () => {
  const { groupIds, client } = await teamOf();
  for (const [first, admitted] of [
    ['Ada', 3],
    ['Bo', 12],
    ['Di', 130],
  ] as const)
    await addPerson(groupIds[0], { first, admitted });
  const { listing } = await addPerson(groupIds[0], { first: 'Cy', admitted: 14 });
  await addPerson(groupIds[0], { first: 'Ed', admitted: 20, discharged: 8 });
  const parameters = filtering({ lengthOfStay: '0:5' }, { openPatientsOnly: true });
  const body = { parameters, facet: 'lengthOfStay' as const, ranges: ['0:9', '10:19', '20:100', '101:'] };
  expect(await client.call('POST /api/patients/range-counts', { body })).toEqual({
    counts: [1, 2, 0, 1],
    expected: { stays: 0, medianDays: null },
  });
  const byDuration = { body: { ...body, facet: 'visitDuration' as const } };
  expect((await client.call('POST /api/patients/range-counts', byDuration)).expected).toBeNull();
  const ignoring = { ...parameters, ignoredPatientIds: [`${listing.id}_0`] };
  const withoutOne = await client.call('POST /api/patients/range-counts', { body: { ...body, parameters: ignoring } });
  expect(withoutOne.counts).toEqual([1, 1, 0, 1]);
  const wrong = { body: { ...body, ranges: ['9:0'] } };
  expect(await errorOf(client, 'POST /api/patients/range-counts', wrong)).toMatchObject({
    status: 400,
    fields: { lengthOfStay: expect.any(String) },
  });
});

test('stays are found and counted by what was expected of them, and their median expectation is told', async () => {
  const { groupIds, client } = await teamOf();
  for (const [first, admitted, expected] of [
    ['Ada', 10, 9],
    ['Bo', 10, 10],
    ['Cy', 10, 30],
    ['Di', 10, 4],
    ['Ed', 10, undefined],
  ] as const)
    await addPerson(groupIds[0], { first, admitted, ...(expected === undefined ? {} : { expected }) });
  await addPerson(groupIds[0], { first: 'Flo', admitted: 20, discharged: 15, expected: 4 });
  await addPerson(groupIds[0], { first: 'Gus' });
  const found = (value: string | string[], open = false) =>
    sorted(names(client, filtering({ expectedStay: value }, { openPatientsOnly: open })));
  expect(await found('OVER')).toEqual(['Ada', 'Di', 'Flo']);
  expect(await found('OVER', true)).toEqual(['Ada', 'Di']);
  expect(await found('WITHIN')).toEqual(['Bo', 'Cy']);
  expect(await found('NO_BENCHMARK')).toEqual(['Ed']);
  expect(await found(['!OVER', '!NO_BENCHMARK'])).toEqual(['Bo', 'Cy', 'Gus']);
  const { patients: rows, facets } = await patients(client, filtering({ expectedStay: 'OVER' }));
  expect(facets.expectedStay?.options).toMatchObject([
    { value: 'OVER', label: 'Over expected', count: 3 },
    { value: 'WITHIN', label: 'Within expected', count: 2 },
    { value: 'NO_BENCHMARK', label: 'No expected stay', count: 1 },
  ]);
  const ada = rows.find(({ firstName }) => firstName === 'Ada')?.currentPingEncounter;
  expect(ada).toMatchObject({
    lengthOfStay: 10,
    expectedLengthOfStay: 9,
    expectedDischargeDate: ago(1).toISOString().slice(0, 10),
  });
  const parameters = filtering({ lengthOfStay: '0:100' }, { openPatientsOnly: true });
  const body = { parameters, facet: 'lengthOfStay' as const, ranges: ['0:9', '10:100'] };
  expect(await client.call('POST /api/patients/range-counts', { body })).toEqual({
    counts: [0, 5],
    expected: { stays: 4, medianDays: 9 },
  });
});

test('a page of patients is told who has a namesake in the lists of the team, on the page or not', async () => {
  const { groupIds, client } = await teamOf(2);
  const elsewhere = await make.group();
  const idOf = async (groupId: string, person: Person) => `${(await addPerson(groupId, person)).listing.id}_0`;
  const jon = await idOf(groupIds[0], { first: 'Jon', last: 'Osterman', born: '1950-02-03' });
  const alone = await idOf(groupIds[0], { first: 'Mira', last: 'Ostby', born: '1950-02-03' });
  await idOf(groupIds[1] as string, { first: 'John', last: 'Ostermann', born: '1950-08-03' });
  await idOf(elsewhere.id, { first: 'Myra', last: 'Ostby', born: '1950-02-03' });
  await idOf(groupIds[0], { first: 'Mirah', last: 'Ostby', born: '1950-02-04', columns: { left_at: ago(3) } });
  const other = await idOf(elsewhere.id, { first: 'Jon', last: 'Osterman', born: '1950-02-03' });
  const body = { patientIds: [alone, jon, other] };
  expect(await client.call('POST /api/patients/similar-names', { body })).toEqual({ patientIds: [jon] });
});

test('namesakes are found by the sound of the family name, whatever their birth dates, in the list and on the page of the patient', async () => {
  const { groupIds, client } = await teamOf();
  const idOf = async (person: Person) => `${(await addPerson(groupIds[0], person)).listing.id}_0`;
  const jon = await idOf({ first: 'Jon', last: 'Smith', born: '1950-02-03' });
  const john = await idOf({ first: 'John', last: 'Smyth', born: '1962-11-20' });
  const joanna = await idOf({ first: 'Joanna', last: 'Schmidt', born: '1950-02-04' });
  const tim = await idOf({ first: 'Tim', last: 'Smith', born: '1971-07-08' });
  const unborn = await idOf({ first: 'Jo', last: 'Smithe', columns: { date_of_birth: null } });
  const umlaut = await idOf({ first: 'Jørn', last: 'Smïth', born: '1933-05-06' });
  const body = { patientIds: [tim, jon, john, joanna, unborn, umlaut] };
  const { patientIds } = await client.call('POST /api/patients/similar-names', { body });
  expect(patientIds).toEqual([jon, john, joanna, unborn, umlaut]);
  const { similarPatients } = await client.call('GET /api/patients/:id', { params: { id: jon } });
  expect(similarPatients.map(({ id }) => id)[0]).toBe(joanna);
  expect(similarPatients.map(({ id }) => id).toSorted()).toEqual([john, joanna, unborn, umlaut].toSorted());
});

test('who sees pings alone is warned of namesakes too, in the groups where he or she does', async () => {
  const { groupIds, team } = await teamOf(2);
  const [first, second = ''] = groupIds;
  const { username, id } = await make.user({ team, role: 'clinician' });
  await app.database.pipeline.query(sql`update grants set removed = '{canViewPatients}' where user_id = ${id}`);
  await app.database.pipeline.query(
    sql`update grants set removed = '{canViewPatients,canViewPings}' where user_id = ${id} and group_id = ${second}`,
  );
  const client = await signIn(app, username);
  const jon = `${(await addPerson(first, { first: 'Jon', last: 'Smith' })).listing.id}_0`;
  const mira = `${(await addPerson(first, { first: 'Mira', last: 'Ostby' })).listing.id}_0`;
  await addPerson(first, { first: 'John', last: 'Smyth' });
  await addPerson(second, { first: 'Myra', last: 'Ostby' });
  const body = { patientIds: [mira, jon] };
  expect(await client.call('POST /api/patients/similar-names', { body })).toEqual({ patientIds: [jon] });
});

test('what is wrong in a filter is said, and what one may not filter by is refused and not counted', async () => {
  const { groupIds, client, team } = await teamOf();
  await addPerson(groupIds[0], { columns: { tags: ['Diabetes'], city: 'Fairhaven' } });
  const wrong = (filters: Filters, over = {}) =>
    errorOf(client, 'POST /api/patients/search', { body: filtering(filters, over) });
  expect(await wrong({ age: 'old' })).toMatchObject({
    status: 400,
    fields: { age: expect.stringMatching(/begin:end/) },
  });
  expect(await wrong({ age: ['1:2', '3:4'] })).toMatchObject({ fields: { age: expect.stringMatching(/single/) } });
  expect(await wrong({ eventDate: 'eventDate=2026-02-30:' })).toMatchObject({
    fields: { eventDate: expect.stringMatching(/valid date/) },
  });
  expect(await wrong({ currentStatus: 'FLOWN' })).toMatchObject({
    status: 400,
    fields: { currentStatus: expect.any(String) },
  });
  expect(await wrong({ managementStatus: 'NEW' })).toMatchObject({
    status: 400,
    fields: { managementStatus: expect.any(String) },
  });
  expect(await wrong({ program: 'null' })).toMatchObject({ status: 400, fields: { program: expect.any(String) } });
  expect(await wrong({}, { dateOfBirth: '31/31/1941' })).toMatchObject({ fields: { dateOfBirth: expect.any(String) } });
  const analyst = await signIn(app, (await make.user({ team, role: 'analyst' })).username);
  const refused = await errorOf(analyst, 'POST /api/patients/search', { body: filtering({ city: 'Fairhaven' }) });
  expect(refused).toMatchObject({ status: 403, errorKey: 'NOT_PERMITTED' });
  const { facets, total } = await patients(analyst);
  expect([total, facets.city, facets.activeTags, facets.gender?.distinct]).toEqual([1, undefined, undefined, 1]);
  expect((await patients(client)).facets.city?.options).toMatchObject([{ value: 'Fairhaven', count: 1 }]);
});

test('a text finds beginnings of names and identifiers, the same before the beginning before a typo', async () => {
  const { groupIds, client, team } = await teamOf();
  const [groupId] = groupIds;
  await addPerson(groupId, { first: 'Anna', last: 'Lindqvist', columns: { member_id: 'LQ-77' } });
  await addPerson(groupId, { first: 'Annabel', last: 'Lind' });
  await addPerson(groupId, { first: 'Otto', last: 'Lindt' });
  const found = (query: string) => names(client, filtering({}, { query }));
  expect(await found('lind')).toEqual(['Annabel', 'Anna', 'Otto']);
  expect(await found('Lindqvist anna')).toEqual(['Anna']);
  expect(await found('Lindqvits')).toEqual(['Anna']);
  expect(await found('lq77')).toEqual(['Anna']);
  expect(await found('nobody')).toEqual([]);
  const viewer = await signIn(app, (await make.user({ team, role: 'viewer' })).username);
  expect(await names(viewer, filtering({}, { query: 'lq77' }))).toEqual([]);
});

test('lists are sorted by every key, in its own order unless another is asked for', async () => {
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
  expect(await by('LENGTH_OF_STAY')).toEqual(['Cy', 'Bo', 'Ada', 'Di']);
  expect((await names(client, { sortBy: ['NUMBER_OF_PROGRAMS'], sortOrder: 'DESC' }))[0]).toBe('Bo');
  expect((await by('NUMBER_OF_PRACTICES')).at(-1)).toBe('Ada');
  expect((await by('NUMBER_OF_OUTSIDE_ENCOUNTERS'))[0]).toBe('Di');
  const pages = [1, 2, 3].map((pageNumber) => names(client, { sortBy: ['LAST_NAME'], pageSize: 2, pageNumber }));
  expect(await Promise.all(pages)).toEqual([['Bo', 'Cy'], ['Ada', 'Di'], []]);
});

test('lists can be had of some groups, without some patients', async () => {
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

test('events are rows of their own, told or not', async () => {
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

test('a search after one’s own change sees it, each time', async () => {
  const { groupIds, client } = await teamOf();
  const people = [];
  for (let n = 0; n < 5; n += 1) people.push(await addPerson(groupIds[0], { first: `P${n}`, admitted: n + 1 }));
  const count = async (kind: 'open' | 'resolved') =>
    (await client.call('GET /api/pings/count/:kind', { params: { kind } })).count;
  expect(await count('open')).toBe(5);
  for (const [n, { ping, event }] of people.entries()) {
    await client.call('POST /api/patients/:id/events/management-status', {
      params: { id: ping?.patientId ?? '' },
      body: { eventIdentifier: event?.id ?? '', status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'] },
    });
    expect([await count('open'), await count('resolved')]).toEqual([4 - n, n + 1]);
  }
  const { facets } = await client.call('POST /api/pings', { body: filtering({ managementStatus: 'RESOLVED' }) });
  expect(facets.latestPingResolutionReason?.options).toMatchObject([{ label: 'Contacted patient', count: 5 }]);
});

test('what others commit shows: a visit’s room and doctor, a listing that ends, a new person, a renamed facility', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  const hospital = await make.group({ type: 'HOS', name: 'Alder Hospital' });
  const ada = await addPerson(groupId, { first: 'Ada', admitted: 1, facility: hospital.id });
  expect(await names(client)).toEqual(['Ada']);
  const db = app.database.pipeline;
  await db.query(sql`update encounters set state = state || ${JSON.stringify({ location: { pointOfCare: '4E', room: '1', bed: 'A', facility: null } })}::jsonb
    where id = ${ada.encounter?.id}`);
  await vi.waitFor(async () => expect(await names(client, filtering({ floorUnit: '4E' }))).toEqual(['Ada']), 5000);
  await addPerson(groupId, { first: 'Bo' });
  await vi.waitFor(async () => expect(await names(client)).toEqual(['Ada', 'Bo']), 5000);
  await db.query(sql`update roster_patients set left_at = ${clock.now()} where id = ${ada.listing.id}`);
  await vi.waitFor(async () => expect(await names(client)).toEqual(['Bo']), 5000);
  await db.query(sql`update roster_patients set left_at = null where id = ${ada.listing.id}`);
  await db.query(sql`update groups set name = 'Birch Hospital' where id = ${hospital.id}`);
  await vi.waitFor(
    async () => expect(await names(client, filtering({ facilityName: 'Birch Hospital' }))).toEqual(['Ada']),
    5000,
  );
});

test('a bulk change, which logs no persons, has the group read anew', async () => {
  const { groupIds, client } = await teamOf();
  const { listing } = await addPerson(groupIds[0], { first: 'Ada' });
  expect(await names(client)).toEqual(['Ada']);
  await app.database.pipeline.transaction(async (tx) => {
    await tx.query(`select set_config('tidings.bulk', 'on', true)`);
    await tx.query(sql`update roster_patients set gender = 'Other' where id = ${listing.id}`);
    await logChanges(tx, [{ kind: 'group', change: 'bulk', groupId: groupIds[0], subjectId: null }], clock.now());
  });
  await vi.waitFor(async () => expect(await names(client, filtering({ gender: 'Other' }))).toEqual(['Ada']), 5000);
});

test('typeahead finds values by their beginning or nearly so, under the other filters, with counts', async () => {
  const { groupIds, client, team } = await teamOf();
  const [groupId] = groupIds;
  const mercy = await make.group({ type: 'HOS', name: 'Mercy General' });
  const heart = { code: 'I50.9', description: 'Heart failure, unspecified' };
  const columns = {
    programs: ['Lantern Advantage'],
    practices: ['Alder Practice'],
    care_coordinators: ['Rosa Diaz'],
    provider_first_name: 'Rupert',
    provider_last_name: 'Ferrow',
    city: 'Fairhaven',
    zip: '49981',
  };
  await addPerson(groupId, {
    first: 'Ada',
    admitted: 1,
    facility: mercy.id,
    diagnosis: heart,
    columns: { ...columns, gender: 'Female' },
  });
  await addPerson(groupId, { first: 'Bo', columns: { ...columns, gender: 'Male' } });
  const complete = async (
    kind:
      | 'facilities'
      | 'programs'
      | 'practices'
      | 'care-coordinators'
      | 'providers'
      | 'cities'
      | 'zipCodes'
      | 'diagnoses',
    query: string,
    parameters?: SearchParametersInput,
  ) =>
    (await client.call('POST /api/typeahead/:kind', { params: { kind }, body: { query, parameters } })).map(
      ({ label, count }) => [label, count],
    );
  expect(await complete('programs', 'lant')).toEqual([['Lantern Advantage', 2]]);
  expect(await complete('programs', 'advantage', filtering({ gender: 'Male', program: 'Other' }))).toEqual([
    ['Lantern Advantage', 1],
  ]);
  expect(await complete('facilities', 'mercu')).toEqual([['Mercy General', 1]]);
  expect(await complete('practices', 'ald')).toEqual([['Alder Practice', 2]]);
  expect(await complete('care-coordinators', 'dia')).toEqual([['Rosa Diaz', 2]]);
  expect(await complete('providers', 'ferr')).toEqual([['Rupert Ferrow', 2]]);
  expect(await complete('cities', 'fair')).toEqual([['Fairhaven', 2]]);
  expect(await complete('zipCodes', '499')).toEqual([['49981', 2]]);
  expect(await complete('diagnoses', 'i50')).toEqual([['I50.9 Heart failure, unspecified', 1]]);
  expect(await complete('diagnoses', 'heart')).toEqual([['I50.9 Heart failure, unspecified', 1]]);
  const analyst = await signIn(app, (await make.user({ team, role: 'analyst' })).username);
  const cities = errorOf(analyst, 'POST /api/typeahead/:kind', { params: { kind: 'cities' }, body: { query: 'fair' } });
  expect((await cities).status).toBe(403);
  const pings = { body: { query: 'ada', parameters: { searchContext: 'PINGS' as const } } };
  expect((await errorOf(analyst, 'POST /api/typeahead/patients', pings)).status).toBe(403);
});

test('a value is looked up among all of a facet for which there is no call, however many are more frequent', async () => {
  const { groupIds, client, team } = await teamOf();
  const [groupId] = groupIds;
  for (let n = 0; n < 120; n += 1) await addPerson(groupId, { columns: { tags: [`Tag ${n}`, 'Common'] } });
  await addPerson(groupId, { columns: { tags: ['Zebra watch'], gender: 'Male' } });
  const results = await client.call('POST /api/patients/search', { body: { termFacetSizeOverride: 100 } });
  expect(JSON.stringify(results.facets.activeTags)).not.toContain('Zebra');
  const look = (body: { query: string; facet?: Facet; parameters?: SearchParametersInput }, as = client) =>
    as.call('POST /api/typeahead/:kind', { params: { kind: 'values' }, body });
  expect(await look({ query: 'zebr', facet: 'activeTags' })).toEqual([
    { value: 'Zebra watch', label: 'Zebra watch', count: 1, field: 'activeTags', typeaheadEnabled: false },
  ]);
  expect(await look({ query: 'zebra', facet: 'activeTags', parameters: filtering({ gender: 'Female' }) })).toEqual([]);
  const wrong = async (kind: 'values' | 'cities', facet?: Facet) => {
    const body = { query: 'zebra', ...(facet ? { facet } : {}) };
    return (await errorOf(client, 'POST /api/typeahead/:kind', { params: { kind }, body })).status;
  };
  expect([
    await wrong('values'),
    await wrong('values', 'managementStatus'),
    await wrong('cities', 'activeTags'),
  ]).toEqual([400, 400, 400]);
  const { username } = await make.user({ team, role: 'analyst' });
  const analyst = await signIn(app, username);
  const refused = { params: { kind: 'values' as const }, body: { query: 'zebra', facet: 'city' as const } };
  expect((await errorOf(analyst, 'POST /api/typeahead/:kind', refused)).status).toBe(403);
});

test('typeahead looks in the list that is named, for its flag and in the groups of that flag', async () => {
  const { groupIds, team } = await teamOf(2);
  const [first, second = ''] = groupIds;
  await addPerson(first, { first: 'Ada', last: 'Fairley', admitted: 1, columns: { city: 'Fairhaven' } });
  await addPerson(first, { first: 'Bo', last: 'Fairley', columns: { city: 'Fairbury' } });
  await addPerson(second, { first: 'Cy', last: 'Fairley', admitted: 1, columns: { city: 'Fairmont' } });
  const member = async (removed: Partial<Record<string, Permission>>) => {
    const user = await make.user({ team, role: 'clinician' });
    for (const [groupId, flag] of Object.entries(removed))
      await app.database.pipeline.query(
        sql`update grants set removed = ${[flag]} where user_id = ${user.id} and group_id = ${groupId}`,
      );
    return signIn(app, user.username);
  };
  const typeahead = async (client: Client, searchContext?: SearchContext) => {
    const body = { query: 'fair', parameters: searchContext ? { searchContext } : undefined };
    const cities = await client.call('POST /api/typeahead/:kind', { params: { kind: 'cities' }, body });
    const people = await client.call('POST /api/typeahead/patients', { body });
    return [cities.map(({ label }) => label).sort(), people.map(({ name }) => name).sort()];
  };
  const refused = async (client: Client, searchContext?: SearchContext) => {
    const body = { query: 'fair', parameters: searchContext ? { searchContext } : undefined };
    const cities = await errorOf(client, 'POST /api/typeahead/:kind', { params: { kind: 'cities' }, body });
    const people = await errorOf(client, 'POST /api/typeahead/patients', { body });
    return [cities.errorKey, people.errorKey];
  };
  const REFUSED = ['NOT_PERMITTED', 'NOT_PERMITTED'];

  const ofPings = await member({ [first]: 'canViewPatients', [second]: 'canViewPatients' });
  expect(await typeahead(ofPings, 'PINGS')).toEqual([
    ['Fairhaven', 'Fairmont'],
    ['FAIRLEY, Ada', 'FAIRLEY, Cy'],
  ]);
  expect(await refused(ofPings)).toEqual(REFUSED);
  expect(await refused(ofPings, 'ALL')).toEqual(REFUSED);
  const ofPatients = await member({ [first]: 'canViewPings', [second]: 'canViewPings' });
  expect((await typeahead(ofPatients))[0]).toEqual(['Fairbury', 'Fairhaven', 'Fairmont']);
  expect(await refused(ofPatients, 'PINGS')).toEqual(REFUSED);

  const ofBoth = await member({ [first]: 'canViewPings', [second]: 'canViewPatients' });
  expect(await typeahead(ofBoth, 'PINGS')).toEqual([['Fairmont'], ['FAIRLEY, Cy']]);
  expect(await typeahead(ofBoth, 'ALL')).toEqual([
    ['Fairbury', 'Fairhaven'],
    ['FAIRLEY, Ada', 'FAIRLEY, Bo'],
  ]);
});

test('typeahead of patients warns of similar names, and keeps identifiers from those who may not see them', async () => {
  const { groupIds, client, team } = await teamOf();
  const [groupId] = groupIds;
  await addPerson(groupId, { first: 'Jon', last: 'Osterman', born: '1950-02-03', columns: { member_id: 'M-77' } });
  await addPerson(groupId, { first: 'John', last: 'Ostermann', born: '1950-02-03' });
  await addPerson(groupId, { first: 'Mira', last: 'Ostby', born: '1971-07-08' });
  const found = await client.call('POST /api/typeahead/patients', { body: { query: 'ost' } });
  expect(found.map(({ name, isSimilarToAnother }) => [name, isSimilarToAnother])).toEqual([
    ['OSTBY, Mira', false],
    ['OSTERMAN, Jon', true],
    ['OSTERMANN, John', true],
  ]);
  expect(found[1]).toMatchObject({ memberId: 'M-77', dateOfBirth: '1950-02-03' });
  const viewer = await signIn(app, (await make.user({ team, role: 'viewer' })).username);
  const [jon] = await viewer.call('POST /api/typeahead/patients', { body: { query: 'osterman jon' } });
  expect(jon).toMatchObject({ name: 'OSTERMAN, Jon', memberId: null });
});

test('whom typeahead has shown is in the audit, as with a page of a list', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Mira', last: 'Ostby' });
  const [mira] = await client.call('POST /api/typeahead/patients', { body: { query: 'ostby' } });
  await client.call('POST /api/typeahead/patients', { body: { query: 'nobody' } });
  const { rows } = await app.database.pipeline.query(
    `select action, detail from audit_entries where subject = 'patient' and team_id = $1`,
    [client.teamId],
  );
  expect(rows).toEqual([{ action: 'patients.typeahead', detail: { patientIds: [mira?.id] } }]);
});

test('a filter is previewed: the pings that it would have brought, and of how many persons', async () => {
  const { groupIds, client } = await teamOf();
  const ada = await addPerson(groupIds[0], { first: 'Ada', admitted: 4, columns: { programs: ['Lantern'] } });
  const transfer = await make.event({ encounterId: ada.encounter?.id ?? '', code: 'TRANSFER', at: ago(1) });
  const { encounter, listing } = ada;
  if (!encounter) throw new Error('Ada has a visit');
  const rest = { eventId: transfer.id, rosterPatientId: listing.id, event_at: ago(1), is_current: false };
  await make.ping({ groupId: groupIds[0], encounter, ...rest });
  await addPerson(groupIds[0], { first: 'Bo', admitted: 2, columns: { programs: ['Harbor'] } });
  const preview = (filters: Filters) =>
    client.call('POST /api/patient-search-params/preview', { body: filtering(filters) });
  expect(await preview({})).toMatchObject({ pings: 3, patients: 2 });
  expect(await preview({ program: 'Lantern' })).toMatchObject({ pings: 2, patients: 1 });
  expect(await preview({ currentStatus: 'TRANSFER' })).toMatchObject({ pings: 1, patients: 1 });
  const body = { ...filtering({}), ignoredPatientIds: [ada.ping?.patientId ?? ''] };
  expect(await client.call('POST /api/patient-search-params/preview', { body })).toMatchObject({
    pings: 1,
    patients: 1,
  });
});

test('a thread that dies is replaced, and what it was asked is answered all the same', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada' });
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  expect(await names(client)).toEqual(['Ada']);
  const thread = posted.mock.contexts[0] as Worker;
  posted.mockImplementationOnce(function (this: Worker, ...message) {
    posted.mockRestore();
    this.postMessage(...message);
    void thread.terminate();
  });
  expect(await names(client)).toEqual(['Ada']);
});

test('what the clock alone changes is up to date: days of a stay', async () => {
  const { groupIds, username } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada', admitted: 3 });
  const stays = async (days: string) => names(await signIn(app, username), filtering({ lengthOfStay: days }));
  expect(await stays('3:3')).toEqual(['Ada']);
  clock.advance(DAY);
  await vi.waitFor(async () => expect(await stays('4:4')).toEqual(['Ada']), { timeout: 10_000, interval: 200 });
});

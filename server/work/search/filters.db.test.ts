/** Filters, counts and text search of lists over HTTP. */
import { expect, test } from 'vitest';
import type { Facet } from '#contract/facets.ts';
import { signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { type Filters, filtering, names, patients, sorted, startSearchApp } from '#server/testing/search.ts';

const { app, make, ago, teamOf, addPerson } = await startSearchApp();

test('OR within a facet, AND between facets, no negated values; a facet is counted without its own filter', async () => {
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

test('ranges filter ages, days of stay, days and weekdays ago, and dates', async () => {
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

test('patients are counted in each range, instead of the list’s own range', async () => {
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

test('stays are filtered and counted by their expected length, and the median expected length is returned', async () => {
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

test('an invalid filter gets a message, and a facet without permission is refused and not counted', async () => {
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
  for (const query of ['a '.repeat(90), '\ufdfa'.repeat(40)]) {
    expect(await wrong({}, { query })).toMatchObject({
      status: 400,
      fields: { query: expect.stringMatching(/words/) },
    });
  }
  const analyst = await signIn(app, (await make.user({ team, role: 'analyst' })).username);
  const refused = await errorOf(analyst, 'POST /api/patients/search', { body: filtering({ city: 'Fairhaven' }) });
  expect(refused).toMatchObject({ status: 403, errorKey: 'NOT_PERMITTED' });
  const { facets, total } = await patients(analyst);
  expect([total, facets.city, facets.activeTags, facets.gender?.distinct]).toEqual([1, undefined, undefined, 1]);
  expect((await patients(client)).facets.city?.options).toMatchObject([{ value: 'Fairhaven', count: 1 }]);
});

test('text finds prefixes of names and identifiers: exact matches first, then prefixes, then typos', async () => {
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

test('the preview of a filter counts the pings that it would have found, and their patients', async () => {
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

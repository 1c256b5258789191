import { expect, test } from 'vitest';
import type { Facet, SearchContext } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { filtering, startSearchApp } from '#server/testing/search.ts';

const { app, make, ago, teamOf, addPerson } = await startSearchApp();

test('typeahead finds values by prefix or with a typo, under the other filters, with counts', async () => {
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

test('typeahead finds rare values of facets without a call of their own', async () => {
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

test('typeahead searches the requested list, with its permission and in the groups of that permission', async () => {
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

test('typeahead of patients finds them by birth date, alone or with a name', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  await addPerson(groupId, { first: 'Ida', last: 'Quist', born: '1950-02-03' });
  await addPerson(groupId, { first: 'Olaf', last: 'Berg', born: '1950-02-03' });
  await addPerson(groupId, { first: 'Ida', last: 'Quist', born: '1961-02-03' });
  const find = async (query: string, dateOfBirth: string | null) => {
    const parameters = { userDefinedFacetPreferences: { dateOfBirth } };
    const found = await client.call('POST /api/typeahead/patients', { body: { query, parameters } });
    return found.map(({ name, dateOfBirth: born }) => `${name} ${born}`).sort();
  };
  expect(await find('', '1950-02-03')).toEqual(['BERG, Olaf 1950-02-03', 'QUIST, Ida 1950-02-03']);
  expect(await find('qui', '1950-02-03')).toEqual(['QUIST, Ida 1950-02-03']);
  expect((await errorOf(client, 'POST /api/typeahead/patients', { body: { query: ' ' } })).fields).toEqual({
    query: 'Type a name, an identifier or a birth date.',
  });
});

test('typeahead of pings finds each stay with an open ping, newest first, and says which it is; else the newest stay', async () => {
  const { groupIds, client } = await teamOf();
  const mercy = await make.group({ type: 'HOS', name: 'Mercy General' });
  const personOf = async (first: string, born: string, stays: { daysAgo: number; status: 'NEW' | 'DISMISSED' }[]) => {
    const { personId, listing } = await addPerson(groupIds[0], { first, last: 'Ellingholme', born });
    const made: string[] = [];
    for (const { daysAgo, status } of stays) {
      const encounter = await make.encounter({ groupId: mercy.id, personId });
      const event = await make.event({ encounterId: encounter.id, code: 'DISCHARGE', at: ago(daysAgo) });
      const of = { groupId: groupIds[0], encounter, eventId: event.id, rosterPatientId: listing.id };
      await make.ping({ ...of, event_at: event.at, status });
      made.push(`${listing.id}_${encounter.id}`);
    }
    return made;
  };
  const closed = Array.from({ length: 30 }, (_, n) => ({ daysAgo: 40 + n, status: 'DISMISSED' as const }));
  const both = await personOf('Jin', '1950-02-03', [
    ...closed,
    { daysAgo: 9, status: 'NEW' },
    { daysAgo: 2, status: 'NEW' },
    { daysAgo: 1, status: 'DISMISSED' },
  ]);
  const none = await personOf('Marisol', '1971-08-30', [
    { daysAgo: 30, status: 'DISMISSED' },
    { daysAgo: 3, status: 'DISMISSED' },
    { daysAgo: 12, status: 'DISMISSED' },
  ]);
  const anyStatus = filtering({ managementStatus: ['NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED'] });
  const found = await client.call('POST /api/typeahead/patients', {
    body: { query: 'elling', parameters: { ...anyStatus, searchContext: 'PINGS' } },
  });
  expect(found.map(({ id }) => id)).toEqual([both[31], both[30], none[1]]);
  expect(found[0]).toMatchObject({
    isSimilarToAnother: false,
    stay: {
      status: 'DISCHARGE',
      eventDate: ago(2).toISOString(),
      facilityName: 'Mercy General',
      managementStatus: 'NEW',
    },
  });
  expect(found[2]?.stay?.managementStatus).toBe('DISMISSED');
  const [patient] = await client.call('POST /api/typeahead/patients', { body: { query: 'elling marisol' } });
  expect(patient).not.toHaveProperty('stay');
});

test('typeahead of patients warns of similar names, and hides identifiers from users who may not see them', async () => {
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
  const option = { value: found[1]?.id, label: 'OSTERMAN, Jon' };
  expect(found[1]).toMatchObject({ ...option, memberId: 'M-77', dateOfBirth: '1950-02-03' });
  const viewer = await signIn(app, (await make.user({ team, role: 'viewer' })).username);
  const [jon] = await viewer.call('POST /api/typeahead/patients', { body: { query: 'osterman jon' } });
  expect(jon).toMatchObject({ name: 'OSTERMAN, Jon', memberId: null });
});

test('typeahead is audited with the patients it showed, also if there are none', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Mira', last: 'Ostby' });
  const [mira] = await client.call('POST /api/typeahead/patients', { body: { query: 'ostby' } });
  await client.call('POST /api/typeahead/patients', { body: { query: 'nobody' } });
  const { rows } = await app.database.pipeline.query(
    `select action, patient_ids as shown from audit_entries where subject = 'patient' and team_id = $1 order by id`,
    [client.teamId],
  );
  expect(rows).toEqual([
    { action: 'patients.typeahead', shown: [mira?.id.split('_')[0]] },
    { action: 'patients.typeahead', shown: null },
  ]);
});

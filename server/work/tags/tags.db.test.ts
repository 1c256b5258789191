import { expect, test } from 'vitest';
import type { StandardRole } from '#contract/permissions.ts';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { filtering } from '#server/testing/search.ts';

const app = await startApp();
const { make, database } = app;

/** An organization with a group, a team that works for it, and a patient on its list. */
async function scene() {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const member = async (of = team, role: StandardRole = 'care coordinator') =>
    signIn(app, (await make.user({ team: of, role })).username);
  const listing = await make.rosterPatient({ groupId, tags: ['High touch'] });
  return { organizationId, groupId, team, member, listing, id: `${listing.id}_0`, client: await member() };
}

const create = (client: Client, name: string) => client.call('POST /api/tags', { body: { name } });
const set = (client: Client, id: string, tagIds: string[], expectedTagIds?: string[]) =>
  client.call('PUT /api/patients/:id/tags', { params: { id }, body: { tagIds, expectedTagIds } });
const tagsOf = async (client: Client, id: string) => {
  const { tags, rosterTags } = await client.call('GET /api/patients/:id/tags', { params: { id } });
  return [tags.map(({ name }) => name), rosterTags];
};
const facetOf = async (client: Client) => {
  const { facets } = await client.call('POST /api/patients/search', { body: {} });
  return Object.fromEntries((facets.activeTags?.options ?? []).map(({ value, count }) => [value, count]));
};

test('a team’s tag is shown beside those of rosters: with the patient, in lists and in the filter', async () => {
  const { client, id } = await scene();
  expect(await facetOf(client)).toEqual({ 'High touch': 1 });
  const tag = await create(client, ' Fall risk ');
  expect(tag.name).toBe('Fall risk');
  expect(await client.call('GET /api/tags', {})).toEqual([tag]);
  await set(client, id, [tag.id]);
  expect(await tagsOf(client, id)).toEqual([['Fall risk'], ['High touch']]);
  expect(await facetOf(client)).toEqual({ 'Fall risk': 1, 'High touch': 1 });
  const found = await client.call('POST /api/patients/search', { body: filtering({ activeTags: 'Fall risk' }) });
  expect(found.patients.map(({ patientTags }) => patientTags)).toEqual([['High touch', 'Fall risk']]);
  const patient = await client.call('GET /api/patients/:id', { params: { id } });
  expect(patient.patientTags).toEqual(['High touch', 'Fall risk']);

  await set(client, id, []);
  expect(await tagsOf(client, id)).toEqual([[], ['High touch']]);
  expect(await facetOf(client)).toEqual({ 'High touch': 1 });
});

test('a tag is the team’s: another team of the same group neither sees, sets nor removes it', async () => {
  const { organizationId, groupId, client, member, id } = await scene();
  const other = await member(await make.team({ organizationId, groupIds: [groupId] }));
  const tag = await create(client, 'Fall risk');
  await set(client, id, [tag.id]);
  expect(await facetOf(client)).toEqual({ 'Fall risk': 1, 'High touch': 1 });
  expect(await facetOf(other)).toEqual({ 'High touch': 1 });
  expect(await other.call('GET /api/tags', {})).toEqual([]);
  expect(await tagsOf(other, id)).toEqual([[], ['High touch']]);
  expect((await other.call('GET /api/patients/:id', { params: { id } })).patientTags).toEqual(['High touch']);
  const refused = await errorOf(other, 'PUT /api/patients/:id/tags', { params: { id }, body: { tagIds: [tag.id] } });
  expect(refused.errorKey).toBe('BAD_REQUEST');
  await set(other, id, []);
  expect(await tagsOf(client, id)).toEqual([['Fall risk'], ['High touch']]);
});

test('a roster upload’s tags don’t replace a team’s, and a patient who leaves the list keeps them', async () => {
  const { client, id, listing } = await scene();
  const tag = await create(client, 'Fall risk');
  await set(client, id, [tag.id]);
  await database.pipeline.query(sql`update roster_patients set tags = array['Low touch'] where id = ${listing.id}`);
  expect(await tagsOf(client, id)).toEqual([['Fall risk'], ['Low touch']]);
  await database.pipeline.query(sql`update roster_patients set left_at = ${app.clock.now()} where id = ${listing.id}`);
  expect((await tagsOf(client, id))[0]).toEqual(['Fall risk']);
});

test('two people who change tags at once keep both changes', async () => {
  const { client, member, id } = await scene();
  const second = await member();
  const [a, b, c] = [await create(client, 'A'), await create(client, 'B'), await create(client, 'C')];
  await set(client, id, [a.id]);
  // Both saw A.
  await set(client, id, [a.id, b.id], [a.id]);
  await set(second, id, [c.id], [a.id]);
  expect(await tagsOf(client, id)).toEqual([['B', 'C'], ['High touch']]);
});

test('a name belongs to one tag of the team, whatever its case', async () => {
  const { client, member } = await scene();
  const tag = await create(client, 'Fall risk');
  expect(await create(await member(), 'FALL RISK')).toEqual(tag);
  const [one, two] = await Promise.all([create(client, 'Wound care'), create(client, 'wound care')]);
  expect(one.id).toBe(two.id);
});

test('setting takes canEditPatientTags, reading canViewPatientTags, both in a group that lists the patient', async () => {
  const { organizationId, groupId, team, client, member, id } = await scene();
  const tag = await create(client, 'Fall risk');
  await set(client, id, [tag.id]);
  const viewer = await member(team, 'viewer');
  expect(await tagsOf(viewer, id)).toEqual([['Fall risk'], ['High touch']]);
  const body = { tagIds: [] };
  expect((await errorOf(viewer, 'PUT /api/patients/:id/tags', { params: { id }, body })).errorKey).toBe(
    'NOT_PERMITTED',
  );
  expect((await errorOf(viewer, 'POST /api/tags', { body: { name: 'X' } })).errorKey).toBe('NOT_PERMITTED');
  const analyst = await member(team, 'analyst');
  expect((await errorOf(analyst, 'GET /api/tags', {})).errorKey).toBe('NOT_PERMITTED');
  expect((await analyst.call('GET /api/patients/:id', { params: { id } })).patientTags).toEqual([]);

  const { id: elsewhere } = await make.group({ organizationId });
  const mixed = await make.team({ organizationId, groupIds: [groupId, elsewhere] });
  const user = await make.user({ team: mixed, role: 'viewer' });
  const grant = { userId: user.id, teamId: mixed.id, groupId: elsewhere, role: 'care coordinator' } as const;
  await grantRole(database.pipeline, grant);
  const partly = await signIn(app, user.username);
  expect((await errorOf(partly, 'PUT /api/patients/:id/tags', { params: { id }, body })).errorKey).toBe('NOT_FOUND');
  const stranger = (await scene()).client;
  expect((await errorOf(stranger, 'GET /api/patients/:id/tags', { params: { id } })).errorKey).toBe('NOT_FOUND');
});

test('who set a tag and who read it is in the audit log, by id and without the name', async () => {
  const { client, id, listing } = await scene();
  const tag = await create(client, 'Fall risk');
  await set(client, id, [tag.id]);
  await tagsOf(client, id);
  const { rows } = await database.pipeline.query<{ action: string; detail: Record<string, unknown> }>(sql`
    select action, detail from audit_entries
    where patient_ids = array[${listing.id}::bigint] and action like 'patient.%' order by id`);
  expect(rows.map(({ action }) => action)).toEqual(['patient.set-tags', 'patient.tags']);
  expect(rows[0]?.detail).toEqual({ added: [tag.id], removed: [] });
  expect(JSON.stringify(rows)).not.toContain('Fall');
});

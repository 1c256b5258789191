/** Spotlights that users keep: whose they are, whom they count, and what becomes of their filters. Today is Friday, November 20, 2026. */
import { expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { CUSTOM_SPOTLIGHTS_LIMIT, type CustomSpotlightFields } from '#contract/spotlights.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { momentOf } from '#server/testing/factories.ts';
import { filtering } from '#server/testing/search.ts';

const app = await startApp();
const { make, database } = app;
const { id: organizationId } = await make.organization();
const group = await make.group({ organizationId, name: 'ACO', timeZone: 'UTC' });
const team = await make.team({ organizationId, groupIds: [group.id] });
const hospital = await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Mercy', timeZone: 'UTC' });
type Role = 'administrator' | 'care coordinator';
const colleague = async (role: Role = 'administrator', removed: Permission[] = [], added: Permission[] = []) =>
  signIn(app, (await make.user({ team, role, removed, added })).username);
const [ann, bea] = [await colleague(), await colleague()];

const FIELDS: CustomSpotlightFields = {
  title: 'Women',
  name: 'length-of-stay',
  period: 'last-quarter',
  breakdown: 'FACILITY',
  groupId: null,
  filterId: null,
  isShared: false,
};
const keep = (client: Client, over: Partial<CustomSpotlightFields> = {}) =>
  client.call('POST /api/spotlights/custom', { body: { ...FIELDS, ...over } });
const titles = async (client: Client) =>
  (await client.call('GET /api/spotlights/custom', {})).map(({ title }) => title);
const saveFilter = async (client: Client, values: Parameters<typeof filtering>[0], name: string) =>
  (await client.call('POST /api/patient-search-params', { body: { ...filtering(values), name } })).id;

const QUARTER = { from: '2026-07-01', to: '2026-09-30' };
for (let n = 0; n < 40; n += 1) {
  const gender = n % 3 === 0 ? 'Male' : 'Female';
  const { personId } = await make.rosterPatient({ groupId: group.id, gender, listed_at: new Date('2026-01-01') });
  const at = new Date(Date.UTC(2026, 6, 1 + n, 10));
  const visit = {
    status: 'FINISHED' as const,
    admittedAt: momentOf(at),
    dischargedAt: momentOf(new Date(at.getTime() + (1 + (n % 6)) * 86_400_000)),
    disposition: '01',
  };
  await make.encounter({ personId, groupId: hospital.id, visit });
}

test('a filter limits a spotlight to the people whom it finds, as SQL counts them', async () => {
  const filterId = await saveFilter(ann, { gender: ['Female'] }, 'Women');
  const { rows } = await database.pipeline.query<{ stays: number; median: number }>(sql`
    select count(*)::int as stays, percentile_cont(0.5) within group (order by e.discharged_at::date - e.admitted_at::date) as median
    from encounters e join roster_patients r on r.person_id = e.person_id
    where r.gender = 'Female' and e.discharged_at::date between ${QUARTER.from} and ${QUARTER.to}`);
  const params = { subName: 'length-of-stay' as const };
  const spotlight = await ann.call('GET /api/spotlights/:subName', { params, query: { ...QUARTER, filterId } });
  expect(spotlight.figure).toMatchObject({ value: rows[0]?.median, denominator: rows[0]?.stays });
  expect(spotlight.people).toBe(26);
  const behind = await ann.call('GET /api/spotlights/:subName/patients', { params, query: { ...QUARTER, filterId } });
  expect(behind.total).toBe(rows[0]?.stays);
  expect(await errorOf(bea, 'GET /api/spotlights/:subName', { params, query: { ...QUARTER, filterId } })).toMatchObject(
    { status: 404 },
  );
});

test('a kept spotlight is its owner’s until it is shared, and then the team’s', async () => {
  const kept = await keep(ann, { title: 'Mine' });
  expect(kept).toMatchObject({ owner: { isYou: true }, mayChange: true, lacksFilter: false, isShared: false });
  expect(await titles(bea)).not.toContain('Mine');
  const params = { id: kept.id };
  const body = { ...FIELDS, title: 'Ours', isShared: true };
  await ann.call('PUT /api/spotlights/custom/:id', { params, body });
  const seen = (await bea.call('GET /api/spotlights/custom', {})).find(({ id }) => id === kept.id);
  expect(seen).toMatchObject({ title: 'Ours', owner: { isYou: false }, mayChange: true });
  const reader = await colleague('care coordinator', [], ['canViewCustomSpotlights', 'canViewSpotlights']);
  expect(await titles(reader)).toContain('Ours');
  expect(await errorOf(reader, 'PUT /api/spotlights/custom/:id', { params, body })).toMatchObject({
    errorKey: 'NOT_PERMITTED',
  });
  expect(await errorOf(reader, 'DELETE /api/spotlights/custom/:id', { params })).toMatchObject({
    errorKey: 'NOT_PERMITTED',
  });
  await bea.call('DELETE /api/spotlights/custom/:id', { params });
  expect(await titles(ann)).not.toContain('Ours');
  const { rows } = await database.pipeline.query<{ action: string }>(
    sql`select action from audit_entries where subject = 'spotlight' and subject_id = ${kept.id} order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual(['spotlight.create', 'spotlight.change', 'spotlight.delete']);
});

test('another team neither sees nor changes it', async () => {
  const kept = await keep(ann, { title: 'Not theirs', isShared: true });
  const other = await make.team();
  const stranger = await signIn(app, (await make.user({ team: other, role: 'administrator' })).username);
  expect(await titles(stranger)).toEqual([]);
  const call = { params: { id: kept.id }, body: FIELDS };
  expect(await errorOf(stranger, 'PUT /api/spotlights/custom/:id', call)).toMatchObject({ status: 404 });
  expect(await errorOf(stranger, 'DELETE /api/spotlights/custom/:id', { params: call.params })).toMatchObject({
    status: 404,
  });
  expect(
    await errorOf(stranger, 'POST /api/spotlights/custom', { body: { ...FIELDS, groupId: group.id } }),
  ).toMatchObject({ status: 404 });
});

test('a shared spotlight needs a shared filter, and without its filter it is not read for more people', async () => {
  const filterId = await saveFilter(ann, { gender: ['Male'] }, 'Men');
  const body = { ...FIELDS, title: 'Men', filterId, isShared: true };
  expect(await errorOf(ann, 'POST /api/spotlights/custom', { body })).toMatchObject({
    errorKey: 'BAD_REQUEST',
    fields: { filterId: expect.stringContaining('Share this saved filter') },
  });
  await ann.call('PUT /api/patient-search-params/:id/shared', { params: { id: filterId }, body: { shared: true } });
  const kept = await keep(ann, body);
  expect(kept).toMatchObject({ filterName: 'Men', lacksFilter: false });
  await ann.call('PUT /api/patient-search-params/:id/shared', { params: { id: filterId }, body: { shared: false } });
  const seen = async (client: Client) =>
    (await client.call('GET /api/spotlights/custom', {})).find(({ id }) => id === kept.id);
  expect(await seen(bea)).toMatchObject({ filterName: null, lacksFilter: true });
  expect(await seen(ann)).toMatchObject({ filterName: 'Men', lacksFilter: false });
  await ann.call('DELETE /api/patient-search-params/:id', { params: { id: filterId } });
  expect(await seen(ann)).toMatchObject({ filterId: null, lacksFilter: true });
});

test('who may not view custom spotlights gets none; fields are checked; nobody keeps them without end', async () => {
  const without = await colleague('administrator', ['canViewCustomSpotlights']);
  expect(await errorOf(without, 'GET /api/spotlights/custom', {})).toMatchObject({ errorKey: 'NOT_PERMITTED' });
  for (const wrong of [{ title: '' }, { name: 'x' }, { period: 'forever' }])
    expect(await errorOf(ann, 'POST /api/spotlights/custom', { body: { ...FIELDS, ...wrong } as never })).toMatchObject(
      { status: 400 },
    );
  const cleo = await colleague();
  for (let n = 0; n < CUSTOM_SPOTLIGHTS_LIMIT; n += 1) await keep(cleo, { title: `Spotlight ${n}` });
  expect(await errorOf(cleo, 'POST /api/spotlights/custom', { body: FIELDS })).toMatchObject({ status: 409 });
});

test('a name takes 120 characters; a longer one is refused with the reason', async () => {
  const title = 'x'.repeat(120);
  expect((await keep(ann, { title })).title).toBe(title);
  expect(await errorOf(ann, 'POST /api/spotlights/custom', { body: { ...FIELDS, title: `${title}x` } })).toMatchObject({
    status: 400,
    fields: { title: 'Use at most 120 characters.' },
  });
});

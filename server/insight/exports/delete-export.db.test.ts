/** Exports that their users cancel or delete, and what limits them. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { exporting } from '#server/testing/exports.ts';
import { refusedWith } from '#server/testing/feed-office.ts';
import { filtering, startSearchApp } from '#server/testing/search.ts';

const { app, make, teamOf, addPerson } = await startSearchApp();
const { database } = app;
const { run, start, download, jobOf } = exporting(app);

type Client = Awaited<ReturnType<typeof teamOf>>['client'];
const remove = (client: Client, jobId: string) => client.call('DELETE /api/export/jobs/:jobId', { params: { jobId } });
const list = (client: Client, body: object = {}, query: object = {}) =>
  client.call('POST /api/export/initiate-list-export', { query, body });
const deletions = async (jobId: string) =>
  (
    await database.owner.query<{ detail: object }>(
      sql`select detail from audit_entries where action = 'export.delete' and subject_id = ${jobId}`,
    )
  ).rows.map(({ detail }) => detail);
const chunksOf = async (jobId: string) =>
  (await database.owner.query(sql`select from export_chunks where job_id = ${jobId}`)).rowCount;

test('a finished export is deleted with its file, by its user only, and audited', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { admitted: 2, facility: (await make.group({ type: 'HOS' })).id });
  const { id } = await start(client);
  await run(id);
  expect(await chunksOf(id)).toBe(1);
  const other = await teamOf();
  expect(await refusedWith(remove(other.client, id))).toEqual([404, 'NOT_FOUND']);
  expect((await download(client, id)).status).toBe(200);
  await remove(client, id);
  expect([await jobOf(client, id), await chunksOf(id), (await download(client, id)).status]).toEqual([
    undefined,
    0,
    404,
  ]);
  expect(await deletions(id)).toEqual([{ wasRunning: false, rows: 1 }]);
  expect(await refusedWith(remove(client, id))).toEqual([404, 'NOT_FOUND']);
});

test('an export that is canceled while it runs ends, leaves no file, and makes room for another', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { admitted: 2, facility: (await make.group({ type: 'HOS' })).id });
  const [{ id }] = await Promise.all([start(client), start(client), start(client)]);
  await expect(start(client)).rejects.toMatchObject({ status: 429 });
  let isCanceled = false;
  const pausing = {
    ...database.pipeline,
    query: async (statement: never) => {
      // In between: the attempt has begun, and has written nothing yet.
      if (!isCanceled) await remove(client, id);
      isCanceled = true;
      return database.pipeline.query(statement);
    },
  } as typeof database.pipeline;
  await run(id, { pipeline: pausing });
  expect([isCanceled, await jobOf(client, id), await chunksOf(id)]).toEqual([true, undefined, 0]);
  expect(await deletions(id)).toEqual([{ wasRunning: true, rows: 0 }]);
  // One that waits, too; and work on it that was queued does nothing.
  const { id: waiting } = await start(client);
  await remove(client, waiting);
  await run(waiting);
  expect(await jobOf(client, waiting)).toBeUndefined();
});

test('an export says what limits it, without what was typed, and its file name says that it is filtered', async () => {
  const { groupIds, client } = await teamOf(2);
  const facility = (await make.group({ type: 'HOS' })).id;
  await addPerson(groupIds[0], { first: 'Ada', admitted: 2, facility, columns: { programs: ['Lantern'] } });
  const nameOf = async (id: string) => {
    await run(id);
    return (await download(client, id)).headers.get('content-disposition')?.match(/"(.*)-\d{4}-/)?.[1];
  };
  const all = await list(client);
  const groups = { names: expect.any(Array), count: 2 };
  const nothing = {
    filterName: null,
    preferenceMap: {},
    openPatientsOnly: false,
    hasText: false,
    hasBirthDate: false,
    hidden: 0,
  };
  expect([all.limits, all.limits.groups.names.length]).toEqual([{ groups, statuses: [], list: nothing }, 2]);
  expect(await nameOf(all.id)).toBe('patients');
  const { userDefinedFacetPreferences: chosen } = filtering({ program: 'Lantern' });
  const saved = await client.call('POST /api/patient-search-params', {
    body: { ...filtering({ program: 'Lantern' }), name: 'My Lantern' },
  });
  const some = await list(
    client,
    {
      searchContext: 'PINGS',
      visibleTo: [groupIds[0]],
      userDefinedFacetPreferences: { ...chosen, query: 'Ada', dateOfBirth: '1941-03-14' },
    },
    { filterId: saved.id },
  );
  const stranger = await teamOf();
  expect((await list(stranger.client, {}, { filterId: saved.id })).limits.list?.filterName).toBe(null);
  expect((await jobOf(client, some.id))?.limits).toEqual({
    groups: { names: [expect.any(String)], count: 1 },
    statuses: [],
    list: {
      ...nothing,
      filterName: 'My Lantern',
      preferenceMap: { program: [expect.objectContaining({ value: 'Lantern' })] },
      hasText: true,
      hasBirthDate: true,
    },
  });
  expect(await nameOf(some.id)).toBe('pings-filtered');
  const died = await start(client, { statuses: ['DECEASED'] });
  expect(died.limits).toMatchObject({ statuses: ['DECEASED'], list: null });
  expect(await nameOf(died.id)).toBe('encounters-filtered');
  const { rows } = await database.owner.query<{ text: string }>(sql`
    select parameters::text || (select string_agg(a.detail::text, '') from audit_entries a where a.action = 'export.start' and a.subject_id = j.id) as text
    from export_jobs j where j.id = ${some.id}`);
  expect(rows[0]?.text).not.toMatch(/Ada|1941/);
});

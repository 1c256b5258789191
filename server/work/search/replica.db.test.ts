/** Lists whose rows are read from a hot standby. */
import { expect, test } from 'vitest';
import { createLog } from '#server/platform/http/log.ts';
import { anonymous } from '#server/testing/app.ts';
import { filtering, names, patients, startSearchApp } from '#server/testing/search.ts';
import { replicatedDatabase } from '#server/testing/standby.ts';

const { database, standby, replicaUrl } = await replicatedDatabase();
const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });
const { app, make, teamOf, addPerson } = await startSearchApp({ database, replicaUrl, log });

const state = async () => ((await (await anonymous(app).fetch('/readyz')).json()) as { replica?: string }).replica;
const becomes = (wanted: string) => expect.poll(state, { timeout: 20_000 }).toBe(wanted);
const logged = () => lines.map((line) => JSON.parse(line) as { msg: string; level: number; reason?: string });

test('a list is loaded from the replica, and what is committed appears in it', async () => {
  await becomes('in use');
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada', admitted: 1 });
  expect(await names(client)).toEqual(['Ada']);
  expect(standby.log().includes('asked as materialized')).toBe(true);
  await addPerson(groupIds[0], { first: 'Bo' });
  await expect.poll(() => names(client), { timeout: 5000 }).toEqual(['Ada', 'Bo']);
});

test('a search after the user’s own change includes it', async () => {
  const { groupIds, client } = await teamOf();
  const people = [];
  for (let n = 0; n < 5; n += 1) people.push(await addPerson(groupIds[0], { first: `P${n}`, admitted: n + 1 }));
  const open = async () => (await client.call('GET /api/pings/count/:kind', { params: { kind: 'open' } })).count;
  expect(await open()).toBe(5);
  for (const [n, { ping, event }] of people.entries()) {
    await client.call('POST /api/patients/:id/events/management-status', {
      params: { id: ping?.patientId ?? '' },
      body: { eventIdentifier: event?.id ?? '', status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'] },
    });
    expect(await open()).toBe(4 - n);
  }
  expect(await state()).toBe('in use');
});

test('a change appears also if its transaction commits after a later one', async () => {
  const { groupIds, client } = await teamOf();
  const ada = await addPerson(groupIds[0], { first: 'Ada', admitted: 3 });
  const bo = await addPerson(groupIds[0], { first: 'Bo', admitted: 2 });
  expect(await names(client)).toEqual(['Bo', 'Ada']);
  const called = (listing: { id: string }, name: string) =>
    ['update roster_patients set gender = $2 where id = $1', [listing.id, name]] as const;
  const others = () => names(client, filtering({ gender: 'Other' }));
  await database.pipeline.transaction(async (tx) => {
    await tx.query(...called(ada.listing, 'Other'));
    await database.pipeline.query(...called(bo.listing, 'Other'));
    await expect.poll(others, { timeout: 5000 }).toEqual(['Bo']);
  });
  await expect.poll(others, { timeout: 5000 }).toEqual(['Bo', 'Ada']);
  expect(await state()).toBe('in use');
});

test('without the replica lists stay right, and the process says so until it is back', async () => {
  const { groupIds, client } = await teamOf();
  const { listing } = await addPerson(groupIds[0], { first: 'Ada', admitted: 1 });
  expect(await names(client)).toEqual(['Ada']);
  await standby.stop();
  await becomes('out of use');
  expect(logged().findLast(({ msg }) => /replica/.test(msg))).toMatchObject({
    level: 50,
    msg: 'Search: the replica is out of use, and rows are read from the primary',
    reason: expect.stringContaining('not available'),
  });
  await addPerson(groupIds[0], { first: 'Bo' });
  await expect.poll(() => names(client), { timeout: 5000 }).toEqual(['Ada', 'Bo']);
  await standby.start();
  await becomes('in use');
  expect(logged().findLast(({ msg }) => /replica/.test(msg))?.msg).toBe('Search: rows are read from the replica');
  await database.pipeline.query('update roster_patients set left_at = $2 where id = $1', [listing.id, app.clock.now()]);
  await expect.poll(() => names(client), { timeout: 5000 }).toEqual(['Bo']);
});

test('a replica that falls behind hides nothing: a list that asks for all that was committed waits for the primary', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada', admitted: 1 });
  expect(await names(client)).toEqual(['Ada']);
  await becomes('in use');
  await standby.pause();
  await make.rosterPatient({ groupId: groupIds[0], personId: (await make.person()).id, first_name: 'Bo' });
  const response = await client.fetch('/api/patients/search', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', 'x-tidings-after': 'now' },
  });
  expect(((await response.json()) as Awaited<ReturnType<typeof patients>>).total).toBe(2);
  expect(await state()).toBe('out of use');
  await standby.resume();
  await becomes('in use');
});

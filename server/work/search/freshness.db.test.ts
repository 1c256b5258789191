/** How lists follow changes of the database. */
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { logChanges } from '#server/platform/changes/change-log.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { DAY, filtering, names, startSearchApp } from '#server/testing/search.ts';

const { app, make, clock, teamOf, addPerson } = await startSearchApp();

test('a search after the user’s own change always includes it', async () => {
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

test('changes by others appear: a visit’s unit, a listing that ends, a new person, a renamed facility', async () => {
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

test('after a bulk change, which logs no persons, the group is loaded again', async () => {
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

test('a thread that dies is replaced, and its question is still answered', async () => {
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

test('the days of a stay advance with the clock', async () => {
  const { groupIds, username } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada', admitted: 3 });
  const stays = async (days: string) => names(await signIn(app, username), filtering({ lengthOfStay: days }));
  expect(await stays('3:3')).toEqual(['Ada']);
  clock.advance(DAY);
  await vi.waitFor(async () => expect(await stays('4:4')).toEqual(['Ada']), { timeout: 10_000, interval: 200 });
});

test('a person with values that cannot be read is missing from lists, and all others are right', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada' });
  const { listing } = await addPerson(groupIds[0], { first: 'Bo' });
  await addPerson(groupIds[0], { first: 'Cy' });
  expect(await names(client)).toEqual(['Ada', 'Bo', 'Cy']);
  const born = (date: string) =>
    app.database.pipeline.query(sql`update roster_patients set date_of_birth = ${date} where id = ${listing.id}`);
  await born('infinity');
  await addPerson(groupIds[0], { first: 'Di' });
  await vi.waitFor(async () => expect(await names(client)).toEqual(['Ada', 'Cy', 'Di']), 10_000);
  await born('1940-01-01');
  await vi.waitFor(async () => expect(await names(client)).toEqual(['Ada', 'Bo', 'Cy', 'Di']), 10_000);
});

test('a visit that began more than a hundred years ago, or is planned in more than ten, is listed like any other', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada', admitted: 126 * 365 });
  await addPerson(groupIds[0], { first: 'Bo', admitted: -20 * 365 });
  expect(await names(client)).toEqual(['Bo', 'Ada']);
});

test('somebody whom a facility registers under more numbers than a row can hold stays on the list', async () => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { first: 'Ada', admitted: 2 });
  const { personId } = await addPerson(groupIds[0], { first: 'Bo', admitted: 1 });
  const number = (n: number) => make.rosterPatient({ groupId: groupIds[0], personId, member_id: `Number${n}` });
  await Promise.all(Array.from({ length: 1200 }, (_, n) => number(n)));
  expect(await names(client)).toEqual(['Bo', 'Ada']);
});

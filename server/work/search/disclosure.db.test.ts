/** 42 CFR Part 2 in lists: a facility's flag or a consent changes searches, facets and counts at once. */
import { expect, test, vi } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { filtering, names, patients, startSearchApp } from '#server/testing/search.ts';

const { app, make, clock, teamOf, addPerson } = await startSearchApp();

/** Teams that searched: each has a store of its own, in one of several threads. */
let stores = 0;

/** A program that lists Ada and Bo, and a hospital that Ada visits, with an administrator of the hospital's own organization. */
async function region() {
  const { groupIds, client } = await teamOf();
  const hospital = await make.group({ type: 'HOS', name: 'Alder Recovery' });
  const team = await make.team({ organizationId: hospital.organizationId, groupIds: [hospital.id] });
  const administrator = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const { id: personId } = await make.person();
  const source = { groupId: hospital.id, personId };
  await make.rosterPatient({ groupId: groupIds[0], personId, first_name: 'Ada', sort_first: 'ada' });
  await make.event({ encounterId: (await make.encounter(source)).id, code: 'ADMIT' });
  await addPerson(groupIds[0], { first: 'Bo' });
  stores += 1;
  return { client, administrator, hospital, personId, program: groupIds[0] };
}

async function setPart2(administrator: Client, id: string, isPart2Facility: boolean): Promise<void> {
  const group = (await administrator.call('GET /api/admin/groups', {})).find((each) => each.id === id);
  if (group === undefined) throw new Error('No such group');
  const { id: _, organization: __, ...fields } = group;
  await administrator.call('PUT /api/admin/groups/:id', { params: { id }, body: { ...fields, isPart2Facility } });
}

const atHospital = filtering({ facilityName: 'Alder Recovery' });
const shown = async (client: Client) => {
  const { total, facets } = await patients(client, atHospital);
  return [total, (facets.facilityName?.options ?? []).map(({ label, count }) => `${label} ${count}`)];
};
const VISIBLE = [1, ['Alder Recovery 1']];
const HIDDEN = [0, ['Alder Recovery 0']];

/** Sends the transaction of another client's change along, as a page does that was told of it. */
async function shownAfter(client: Client, change: () => Promise<unknown>) {
  await change();
  const { rows } = await app.database.pipeline.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  const response = await client.fetch('/api/patients/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tidings-after': rows[0]?.xid ?? '' },
    body: JSON.stringify(atHospital),
  });
  return ((await response.json()) as { total: number }).total;
}

test('a facility that comes under Part 2 disappears from other teams’ searches, facets and counts with the change', async () => {
  const { client, administrator, hospital } = await region();
  expect(await shown(client)).toEqual(VISIBLE);
  expect(await shownAfter(client, () => setPart2(administrator, hospital.id, true))).toBe(0);
  expect(await shown(client)).toEqual(HIDDEN);
  expect(await names(client)).toEqual(['Ada', 'Bo']);
  await setPart2(administrator, hospital.id, false);
  await vi.waitFor(async () => expect(await shown(client)).toEqual(VISIBLE), 5000);
});

test('a consent that ends hides the visit with the change', async () => {
  const { client, administrator, hospital, personId, program } = await region();
  await setPart2(administrator, hospital.id, true);
  const db = app.database.pipeline;
  const consent = () =>
    db.query(sql`insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
      values (${personId}, ${hospital.id}, ${program}, ${clock.now()})`);
  expect(await shown(client)).toEqual(HIDDEN);
  expect(await shownAfter(client, consent)).toBe(1);
  const end = () => db.query(sql`update consents set ended_at = ${clock.now()} where person_id = ${personId}`);
  expect(await shownAfter(client, end)).toBe(0);
});

test('a search waits while the rows are read again, rather than answer from before the change', async () => {
  const { client, administrator, hospital } = await region();
  expect(await shown(client)).toEqual(VISIBLE);
  const { owner, pipeline } = app.database;
  const [isLocked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = pipeline.transaction(async (tx) => {
    await tx.query('lock table encounters in access exclusive mode');
    isLocked.resolve();
    await released.promise;
  });
  await isLocked.promise;
  await setPart2(administrator, hospital.id, true);
  // All stores read the facility's visits again, so that it is known that this team's store has learned of the change.
  await vi.waitFor(async () => {
    const { rowCount } = await owner.query(
      `select from pg_locks where relation = 'tidings.encounters'::regclass and not granted`,
    );
    expect(rowCount).toBeGreaterThanOrEqual(stores);
  }, 10_000);
  const answer = patients(client, atHospital);
  released.resolve();
  await locking;
  expect((await answer).total).toBe(0);
});

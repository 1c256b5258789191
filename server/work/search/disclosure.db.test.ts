/** 42 CFR Part 2 in lists: a facility's flag or a consent changes searches, facets and counts at once. */
import { expect, test, vi } from 'vitest';
import type { StatusChange } from '#contract/pings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { filtering, names, patients, startSearchApp } from '#server/testing/search.ts';

const { app, make, clock, teamOf, addPerson } = await startSearchApp();

/** A program that lists Ada and Bo, and a hospital that Ada visits, with an administrator of the hospital's own organization. */
async function region() {
  const { groupIds, client } = await teamOf();
  const hospital = await make.group({ type: 'HOS', name: 'Alder Recovery' });
  const team = await make.team({ organizationId: hospital.organizationId, groupIds: [hospital.id] });
  const administrator = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const { username } = await make.user({ team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, username);
  const { id: personId } = await make.person();
  const source = { groupId: hospital.id, personId };
  await make.rosterPatient({ groupId: groupIds[0], personId, first_name: 'Ada', sort_first: 'ada' });
  await make.event({ encounterId: (await make.encounter(source)).id, code: 'ADMIT' });
  await addPerson(groupIds[0], { first: 'Bo' });
  return { client, administrator, operator, hospital, personId, program: groupIds[0] };
}

async function setPart2(administrator: Client, id: string, isPart2Facility: boolean): Promise<void> {
  const group = (await administrator.call('GET /api/admin/groups', { query: { pageSize: 100 } })).groups.find(
    (each) => each.id === id,
  );
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

// First, so that no other team's store reads too.
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
  try {
    await setPart2(administrator, hospital.id, true);
    // The store has learned of the change once it reads the facility's visits again.
    await vi.waitFor(async () => {
      const { rowCount } = await owner.query(
        `select from pg_locks where relation = 'tidings.encounters'::regclass and not granted`,
      );
      expect(rowCount).toBeGreaterThanOrEqual(1);
    }, 10_000);
    const answer = patients(client, atHospital);
    released.resolve();
    expect((await answer).total).toBe(0);
  } finally {
    released.resolve();
    await locking;
  }
});

test('a facility that comes under Part 2 disappears from other teams’ searches, facets and counts with the change', async () => {
  const { client, administrator, operator, hospital } = await region();
  expect(await shown(client)).toEqual(VISIBLE);
  expect(await shownAfter(client, () => setPart2(administrator, hospital.id, true))).toBe(0);
  expect(await shown(client)).toEqual(HIDDEN);
  expect(await names(client)).toEqual(['Ada', 'Bo']);
  await setPart2(operator, hospital.id, false);
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

test('what a diagnosis code means is never told in the words of a Part 2 facility, also with consent', async () => {
  const { client, hospital, personId, program } = await region();
  const db = app.database.pipeline;
  await db.query(sql`update groups set is_part2_facility = true where id = ${hospital.id}`);
  await db.query(sql`insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
    values (${personId}, ${hospital.id}, ${program}, ${clock.now()})`);
  const diagnoses = [
    {
      code: 'F10.20',
      description: 'Alcohol, says Alder',
      type: 'F' as const,
      rank: 1,
      codeSystem: 'I10',
      priority: null,
    },
  ];
  const visit = { diagnoses };
  await make.event({
    encounterId: (await make.encounter({ groupId: hospital.id, personId, visit })).id,
    code: 'ADMIT',
  });
  const labels = async () =>
    (await patients(client, {})).facets.diagnoses?.options.map(({ label }) => label).filter((each) => /F10/.test(each));
  await vi.waitFor(async () => expect(await labels()).toEqual(['F10.20']), 5000);
});

/** What a Part 2 facility's visit of Ada had shown to the program's team before its mark or a consent changed. */
async function pinged() {
  const { client, administrator, hospital, personId, program } = await region();
  const [{ id: listing, eventId, encounterId }] = (
    await app.database.pipeline.query<{ id: string; eventId: string; encounterId: string }>(sql`
      select r.id, v.id as "eventId", e.id as "encounterId" from roster_patients r
        join encounters e on e.person_id = r.person_id join events v on v.encounter_id = e.id
      where r.person_id = ${personId} and r.group_id = ${program}`)
  ).rows as [{ id: string; eventId: string; encounterId: string }];
  const encounter = { id: encounterId, personId };
  await make.ping({ groupId: program, encounter, eventId, rosterPatientId: listing, status: 'IN_PROGRESS' });
  const all = ['NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED'];
  const inbox = async (parameters = filtering({ managementStatus: all })) => {
    const { patients: rows, total, facets } = await client.call('POST /api/pings', { body: parameters });
    const { hashes } = await client.call('POST /api/pings-result-hashes', { body: parameters });
    expect([rows.length, hashes.length]).toEqual([total, total]);
    return [total, (facets.facilityName?.options ?? []).map(({ label, count }) => `${label} ${count}`)];
  };
  const open = async () => (await client.call('GET /api/pings/count/:kind', { params: { kind: 'open' } })).count;
  const complete = (query: string) => {
    const parameters = { ...filtering({ managementStatus: all }), searchContext: 'PINGS' as const };
    const body = { query, parameters };
    return client.call('POST /api/typeahead/:kind', { params: { kind: 'facilities' }, body });
  };
  const preview = () =>
    client.call('POST /api/patient-search-params/preview', { body: filtering({ managementStatus: all }) });
  return {
    client,
    administrator,
    hospital,
    personId,
    program,
    listing,
    eventId,
    encounterId,
    inbox,
    open,
    complete,
    preview,
  };
}

test('the pings of a facility that comes under Part 2 disappear from the inbox, its counts, filters and typeahead', async () => {
  const { administrator, hospital, inbox, open, complete, preview } = await pinged();
  expect(await inbox()).toEqual([1, ['Alder Recovery 1']]);
  expect([await open(), (await complete('Alder')).length]).toEqual([1, 1]);
  expect(await preview()).toMatchObject({ pings: 1, patients: 1 });
  await setPart2(administrator, hospital.id, true);
  await vi.waitFor(async () => expect(await inbox()).toEqual([0, []]), 5000);
  expect(await inbox(filtering({ managementStatus: 'IN_PROGRESS', facilityName: 'Alder Recovery' }))).toEqual([
    0,
    ['Alder Recovery 0'],
  ]);
  expect([await open(), await complete('Alder')]).toEqual([0, []]);
  expect(await preview()).toMatchObject({ pings: 0, patients: 0 });
});

test('a ping is in the inbox while a consent is in force', async () => {
  const { administrator, hospital, personId, program, inbox, open } = await pinged();
  await setPart2(administrator, hospital.id, true);
  await vi.waitFor(async () => expect(await inbox()).toEqual([0, []]), 5000);
  const db = app.database.pipeline;
  await db.query(sql`insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
    values (${personId}, ${hospital.id}, ${program}, ${clock.now()})`);
  await vi.waitFor(async () => expect(await inbox()).toEqual([1, ['Alder Recovery 1']]), 5000);
  await db.query(sql`update consents set ended_at = ${clock.now()} where person_id = ${personId}`);
  await vi.waitFor(async () => expect([await inbox(), await open()]).toEqual([[0, []], 0]), 5000);
});

test('a ping that Part 2 hides has no history and cannot be changed, whichever form the patient’s id has', async () => {
  const { client, administrator, hospital, listing, eventId, encounterId } = await pinged();
  const change: StatusChange = { eventIdentifier: eventId, status: 'RESOLVED', resolutions: ['CONTACTED_PATIENT'] };
  const params = { id: `${listing}_0` };
  const { id } = await client.call('POST /api/patients/:id/events/management-status', { params, body: change });
  const history = (patientId: string) => ({ params: { id: patientId }, body: { eventIdentifier: eventId } });
  const HISTORY = 'POST /api/patients/:id/events/management-status-history';
  expect(await client.call(HISTORY, history(params.id))).toMatchObject([{ id }]);
  await setPart2(administrator, hospital.id, true);
  expect(await client.call(HISTORY, history(params.id))).toEqual([]);
  for (const patientId of [`${listing}_0`, `${listing}_${encounterId}`]) {
    const body = { eventIdentifier: eventId, status: 'IN_PROGRESS' as const };
    const call = { params: { id: patientId }, body };
    const refusal = await errorOf(client, 'POST /api/patients/:id/events/management-status', call);
    expect(refusal.errorKey).toBe('NOT_FOUND');
  }
  const { rows } = await app.database.pipeline.query(
    'select management_status as status from pings where event_id = $1',
    [eventId],
  );
  expect(rows).toEqual([{ status: 'RESOLVED' }]);
});

test('a retracted ping of a Part 2 facility, whose visit turned out to be another person’s, is hidden too', async () => {
  const { client, administrator, hospital, personId, listing, encounterId, inbox } = await pinged();
  const { id: other } = await make.person();
  const db = app.database.pipeline;
  await db.query(sql`update encounters set person_id = ${other} where id = ${encounterId}`);
  await db.query(sql`update pings set state = 'CANCELLED' where encounter_id = ${encounterId}`);
  await vi.waitFor(async () => expect((await inbox())[0]).toBe(1), 5000);
  const params = { id: `${listing}_${encounterId}` };
  expect((await client.call('GET /api/patients/:id', { params })).currentPing?.state).toBe('CANCELLED');
  await setPart2(administrator, hospital.id, true);
  await vi.waitFor(async () => expect(await inbox()).toEqual([0, []]), 5000);
  expect((await errorOf(client, 'GET /api/patients/:id', { params })).errorKey).toBe('NOT_FOUND');
  // A consent counts if it is of the person whom the ping was sent for.
  const consents = (person: string) =>
    db.query(sql`insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
      select ${person}, ${hospital.id}, r.group_id, ${clock.now()} from roster_patients r where r.id = ${listing}`);
  await consents(other);
  expect((await errorOf(client, 'GET /api/patients/:id', { params })).errorKey).toBe('NOT_FOUND');
  await consents(personId);
  expect((await client.call('GET /api/patients/:id', { params })).currentPing?.state).toBe('CANCELLED');
});

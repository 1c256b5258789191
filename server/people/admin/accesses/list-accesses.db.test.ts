import { expect, test } from 'vitest';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { sql } from '#server/platform/database/sql.ts';
import { refusal } from '#server/testing/administration.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make } = app;

/** Makes an organization with a group, and signs in an administrator and a nurse of its team. */
async function organization() {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const enter = async (role: 'administrator' | 'care coordinator', lastName: string) => {
    const { id, username } = await make.user({ team, role, firstName: 'Bo', lastName });
    return { id, client: await signIn(app, username) };
  };
  const [admin, nurse] = [await enter('administrator', 'Admin'), await enter('care coordinator', 'Nurse')];
  return { groupId, team, admin, nurse };
}

const accessesOf = async (client: Client, patientId: string) =>
  (await client.call('GET /api/patients/:id/accesses', { params: { id: patientId }, query: {} })).accesses;

test('an administrator sees who opened, found, listed and changed a patient, and nothing of other organizations', async () => {
  const [here, there] = [await organization(), await organization()];
  const { personId, ...ping } = await make.ping({ groupId: here.groupId });
  const elsewhere = await make.rosterPatient({ groupId: there.groupId, personId });
  const { client } = here.nurse;
  const params = { id: ping.patientId };
  await client.call('POST /api/pings', { body: {} });
  await client.call('POST /api/patients/search', { body: { userDefinedFacetPreferences: { query: 'okonkwo' } } });
  await client.call('GET /api/patients/:id', { params });
  const status = { eventIdentifier: ping.eventId, status: 'IN_PROGRESS' as const, resolutions: [] };
  await client.call('POST /api/patients/:id/events/management-status', { params, body: status });
  await there.nurse.client.call('GET /api/patients/:id', { params: { id: `${elsewhere.id}_0` } });

  const seen = await accessesOf(here.admin.client, ping.patientId);
  expect(seen.map(({ kind }) => kind)).toEqual(['status-changed', 'opened', 'found', 'listed']);
  expect(seen[0]).toMatchObject({
    by: { id: here.nurse.id, name: 'Bo Nurse' },
    team: { id: here.team.id, name: here.team.name },
    isBackground: false,
  });
  expect((await accessesOf(there.admin.client, `${elsewhere.id}_0`)).map(({ kind }) => kind)).toEqual(['opened']);
  expect((await accessesOf(here.admin.client, ping.patientId)).map(({ kind }) => kind)[0]).toBe('audited');
});

test('equal looks within minutes are one entry, on the screen and in the file, and each is in the audit log', async () => {
  const { groupId, team, admin, nurse } = await organization();
  const { id } = await make.rosterPatient({ groupId });
  const params = { id: `${id}_0` };
  const story = async (client: Client) => {
    await client.call('GET /api/patients/:id', { params });
    await client.call('GET /api/patients/:id/encounters', { params, query: {} });
  };
  for (let n = 0; n < 3; n += 1) {
    await story(nurse.client);
    app.clock.advance(30_000);
  }
  await story(admin.client);
  const body = { patientIds: [params.id] };
  for (let n = 0; n < 2; n += 1) await nurse.client.call('POST /api/prints', { body });
  app.clock.advance(10 * 60_000);
  await nurse.client.call('GET /api/patients/:id', { params });
  const list = await admin.client.call('GET /api/patients/:id/accesses', { params, query: {} });
  expect(list.accesses.map(({ kind, by, times }) => [kind, by?.name, times])).toEqual([
    ['opened', 'Bo Nurse', 1],
    ['printed', 'Bo Nurse', 1],
    ['printed', 'Bo Nurse', 1],
    ['visits-read', 'Bo Admin', 1],
    ['opened', 'Bo Admin', 1],
    ['visits-read', 'Bo Nurse', 3],
    ['opened', 'Bo Nurse', 3],
  ]);
  expect(list.total).toBe(7);
  const file = await admin.client.fetch(`/api/patients/${params.id}/accesses.csv?teamId=${team.id}`);
  expect(await file.text()).toContain('"Opened the patient, 3 times within 1 minute"');
  const { rows } = await app.database.owner.query<{ count: string }>(sql`
    select count(*) from audit_entries where user_id = ${nurse.id} and action = 'patient.view' and patient_ids @> array[${id}::bigint]`);
  expect(Number(rows[0]?.count)).toBe(4);
});

test('the list says whose it is to administrators who may view the patient', async () => {
  const { groupId, team, admin } = await organization();
  const patient = { firstName: 'Wilma', middleName: null, lastName: 'Heronsgate', nameSuffix: null };
  const { id } = await make.rosterPatient({ groupId, first_name: 'Wilma', last_name: 'Heronsgate' });
  const named = async (client: Client) =>
    (await client.call('GET /api/patients/:id/accesses', { params: { id: `${id}_0` }, query: {} })).patient;
  expect(await named(admin.client)).toMatchObject(patient);
  const other = await make.user({ team, role: 'administrator' });
  const of = { userId: other.id, teamId: team.id, groupId, role: 'administrator' } as const;
  await grantRole(app.database.pipeline, { ...of, removed: ['canViewPatients'] });
  expect(await named(await signIn(app, other.username))).toBeNull();
});

test('a patient of other groups is NOT_FOUND for an administrator, and an operator sees every team, and who was refused', async () => {
  const [here, there] = [await organization(), await organization()];
  const { patientId } = await make.ping({ groupId: here.groupId });
  await here.nurse.client.call('GET /api/patients/:id', { params: { id: patientId } });
  expect(await refusal(accessesOf(there.admin.client, patientId))).toBe('NOT_FOUND');
  expect(await refusal(accessesOf(here.nurse.client, patientId))).toBe('NOT_PERMITTED');
  const operator = await make.user({ team: there.team, role: 'administrator', isOperator: true });
  const seen = await accessesOf(await signIn(app, operator.username), patientId);
  expect(seen.map(({ kind, team }) => [kind, team?.id])).toEqual([
    ['refused', here.team.id],
    ['refused', there.team.id],
    ['opened', here.team.id],
  ]);
});

test('a person who was shown as similar counts as seen, by whoever saw the warning', async () => {
  const { groupId, admin, nurse } = await organization();
  const [opened, similar] = [await make.rosterPatient({ groupId }), await make.rosterPatient({ groupId })];
  await nurse.client.call('GET /api/patients/:id', { params: { id: `${opened.id}_0` } });
  expect((await accessesOf(admin.client, `${similar.id}_0`)).map(({ kind }) => kind)).toEqual(['similar']);
});

test('what made visits elsewhere readable is in the list of the group’s administrator, and in no other', async () => {
  const [here, there] = [await organization(), await organization()];
  const { id: listing, personId } = await make.rosterPatient({ groupId: here.groupId });
  const elsewhere = await make.rosterPatient({ groupId: there.groupId, personId });
  const from = '2026-01-01T00:00:00.000Z';
  await app.database.pipeline.query(sql`
    insert into record_openings (at, person_id, group_id, roster_patient_id, how, user_id, opens_from, foreign_visits)
    values (now(), ${personId}, ${here.groupId}, ${listing}, 'ROSTER', ${here.admin.id}, ${from}, 3),
      (now() + interval '1 second', ${personId}, ${here.groupId}, ${listing}, 'FEED', null, ${from}, 1)`);

  const group = { id: here.groupId };
  expect(await accessesOf(here.admin.client, `${listing}_0`)).toMatchObject([
    { kind: 'readable', by: null, team: null, opening: { group, how: 'FEED', from, visits: 1 } },
    {
      kind: 'readable',
      by: { id: here.admin.id, name: 'Bo Admin' },
      opening: { group, how: 'ROSTER', from, visits: 3 },
    },
  ]);
  expect(await accessesOf(there.admin.client, `${elsewhere.id}_0`)).toEqual([]);
});

test('other organizations that read the record are named, their people are not', async () => {
  const [here, there, elsewhere] = [await organization(), await organization(), await organization()];
  const { id: listing, personId } = await make.rosterPatient({ groupId: here.groupId });
  const theirs = await make.rosterPatient({ groupId: there.groupId, personId });
  const treated = await make.rosterPatient({ groupId: elsewhere.groupId, personId });
  await app.database.pipeline.query(sql`update groups set is_part2_facility = true where id = ${elsewhere.groupId}`);
  for (const id of [`${theirs.id}_0`, `${theirs.id}_0`])
    await there.nurse.client.call('GET /api/patients/:id', { params: { id } });
  // That a 42 CFR Part 2 facility reads the record would tell that the patient is treated there.
  await elsewhere.nurse.client.call('GET /api/patients/:id', { params: { id: `${treated.id}_0` } });
  const list = () =>
    here.admin.client.call('GET /api/patients/:id/accesses', { params: { id: `${listing}_0` }, query: {} });
  const now = app.clock.now().toISOString();
  const { rows } = await app.database.pipeline.query<{ name: string }>(sql`
    select o.name from organizations o join groups g on g.organization_id = o.id where g.id = ${there.groupId}`);
  const reader = { organization: rows[0]?.name, reads: 2, emergencies: 0, firstDate: now, lastDate: now };
  expect((await list()).elsewhere).toEqual([reader]);

  const path = `/api/patients/${listing}_0/accesses.csv?teamId=${here.team.id}`;
  const file = await here.admin.client.fetch(path);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const text = await file.text();
  expect(text.split('\r\n')[1]).toBe(
    `${now},,,${rows[0]?.name},"Read 2 times since ${now.slice(0, 10)}, 0 times in an emergency",`,
  );
  expect(text).not.toContain('Bo Nurse');
  expect((await here.nurse.client.fetch(path)).status).toBe(403);
  expect((await there.admin.client.fetch(path.replace(/teamId=.*/, `teamId=${there.team.id}`))).status).toBe(404);
  expect((await list()).accesses.map(({ kind }) => kind)).toContain('audited');
});

test('a print-out is in the list of everyone on it, and one of somebody else’s patient is refused', async () => {
  const [here, there] = [await organization(), await organization()];
  const [ann, bob] = [
    await make.rosterPatient({ groupId: here.groupId }),
    await make.rosterPatient({ groupId: here.groupId }),
  ];
  const stranger = await make.rosterPatient({ groupId: there.groupId });
  const print = (...ids: string[]) =>
    here.nurse.client.call('POST /api/prints', { body: { patientIds: ids.map((id) => `${id}_0`) } });
  await print(ann.id, bob.id);
  for (const { id } of [ann, bob])
    expect(await accessesOf(here.admin.client, `${id}_0`)).toMatchObject([
      { kind: 'printed', by: { id: here.nurse.id } },
    ]);
  expect(await refusal(print(ann.id, stranger.id))).toBe('NOT_FOUND');
  expect((await accessesOf(there.admin.client, `${stranger.id}_0`)).map(({ kind }) => kind)).not.toContain('printed');
});

test('reading, recording and ending a consent, tags and forms are told apart', async () => {
  const { groupId, admin, nurse } = await organization();
  const { id } = await make.rosterPatient({ groupId });
  const params = { id: `${id}_0` };
  await nurse.client.call('GET /api/patients/:id/consents', { params });
  await nurse.client.call('GET /api/patients/:id/tags', { params });
  await nurse.client.call('PUT /api/patients/:id/tags', { params, body: { tagIds: [] } });
  await nurse.client.call('GET /api/patients/:id/care-team', { params });
  expect((await accessesOf(admin.client, params.id)).map(({ kind }) => kind)).toEqual([
    'care-team-read',
    'tagged',
    'tags-read',
    'consents-read',
  ]);
});

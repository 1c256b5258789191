/** Exports over HTTP: what they contain, who may make and download them, and how long they are kept. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { EXPORT_FIELD_IDS, type ExportFieldId } from '#contract/export-fields.ts';
import { signIn } from '#server/testing/app.ts';
import { exporting, readCsv } from '#server/testing/exports.ts';
import { filtering, startSearchApp } from '#server/testing/search.ts';
import { storyScene } from '#server/testing/story-scene.ts';
import { tendExports } from './queries.ts';

const { app, make, clock, teamOf, addPerson } = await startSearchApp();
const { database } = app;
const { run, start, get, download, jobOf, exported } = exporting(app);
const DAY = 86_400_000;

const auditOf = async (action: string, jobId: string | null) => {
  const { rows } = await database.owner.query<{ detail: object; patient_ids: string[] | null }>(
    'select detail, patient_ids::text[] from audit_entries where action = $1 and subject_id is not distinct from $2::bigint order by id',
    [action, jobId],
  );
  return rows;
};

test('an export has a row for each encounter of a listed patient, and is in the audit log with its patients and downloads', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  const hospital = await make.group({ type: 'HOS', facilityType: 'HOS', name: 'Mercy General' });
  const diagnosis = { code: 'I50.9', description: 'Heart failure' };
  const ada = await addPerson(groupId, {
    first: 'Ada',
    admitted: 5,
    discharged: 2,
    facility: hospital.id,
    diagnosis,
    columns: { programs: ['Lantern', 'Harbor'], city: 'Ithaca', home_phone: '607 555 0100' },
  });
  await addPerson(groupId, { first: 'Bo', admitted: 1, facility: hospital.id });
  await addPerson(groupId, { first: 'Cy' });
  const fields = EXPORT_FIELD_IDS;
  const { id, rows } = await exported(client, { fields });
  expect(rows.map((row) => row['First name'])).toEqual(['Ada', 'Bo']);
  expect(rows[0]).toMatchObject({
    'Patient ID': `${ada.listing.id}_${ada.encounter?.id}`,
    'Last name': 'Kestrel',
    'Date of birth': '03/14/1941',
    City: 'Ithaca',
    'Home phone': '607 555 0100',
    Programs: 'Lantern; Harbor',
    Facility: 'Mercy General',
    'Facility type': 'Hospital',
    'Encounter status': 'Finished',
    'Latest event': 'Discharged',
    'Admitted (ET)': '11/15/2026 10:00 AM',
    'Discharged (ET)': '11/18/2026 10:00 AM',
    'Length of stay (days)': '3',
    'Primary diagnosis': 'I50.9 Heart failure',
    '42 CFR Part 2 notice': '',
  });
  expect(await jobOf(client, id)).toMatchObject({
    name: 'Encounters, all dates',
    inProgress: false,
    failed: false,
    rows: 2,
    total: 2,
    expiresAt: new Date(clock.now().getTime() + 7 * DAY).toISOString(),
  });
  expect(await auditOf('export.start', id)).toMatchObject([{ detail: { kind: 'ENCOUNTERS', exportType: 'CSV' } }]);
  expect(await auditOf('export.download', id)).toMatchObject([{ detail: { rows: 2 } }]);
  const [named] = await auditOf('export.patients', id);
  expect(named?.patient_ids).toHaveLength(2);
  expect(named?.patient_ids).toContain(ada.listing.id);
});

test('the admission of an export is the one as an inpatient, also of a stay that was changed back to observation', async () => {
  const { client, facility, before } = await storyScene(app);
  const mercy = await facility();
  const of = { visit: 'V-1', admitted: before(3, '1000') };
  await mercy.send('A04', before(3, '1000'), { ...of, patientClass: 'E' });
  await mercy.send('A06', before(2), { ...of, patientClass: 'I' });
  const admitted = async () =>
    (await exported(client, { fields: ['setting', 'admitted'] })).rows.map((row) => [
      row.Setting,
      row['Admitted (ET)'],
    ]);
  expect(await admitted()).toEqual([['Inpatient', '11/18/2026 09:00 AM']]);
  await mercy.send('A07', before(1, '1500'), { ...of, patientClass: 'OBS' });
  expect(await admitted()).toEqual([['Observation', '11/18/2026 09:00 AM']]);
});

test('an encounter is exported if it had one of the events between the dates', async () => {
  const { groupIds, client } = await teamOf();
  const facility = (await make.group({ type: 'HOS' })).id;
  await addPerson(groupIds[0], { first: 'Ada', admitted: 9, discharged: 4, facility });
  await addPerson(groupIds[0], { first: 'Bo', admitted: 4, facility });
  await addPerson(groupIds[0], { first: 'Cy', admitted: 1, facility });
  const names = async (query: object) => (await exported(client, { ...query })).rows.map((row) => row['First name']);
  expect(await names({ statuses: ['DISCHARGE'] })).toEqual(['Ada']);
  expect(await names({ statuses: ['ADMIT', 'DISCHARGE'] })).toEqual(['Ada', 'Bo', 'Cy']);
  expect(await names({ beginDate: '2026-11-16', endDate: '2026-11-16' })).toEqual(['Ada', 'Bo']);
  expect(await names({ statuses: ['ADMIT'], beginDate: '2026-11-17' })).toEqual(['Cy']);
  const refused = [
    { beginDate: '2026-11-17', endDate: '2026-11-16' },
    { beginDate: '0001-01-01' },
    { beginDate: '1899-12-31' },
    { endDate: '9999-12-31' },
  ];
  for (const query of refused) await expect(start(client, query)).rejects.toMatchObject({ status: 400 });
});

test('fields that need a permission are offered, and filled, only for groups where the user holds it', async () => {
  const { id: organizationId } = await make.organization();
  const [full, bare] = [await make.group({ organizationId }), await make.group({ organizationId })];
  const team = await make.team({ organizationId, groupIds: [full.id, bare.id] });
  const user = await make.user({ team, role: 'viewer' });
  await database.owner.query(
    `update grants set added = '{canViewAllPatientDetails}' where user_id = $1 and group_id = $2`,
    [user.id, full.id],
  );
  const client = await signIn(app, user.username);
  const facility = (await make.group({ type: 'HOS' })).id;
  for (const [group, first] of [
    [full.id, 'Ada'],
    [bare.id, 'Bo'],
  ] as const)
    await addPerson(group, { first, admitted: 2, facility, columns: { city: 'Ithaca' } });
  const offered = async (groupIds: string[]) =>
    (await client.call('POST /api/export/fields', { body: { groupIds } })).map(({ id }) => id);
  expect(await offered([])).toContain('city');
  expect(await offered([bare.id])).not.toContain('city');
  const fields = ['firstName', 'city'] as ExportFieldId[];
  const { rows } = await exported(client, { fields });
  expect(rows.map((row) => [row['First name'], row['City']])).toEqual([
    ['Ada', 'Ithaca'],
    ['Bo', ''],
  ]);
  const ofOne = await exported(client, { fields: ['firstName'], groupIds: [bare.id] });
  expect(ofOne.rows.map((row) => row['First name'])).toEqual(['Bo']);
  await expect(start(client, { fields, groupIds: [bare.id] })).rejects.toMatchObject({ status: 403 });
  const other = await make.group();
  await expect(start(client, { groupIds: [other.id] })).rejects.toMatchObject({ status: 403 });
});

test('a formula in a name is a text, and a workbook has the same cells', async () => {
  const { groupIds, client } = await teamOf();
  const facility = (await make.group({ type: 'HOS' })).id;
  await addPerson(groupIds[0], { first: '=HYPERLINK("x")', last: '+1', admitted: 2, facility });
  const { rows } = await exported(client, { fields: ['firstName', 'lastName'] });
  expect(rows).toMatchObject([{ 'First name': `'=HYPERLINK("x")`, 'Last name': "'+1" }]);
  const { id } = await start(client, { exportType: 'XLSX' });
  await run(id);
  const response = await download(client, id);
  const file = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="encounters-2026-11-20-\d+\.xlsx"$/,
  );
  expect(Number(response.headers.get('content-length'))).toBe(file.length);
  expect(file.subarray(0, 4).toString()).toBe('PK\u{3}\u{4}');
});

test('only its user downloads an export, in its team, with the rights that it was made with', async () => {
  const { groupIds, client, team } = await teamOf();
  await addPerson(groupIds[0], { admitted: 2, facility: (await make.group({ type: 'HOS' })).id });
  const { id } = await exported(client);
  const colleague = await make.user({ team, role: 'administrator' });
  expect((await download(await signIn(app, colleague.username), id)).status).toBe(404);
  const waiting = await start(client);
  expect((await download(client, waiting.id)).status).toBe(404);
  await database.owner.query(`update grants set removed = '{canViewPatients}' where group_id = $1`, [groupIds[0]]);
  expect((await download(client, id)).status).toBe(403);
  await run(waiting.id);
  expect(await jobOf(client, waiting.id)).toMatchObject({ failed: true, failure: 'ACCESS', inProgress: false });
});

test.each([
  ['canViewAllPatientDetails', 'memberId'],
  ['canViewPatientTags', 'patientTags'],
] as const)('a file with columns for which %s is needed is not downloaded without it', async (flag, field) => {
  const { groupIds, client } = await teamOf();
  await addPerson(groupIds[0], { admitted: 2, facility: (await make.group({ type: 'HOS' })).id });
  const { id } = await exported(client, { fields: ['lastName', field] });
  const plain = await exported(client, { fields: ['lastName'] });
  const list = await client.call('POST /api/export/initiate-list-export', { query: {}, body: {} });
  await run(list.id);
  await database.owner.query('update grants set removed = $1 where group_id = $2', [[flag], groupIds[0]]);
  expect((await download(client, id)).status).toBe(403);
  expect((await download(client, list.id)).status).toBe(403);
  expect((await download(client, plain.id)).status).toBe(200);
});

test('a list is exported as its filters match, with all rows in its order', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  const facility = (await make.group({ type: 'HOS' })).id;
  await addPerson(groupId, { first: 'Bo', admitted: 2, facility, columns: { programs: ['Lantern'] } });
  await addPerson(groupId, { first: 'Ada', columns: { programs: ['Lantern'] } });
  await addPerson(groupId, { first: 'Cy', admitted: 1, facility, status: 'RESOLVED' });
  const list = async (body: object) => {
    const job = await client.call('POST /api/export/initiate-list-export', { query: { exportType: 'CSV' }, body });
    await run(job.id);
    return { job, rows: readCsv(await (await download(client, job.id)).text()) };
  };
  const { job, rows } = await list({ ...filtering({ program: 'Lantern' }), sortBy: ['FIRST_NAME'], pageSize: 1 });
  expect(job).toMatchObject({ name: 'Patients list', total: 2, inProgress: true });
  expect(rows.map((row) => row['First name'])).toEqual(['Ada', 'Bo']);
  expect(rows[0]).not.toHaveProperty('Ping status');
  const inbox = await list({ searchContext: 'PINGS', ...filtering({ managementStatus: ['NEW', 'RESOLVED'] }) });
  expect(inbox.rows.map((row) => [row['First name'], row['Ping status']])).toEqual([
    ['Cy', 'Resolved'],
    ['Bo', 'Unresolved'],
  ]);
  expect((await list({ searchContext: 'PINGS' })).rows.map((row) => row['First name'])).toEqual(['Bo']);
  expect((await auditOf('export.patients', job.id)).flatMap(({ patient_ids: ids }) => ids)).toHaveLength(2);
});

test('a canceled event is named as canceled in lists, and is no event of an encounter', async () => {
  const { groupIds, client } = await teamOf();
  const facility = (await make.group({ type: 'HOS' })).id;
  const { event, ...ada } = await addPerson(groupIds[0], { first: 'Ada', admitted: 2, facility });
  const canceled = await make.event({
    encounterId: ada.encounter?.id ?? '',
    code: 'DISCHARGE',
    ...(event && { at: event.at }),
  });
  await addPerson(groupIds[0], { first: 'Bo', admitted: 1, facility });
  for (const table of ['events', 'pings'])
    await database.owner.query(
      `update ${table} set state = 'CANCELLED' where ${table === 'events' ? 'id' : 'event_id'} in ($1, $2)`,
      [canceled.id, event?.id],
    );
  const list = async (searchContext: 'EVENTS' | 'PINGS') => {
    const job = await client.call('POST /api/export/initiate-list-export', { query: {}, body: { searchContext } });
    await run(job.id);
    return readCsv(await (await download(client, job.id)).text());
  };
  const events = await list('EVENTS');
  expect(events[0]).toHaveProperty('Event date (ET)');
  expect(events[0]).not.toHaveProperty('Latest event');
  expect(events.map((row) => [row['First name'], row['Event'], row['Event state']])).toEqual(
    expect.arrayContaining([
      ['Ada', 'Admitted', 'Canceled'],
      ['Bo', 'Admitted', 'Reported'],
    ]),
  );
  const pings = await list('PINGS');
  expect(pings.map((row) => [row['First name'], row['Latest event'], row['Event state']])).toEqual([
    ['Bo', 'Admitted', 'Reported'],
    ['Ada', 'Admitted', 'Canceled'],
  ]);
  const { rows } = await exported(client, { fields: ['firstName', 'encounterStatus', 'latestEvent'] });
  expect(rows).toEqual([
    { 'First name': 'Ada', 'Encounter status': 'In progress', 'Latest event': '', '42 CFR Part 2 notice': '' },
    { 'First name': 'Bo', 'Encounter status': 'In progress', 'Latest event': 'Admitted', '42 CFR Part 2 notice': '' },
  ]);
});

test('a list says what its rows say: age, death, why, due day and owner', async () => {
  const { groupIds, client } = await teamOf();
  const { user } = await client.call('GET /api/me', {});
  const facility = (await make.group({ type: 'HOS' })).id;
  const ada = await addPerson(groupIds[0], { first: 'Ada', admitted: 5, discharged: 2, facility });
  const bo = await addPerson(groupIds[0], { first: 'Bo', admitted: 1, facility });
  await database.pipeline.query(
    `update source_patients set deceased = true, deceased_on = '2026-03-01' where id = (select source_patient_id from encounters where id = $1)`,
    [bo.encounter?.id],
  );
  const patientId = `${ada.listing.id}_${ada.encounter?.id}`;
  await client.call('POST /api/stays/assign', {
    body: { stays: [{ patientId, expectedVersion: '0' }], userId: user.id },
  });
  const columns = ['First name', 'Age', 'Died', 'Why on the list', 'Due', 'Owner'];
  for (const searchContext of ['PINGS', 'ALL'] as const) {
    const job = await client.call('POST /api/export/initiate-list-export', {
      query: {},
      body: { searchContext, sortBy: ['FIRST_NAME'] },
    });
    await run(job.id);
    const rows = readCsv(await (await download(client, job.id)).text());
    expect(rows.map((row) => columns.map((column) => row[column]))).toEqual([
      ['Ada', '85', '', 'TCM contact due today', '11/20/2026', 'Ama Osei'],
      ['Bo', '84 at death', 'Yes, 03/01/2026, in doubt', expect.stringMatching(/^Contradicts the death/), '', ''],
    ]);
  }
  const { rows } = await exported(client);
  for (const column of columns.slice(1)) expect(rows[0]).not.toHaveProperty(column);
});

test('patients with an active encounter come as a file at once, filtered by a saved filter', async () => {
  const { groupIds, client } = await teamOf();
  const [groupId] = groupIds;
  const facility = (await make.group({ type: 'HOS' })).id;
  await addPerson(groupId, { first: 'Ada', admitted: 2, facility, columns: { programs: ['Lantern'] } });
  await addPerson(groupId, { first: 'Bo', admitted: 2, facility });
  await addPerson(groupId, { first: 'Cy', admitted: 3, discharged: 1, facility });
  const active = async (query = '') => get(client, `/api/export/patient-active-encounters${query}`);
  const namesIn = async (response: Response) => readCsv(await response.text()).map((row) => row['First name']);
  const response = await active('?searchContext=ALL');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="active-encounters-2026-11-20.csv"');
  expect(await namesIn(response)).toEqual(expect.arrayContaining(['Ada', 'Bo']));
  const body = { name: 'Lantern', ...filtering({ program: 'Lantern' }) };
  const { id } = await client.call('POST /api/patient-search-params', { body });
  expect(await namesIn(await active(`?filterId=${id}`))).toEqual(['Ada']);
  expect(await namesIn(await active('?searchContext=PINGS'))).toHaveLength(2);
  expect((await active('?filterId=999999')).status).toBe(404);
  const named = (await auditOf('export.patients', null)).flatMap(({ patient_ids: ids }) => ids);
  expect(named.length).toBeGreaterThanOrEqual(5);
  expect(await auditOf('export.active', null)).toHaveLength(3);
});

test('a list needs its permission', async () => {
  const { client } = await teamOf(1, 'viewer');
  const initiate = (searchContext: 'ALL' | 'EVENTS') =>
    client.call('POST /api/export/initiate-list-export', { query: {}, body: { searchContext } });
  await expect(initiate('EVENTS')).rejects.toMatchObject({ status: 403 });
  await expect(initiate('ALL')).resolves.toMatchObject({ inProgress: true });
  expect((await get(client, '/api/export/patient-active-encounters?searchContext=EVENTS')).status).toBe(403);
});

test('a user has at most three exports in progress', async () => {
  const { client } = await teamOf();
  for (let n = 0; n < 3; n += 1) await start(client);
  await expect(start(client)).rejects.toMatchObject({ status: 429 });
});

test('a file is kept for seven days', async () => {
  const { groupIds, client, username } = await teamOf();
  await addPerson(groupIds[0], { admitted: 2, facility: (await make.group({ type: 'HOS' })).id });
  const { id } = await exported(client);
  const chunks = async () =>
    (await database.owner.query('select content from export_chunks where job_id = $1', [id])).rows;
  expect(gunzipSync(Buffer.concat((await chunks()).map((row) => row['content'] as Buffer))).toString()).toContain(
    'Kestrel',
  );
  clock.advance(7 * DAY - 1000);
  await tendExports(database.pipeline, clock.now());
  const again = await signIn(app, username);
  expect((await download(again, id)).status).toBe(200);
  clock.advance(1000);
  expect((await download(again, id)).status).toBe(404);
  expect(await jobOf(again, id)).toBeUndefined();
  await tendExports(database.pipeline, clock.now());
  expect(await chunks()).toEqual([]);
});

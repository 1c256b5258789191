import { expect, test } from 'vitest';
import { BACKGROUND_HEADER, TEAM_HEADER } from '#contract/constants.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { sql } from '#server/platform/database/sql.ts';
import { refusal } from '#server/testing/administration.ts';
import { anonymous, type Client, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { auditHash } from './audit-hash.ts';
import { findSearches } from './find-searches.ts';
import { writeAuditAs } from './write-audit.ts';

const app = await startApp();
const { make, database, clock } = app;

interface Row {
  action: string;
  subjectId: string | null;
  patientIds: string[] | null;
  status: number | null;
  detail: { asked?: Record<string, unknown>; answered?: Record<string, unknown> } & Record<string, unknown>;
}

/** Makes a nurse whose team lists 25 people named Okonkwo, and returns the entries about her from then on. */
async function nurse() {
  const { id: organizationId } = await make.organization();
  const group = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [group.id] });
  const user = await make.user({ team });
  const listed = [];
  for (let n = 0; n < 25; n++) listed.push(await make.rosterPatient({ groupId: group.id }));
  const client = await signIn(app, user.username);
  const entries = async (action: string): Promise<Row[]> =>
    (
      await database.pipeline.query<Row>(sql`
        select action, subject_id as "subjectId", patient_ids as "patientIds", status, detail from audit_entries
        where user_id = ${user.id} and action = ${action} order by id`)
    ).rows;
  return { user, team, client, listed, entries };
}

const search = (client: Client, body: SearchParametersInput) => client.call('POST /api/patients/search', { body });
const hashed = async (text: string) => (await auditHash(database.app))(text);

test('the second page of a search is recorded with the patients on it, and a search without hits with none', async () => {
  const { client, listed, entries } = await nurse();
  const asked = (query: string) => ({ userDefinedFacetPreferences: { query, dateOfBirth: null } });
  const page = await search(client, { ...asked('okonkwo'), pageNumber: 2, pageSize: 20 });
  await search(client, asked('Wilhelmina Überwald'));
  const [second, none] = await entries('patients.search');
  expect(new Set(second?.patientIds)).toEqual(new Set(page.patients.map(({ id }) => id.split('_')[0])));
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(second?.patientIds ?? ['none']));
  expect(second?.detail).toMatchObject({ asked: { pageNumber: 2, pageSize: 20 }, answered: { total: 25 } });
  expect(none).toMatchObject({ patientIds: null, detail: { answered: { total: 0 } } });
  expect(none?.detail.asked?.['userDefinedFacetPreferences']).toEqual({ query: await hashed('wilhelmina uberwald') });
});

test('who searched for a person is found by hashing the name or the birth date again', async () => {
  const { user, client, entries } = await nurse();
  await search(client, { userDefinedFacetPreferences: { query: 'Ines Harrowgate', dateOfBirth: '1947-01-08' } });
  const [entry] = await entries('patients.search');
  const [family] = await hashed('HARROWGATE');
  expect(entry?.detail.asked?.['userDefinedFacetPreferences']).toEqual({
    query: expect.arrayContaining([family]) as string[],
    dateOfBirth: await hashed('1947-01-08'),
  });
  expect(await hashed('Harrowgate')).not.toEqual(await hashed('Harrowgat'));

  const of = async (text: string) =>
    (await findSearches(database.pipeline, text, await auditHash(database.app))).map(({ userId, action }) => [
      userId,
      action,
    ]);
  const hers = [[user.id, 'patients.search']];
  expect([await of('harrowgate'), await of('HARROWGATE, ines'), await of('1947-01-08')]).toEqual([hers, hers, hers]);
  expect([await of('Harrowgate Agnes'), await of('Harrow')]).toEqual([[], []]);
});

/** Returns the actions of a user's questions that a search for the text finds. */
async function foundOf(userId: string, text: string) {
  const found = await findSearches(database.pipeline, text, await auditHash(database.app));
  return found.filter((each) => each.userId === userId).map(({ action, isWhole }) => [action, isWhole]);
}

test('a name is found however it was typed: split as the search does, in any order, or only a part of it', async () => {
  const { user, client } = await nurse();
  for (const query of [
    'Al Masri Daniel',
    'Daniel.Al-Masri',
    "al'masri, DANIEL",
    'Al-Masri 1947-01-08',
    'Al-Masri Rosa',
  ])
    await search(client, { userDefinedFacetPreferences: { query } });
  await client.call('POST /api/typeahead/patients', { body: { query: 'Al-Masri' } });
  await search(client, { userDefinedFacetPreferences: { query: '', dateOfBirth: '01/08/1947' } });
  const whole = ['patients.search', true];
  expect(await foundOf(user.id, 'Daniel Al-Masri')).toEqual([whole, whole, whole, ['patients.typeahead', false]]);
  expect(await foundOf(user.id, '1947-01-08')).toEqual([whole, whole]);
  expect(await foundOf(user.id, '1/8/1947')).toEqual([whole, whole]);
});

test('a saved filter that holds a name and a birth date is a question each time its rows are counted', async () => {
  const { user, client } = await nurse();
  await client.call('POST /api/patient-search-params', {
    body: {
      name: 'Mine',
      searchContext: 'ALL',
      userDefinedFacetPreferences: { query: 'Tamsin Quill-Rowe', dateOfBirth: '1951-03-02' },
    },
  });
  await client.call('GET /api/patient-search-params/uses', {});
  expect(await foundOf(user.id, 'Quill Rowe Tamsin 1951-03-02')).toEqual([['saved-filter.counts', true]]);
});

test('only a call that its session has made by itself before counts as a refresh', async () => {
  const { user, client, entries } = await nurse();
  const count = async (of: Client, kind: string, header: Record<string, string> = {}) =>
    (await of.fetch(`/api/pings/count/${kind}`, { headers: header })).status;
  const background = { [BACKGROUND_HEADER]: '1' };
  await count(client, 'open', background);
  await count(client, 'open', background);
  await count(client, 'open');
  await count(client, 'open', background);
  await count(client, 'resolved', background);
  await count(await signIn(app, user.username), 'open', background);
  const marked = (await entries('inbox.count')).map(({ detail }) => detail['isBackground'] ?? false);
  expect(marked).toEqual([false, false, false, true, false, false]);
});

test('refusals are recorded: a team or patient of others, and a missing permission; a bad request is not', async () => {
  const { client, team, entries } = await nurse();
  const foreign = await make.ping();
  const other = await make.team();
  const patient = { params: { id: foreign.patientId } };
  expect(await refusal(client.call('GET /api/patients/:id', patient))).toBe('NOT_FOUND');
  await client.fetch('/api/patients/count', { headers: { [TEAM_HEADER]: other.id } });
  await client.fetch('/api/admin/users');
  await client.fetch('/api/patients/1_x');
  expect(await entries('access.refused')).toMatchObject([
    {
      subjectId: foreign.rosterPatientId,
      status: 404,
      patientIds: null,
      detail: { errorKey: 'NOT_FOUND', teamId: team.id },
    },
    { status: 403, detail: { errorKey: 'NOT_YOUR_TEAM', teamId: other.id } },
    { status: 403, detail: { errorKey: 'NOT_PERMITTED', teamId: team.id } },
  ]);
  expect(await entries('patient.view')).toEqual([]);
});

test('a flood of refusals becomes 30 entries a minute, and one that counts the rest', async () => {
  const { client, entries } = await nurse();
  for (let n = 0; n < 34; n++) await client.fetch('/api/admin/users');
  expect((await entries('access.refused')).length).toBe(30);
  clock.advance(60_000);
  await client.fetch('/api/admin/users');
  expect((await entries('access.refused')).length).toBe(31);
  await app.audit.flush();
  expect((await entries('access.refused')).at(-1)?.detail).toMatchObject({ repeated: 4 });
  await app.audit.flush();
  expect((await entries('access.refused')).length).toBe(32);
});

test('a failed sign-in is recorded with the account, or with the hash of a username that has none', async () => {
  const { user } = await nurse();
  const enter = (username: string, password: string) =>
    refusal(anonymous(app).call('POST /api/authenticate', { body: { username, password } }));
  expect(await enter(user.username, 'not this one')).toBe('WRONG_PASSWORD');
  expect(await enter('agatha.thistlewood@tidings.test', TEST_PASSWORD)).toBe('WRONG_PASSWORD');
  const { rows } = await database.pipeline.query(
    `select subject_id as "subjectId", user_id as "userId", address, detail from audit_entries
     where action = 'sign-in.failed' order by id desc limit 2`,
  );
  const common = { userId: null, address: '127.0.0.1' };
  expect(rows.toReversed()).toEqual([
    { ...common, subjectId: user.id, detail: { errorKey: 'WRONG_PASSWORD' } },
    {
      ...common,
      subjectId: null,
      detail: { errorKey: 'WRONG_PASSWORD', username: await hashed('agatha.thistlewood@tidings.test') },
    },
  ]);
});

test('an answer whose entry cannot be written does not leave', async () => {
  const { client, entries } = await nurse();
  await database.owner.query('revoke insert on audit_entries from tidings_app');
  expect((await client.fetch('/api/patients/count')).status).toBe(500);
  await database.owner.query('grant insert on audit_entries to tidings_app');
  expect((await client.fetch('/api/patients/count')).status).toBe(200);
  expect((await entries('patients.count')).length).toBe(1);
});

test('neither an answer nor a change leaves if the database drops its entry without an error', async () => {
  const { client, listed, entries } = await nurse();
  const params = { id: `${listed[0]?.id}_0` };
  const filter = { body: { name: 'Mine', searchContext: 'ALL' as const } };
  await database.owner.query(`
    create function drop_entry() returns trigger language plpgsql as 'begin return null; end';
    create trigger drops before insert on audit_entries for each row execute function drop_entry()`);
  expect(await refusal(client.call('GET /api/patients/:id', { params }))).toBe('INTERNAL');
  expect(await refusal(client.call('POST /api/patient-search-params', filter))).toBe('INTERNAL');
  await database.owner.query('drop trigger drops on audit_entries');
  expect(await client.call('GET /api/patient-search-params', {})).toEqual([]);
  expect(await entries('patient.view')).toEqual([]);
});

test('the app role adds entries only for the user it acts for, the pipeline for anyone, and neither changes one', async () => {
  const { user } = await nurse();
  const entry = { action: 'x', subject: 'user', subjectId: user.id, requestId: 'r', now: clock.now() } as const;
  const asAnother = database.app.transaction((tx) => writeAuditAs(tx, { userId: user.id }, entry), {
    settings: { 'tidings.user_id': '1' },
  });
  await expect(asAnother).rejects.toThrow('row-level security');
  await expect(writeAuditAs(database.app, { userId: user.id }, entry)).rejects.toThrow('row-level security');
  await writeAuditAs(database.pipeline, { userId: user.id }, entry);
  for (const db of [database.app, database.pipeline]) {
    for (const statement of [
      'update audit_entries set action = null',
      'delete from audit_entries',
      'truncate audit_entries',
    ])
      await expect(db.query(statement)).rejects.toThrow('permission denied');
    for (const statement of ['update audit_seals set id = 0', 'delete from audit_seals', 'table audit_keys'])
      await expect(db.query(statement)).rejects.toThrow('permission denied');
  }
  await expect(database.app.query('table audit_seals')).rejects.toThrow('permission denied');
  const { rows } = await database.owner.query<{ partition: string }>(
    `select inhrelid::regclass::text as partition from pg_inherits where inhparent = 'audit_entries'::regclass`,
  );
  await expect(database.pipeline.query(`delete from ${rows[0]?.partition}`)).rejects.toThrow('permission denied');
});

/** An installation of the first version is upgraded with its data in it, and goes on: whatever was stored then is read, changed and added to today. */
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import type { EventCode } from '#contract/event-codes.ts';
import { STANDARD_ROLES } from '#contract/permissions.ts';
import { type Route, type RouteKey, routes } from '#contract/routes.ts';
import type { StoryEncounter } from '#contract/story.ts';
import { freePort } from './platform/database/embedded/postmaster.ts';
import { migrate } from './platform/database/migrate.ts';
import type { Row } from './platform/database/pool.ts';
import { rebuild } from './rebuild/rebuild.ts';
import { evaluateAnew, evaluateSoon } from './record/new-version/evaluate-anew.ts';
import { type Client, signIn, startApp } from './testing/app.ts';
import { differences, firstVersion, storedRows } from './testing/first-version.ts';
import { type AdtParts, adt, hospital, type TestPerson } from './testing/hospital.ts';
import { ATTESTED } from './testing/rosters.ts';
import { startTidings, stopAllTidings } from './testing/tidings-process.ts';
import { processUpload } from './work/rosters/process.ts';

const database = await firstVersion();
const before = await storedRows(database);
const applied = await migrate(database.urls.owner);
const after = await storedRows(database);

/** Errors of a call are in it. */
const errors: string[] = [];
const log = pino({ level: 'error' }, { write: (line) => void errors.push(line) });
const app = await startApp({ database, log });
const { clock } = app;
const hosp = hospital(database, clock.now, app.make);
afterAll(stopAllTidings);

const MARTA: TestPerson = { family: 'Lindholm', given: 'Marta', birthDate: '1938-02-11', sex: 'F', zip: '14450' };
const OSCAR: TestPerson = { family: 'Tremblay', given: 'Oscar', birthDate: '1944-07-23', sex: 'M', zip: '14609' };
/** Marta's visit at Fairhaven General, which was open at the time of the upgrade. */
const visit = (trigger: string, at: string, more: Partial<AdtParts> = {}) =>
  adt(trigger, { at, record: 'MR-1', visit: 'V-MR-1', person: MARTA, admitted: '202611190330', unit: '4E', ...more });

const PLAN = `Member ID,First Name,Last Name,Date of Birth,Address 1,ZIP,Gender,Program,Tags,Insurance
P-1,Marta,Lindholm,1938-02-11,12 Alder Lane,14450,F,Transitions of Care,Diabetes,Harbor Advantage
P-2,Tomas,Okafor,1962-01-14,12 Alder Lane,14621,M,Transitions of Care,Diabetes,Harbor Advantage
P-3,Lena,Brandvold,1947-03-08,12 Alder Lane,14580,F,Transitions of Care,Diabetes,Harbor Advantage`;

/** Calls that change nothing; a stream has no end, and those of other systems take no session. */
const READING = (Object.keys(routes) as RouteKey[]).filter(
  (key) => key.startsWith('GET /api/') && !['stream', 'scim', 'html'].includes((routes[key] as Route).kind ?? ''),
);

const rosa = () => signIn(app, 'rosa@harbor.example');
const gus = () => signIn(app, 'gus@fairhaven.example');
const inbox = async (client: Client) => (await client.call('POST /api/pings', { body: {} })).patients;
/** Returns the patient's row, once the read model has what was processed just before. */
const patientIn = async (client: Client, wanted: string, status?: EventCode) =>
  vi.waitFor(async () => {
    const found = (await inbox(client)).find(
      ({ lastName, currentPing }) => lastName === wanted && (status === undefined || currentPing?.status === status),
    );
    if (!found) throw new Error(`${wanted} is not in the inbox`);
    return found;
  }, 20_000);
async function storyOf(client: Client, id: string): Promise<StoryEncounter[]> {
  return (await client.call('GET /api/patients/:id/encounters', { params: { id }, query: {} })).encounters;
}
/** Its state, where the patient went, and what happened, newest first. */
const linesOf = ({ status, dischargeTo, events }: StoryEncounter) => [
  status,
  dischargeTo,
  ...events.map((event) => `${event.status} ${event.state}`),
];
const count = async (table: 'encounters' | 'persons'): Promise<number> =>
  (await database.owner.query(`select from ${table}`)).rowCount;

test('every table of the first version has rows, and every row is there after the upgrade, as it was or as a migration explains', () => {
  expect([...before].filter(([, rows]) => rows.size === 0).map(([table]) => table)).toEqual([]);
  expect(applied[0]).toBe('0003_accounts.sql');
  expect(differences(before, after).toSorted()).toEqual(
    [
      // 0025: the facility of a transfer within a feed, instead of the feed's code of it.
      'encounters 2 state',
      // 0038: a visit's state has its leaves.
      'encounters 9 state',
      // 0025
      'events 3 detail',
      // 0200: whether a person waits for a review is what the reviews say.
      ...[...(before.get('persons')?.keys() ?? [])].map((id) => `persons ${id} is_provisional`),
      // 0058: an organization's own role, which hospital users have, opens the pages of hospitals.
      'roles 31 permissions',
    ].toSorted(),
  );
});

test('the process starts on it, with the roles as they are today', async () => {
  const [port, mllp] = [await freePort(), await freePort()];
  const env = { DATABASE_URL: database.adminUrl, PORT: String(port), MLLP_PORT: String(mllp), TIDINGS_ROLES: 'web' };
  await (await startTidings(env)).stop();
  const { rows } = await database.owner.query<{ name: string; permissions: string[] }>(
    'select name, permissions from roles where organization_id is null',
  );
  expect(Object.fromEntries(rows.map(({ name, permissions }) => [name, permissions.toSorted()]))).toEqual(
    Object.fromEntries(Object.entries(STANDARD_ROLES).map(([name, flags]) => [name, [...new Set(flags)].toSorted()])),
  );
});

test('a coordinator signs in with the password of then, and finds the pings and what was done about them', async () => {
  const client = await rosa();
  const rows = await inbox(client);
  expect(
    rows.map(
      ({ lastName, currentPing }) =>
        `${lastName} ${currentPing?.status} ${currentPing?.currentManagementStatus.status}`,
    ),
  ).toEqual([
    'Abernathy ADMIT NEW',
    'Tremblay ADMIT NEW',
    // At a Part 2 facility: the patient has consented.
    'Vandermeer ADMIT NEW',
    'Okafor ADMIT NEW',
    'Okafor RESUMED_SERVICES NEW',
    'Abernathy DECEASED NEW',
    'Vandermeer ADMIT NEW',
    'Quiroga VISIT NEW',
    'Tremblay DISCHARGE RESOLVED',
    'Lindholm ADMIT NEW',
  ]);
  const resolved = rows.find(({ currentPing }) => currentPing?.currentManagementStatus.status === 'RESOLVED');
  const changes = await client.call('POST /api/patients/:id/events/management-status-history', {
    params: { id: resolved?.id ?? '' },
    body: { eventIdentifier: resolved?.currentPing?.eventIdentifier ?? '' },
  });
  expect(changes).toMatchObject([
    {
      status: 'RESOLVED',
      resolutions: ['CONTACTED_PATIENT', 'OTHER'],
      otherText: 'Visit on Monday',
      // Names are kept since migration 0062.
      displayName: null,
      username: 'rosa@harbor.example',
    },
    { status: 'IN_PROGRESS', username: 'rosa@harbor.example' },
  ]);
  const story = await storyOf(client, resolved?.id ?? '');
  expect(story.map(linesOf)).toEqual([
    ['IN_PROGRESS', null, 'ADMIT ACTIVE'],
    ['FINISHED', 'Birch Court', 'DISCHARGE ACTIVE', 'PRESENTED ACTIVE'],
  ]);
});

test('every call that reads, by everyone and about everyone, is answered without an error of ours', async () => {
  const answered = new Map<string, number[]>();
  for (const username of [
    'rosa@harbor.example',
    'dora@harbor.example',
    'gus@fairhaven.example',
    'nell@fairhaven.example',
  ]) {
    const client = await signIn(app, username);
    const patients = (await client.call('POST /api/patients/search', { body: {} })).patients.map(({ id }) => id);
    for (const key of READING) {
      for (const id of key.includes('/patients/:id') ? patients : ['1', '2']) {
        // Its other parameters name a visit, an event or something else of which the first version had one with this number.
        const path = key
          .slice(4)
          .replace(':id', id)
          .replaceAll(/:\w+/g, id.split('_')[1] ?? id);
        const response = await client.fetch(`${path}?teamId=${client.teamId}`);
        await response.arrayBuffer();
        answered.set(key, [...(answered.get(key) ?? []), response.status]);
      }
    }
  }
  expect([...answered].filter(([, statuses]) => statuses.some((status) => status >= 500))).toEqual([]);
  expect(errors).toEqual([]);
  const read = [...answered].filter(([, statuses]) => statuses.includes(200));
  expect(read.length).toBeGreaterThan(READING.length / 2);
});

test('the status of a ping of then is changed', async () => {
  const client = await rosa();
  const { id, currentPing } = await patientIn(client, 'Lindholm');
  await client.call('POST /api/patients/:id/events/management-status', {
    params: { id },
    body: { eventIdentifier: currentPing?.eventIdentifier ?? '', status: 'IN_PROGRESS' },
  });
  const changed = await client.call('GET /api/patients/:id', { params: { id } });
  expect(changed.currentPing?.currentManagementStatus).toMatchObject({
    status: 'IN_PROGRESS',
    displayName: 'Rosa Lind',
  });
});

test('a message about a visit of then continues this visit, and its ping arrives', async () => {
  const visits = await count('encounters');
  await hosp.send(visit('A03', '202611200950', { discharged: '202611200950', disposition: '01' }));
  expect(await count('encounters')).toBe(visits);
  const client = await rosa();
  const { id, currentPing } = await patientIn(client, 'Lindholm', 'DISCHARGE');
  expect(currentPing?.currentManagementStatus.status).toBe('NEW');
  expect((await storyOf(client, id)).map(linesOf)).toEqual([['FINISHED', 'Home', 'DISCHARGE ACTIVE', 'ADMIT ACTIVE']]);
});

test('the message that waited during the upgrade is processed, for the patient’s visit', async () => {
  await hosp.queue.drain();
  const { rows } = await database.owner.query("select id from messages where status = 'PENDING'");
  expect(rows).toEqual([]);
  const client = await rosa();
  const { id } = await patientIn(client, 'Quiroga', 'TRANSFER');
  expect((await storyOf(client, id)).map(linesOf)).toContainEqual([
    'IN_PROGRESS',
    null,
    'TRANSFER ACTIVE',
    'ADMIT ACTIVE',
  ]);
});

test('a stay that was entered by hand is ended by hand', async () => {
  const { rows } = await database.owner.query<{ id: string }>("select id from groups where name = 'Alder Rest'");
  const stay = { record: 'AR-1', visit: 'AR-V1', person: OSCAR, at: '2026-11-20T12:00:00Z' };
  await hosp.enter(rows[0]?.id ?? '', { code: 'DISCHARGE', ...stay });
  const client = await rosa();
  const { id } = await patientIn(client, 'Tremblay', 'DISCHARGE');
  expect((await storyOf(client, id))[0]).toMatchObject({ status: 'FINISHED', dischargedDate: '2026-11-20T12:00:00Z' });
});

test('matches that wait, and those that were decided, are shown with the evidence of then, and a decision can be undone', async () => {
  const operator = await gus();
  const { reviews } = await operator.call('GET /api/feeds/reviews', { query: {} });
  expect(reviews.map(({ record, candidates }) => [record.number, candidates[0]?.reason])).toEqual([
    ['MR-7', 'Same first name, birth date and street. The last names are almost the same. The ZIP code differs.'],
  ]);
  const decided = (await operator.call('GET /api/feeds/reviews/decided', { query: {} })).reviews;
  expect(decided).toMatchObject([
    {
      record: { number: 'MR-6' },
      decidedBy: 'Gus Tun',
      isLinked: true,
      canUndo: true,
      candidate: { warnings: ['An earlier version of the matcher saw a reason for doubt.'] },
    },
  ]);
  const id = decided[0]?.id ?? '';
  await operator.call('POST /api/feeds/reviews/:id/undo', { params: { id } });
  const open = (await operator.call('GET /api/feeds/reviews', { query: {} })).reviews.find((each) => each.id === id);
  const body = { candidateId: open?.candidates[0]?.id ?? '', version: open?.version ?? '' };
  await operator.call('POST /api/feeds/reviews/:id', { params: { id }, body });
});

test('the matcher of today keeps all links, and decides the match that waited', async () => {
  const linked = () =>
    database.owner.query(`
      select distinct on (subject, subject_id) subject, subject_id as id, person_id as person from person_links
      order by subject, subject_id, person_links.id desc`);
  const { rows: then } = await linked();
  await evaluateSoon(database.pipeline, clock.now());
  await evaluateAnew(database.pipeline, { clock: clock.now, log });
  const { rows: now } = await linked();
  const lena = then.find(({ subject, id }) => subject === 'SOURCE_PATIENT' && id === '8');
  expect(now.filter((row) => !then.some((each) => JSON.stringify(each) === JSON.stringify(row)))).toEqual([
    { ...lena, person: '8' },
  ]);
  expect(await patientIn(await rosa(), 'Brandvold')).toMatchObject({ currentPing: { status: 'ADMIT' } });
  expect((await (await gus()).call('GET /api/feeds/reviews', { query: {} })).total).toBe(0);
});

test('the same roster again changes no listing', async () => {
  const client = await signIn(app, 'dora@harbor.example');
  const { rows } = await database.owner.query<{ id: string }>("select id from groups where name = 'Harbor Plan'");
  const groupId = rows[0]?.id ?? '';
  const form = new FormData();
  form.set('file', new Blob([PLAN]), 'roster.csv');
  const response = await client.fetch(`/api/rosters/${groupId}/uploads${ATTESTED}`, { method: 'POST', body: form });
  const { jobId } = (await response.json()) as { jobId: string };
  await processUpload(database.pipeline, jobId, { clock: clock.now });
  expect(await client.call('GET /api/rosters/uploads/:jobId', { params: { jobId } })).toMatchObject({
    status: 'DONE',
    statistics: { created: 0, updated: 0, removed: 0, unchanged: 3 },
  });
});

test('what is stored can be read again as today, and gives the same visits, events and pings', async () => {
  const told = () =>
    database.owner.query(`
      select v.id, v.encounter_id, v.code, v.state, v.event_at, e.status, array_agg((p.id, p.management_status) order by p.id)::text as pings
      from events v join encounters e on e.id = v.encounter_id left join pings p on p.event_id = v.id group by v.id, e.id order by v.id`);
  const { rows: known } = await told();
  const rebuilt = await rebuild({ database: database.pipeline, clock: clock.now });
  expect(rebuilt).toMatchObject({ isFinished: true, unread: 0, failed: [] });
  expect(rebuilt.read).toBeGreaterThan(20);
  // Migration 0025 took a destination that a hospital wrote with a feed's code for a transfer. It is shown as written now.
  const oscar = (row: Row): Row => (row['id'] === '3' ? { ...row, state: 'AMENDED' } : row);
  expect((await told()).rows).toEqual(known.map(oscar));
});

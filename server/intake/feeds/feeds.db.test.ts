import { afterAll, expect, test } from 'vitest';
import type { ErrorKey } from '#contract/errors.ts';
import { messageRoutes } from '#server/intake/messages/routes.ts';
import { makePipeline } from '#server/pipeline.ts';
import { identifyAll } from '#server/record/matching/identify.ts';
import { resendMoved, sendOpenVisits } from '#server/record/pings/notify.ts';
import { reviewRoutes } from '#server/record/reviews/routes.ts';
import { CallError, type Client, signIn, startApp } from '#server/testing/app.ts';
import { adt, hospital, type TestPerson } from '#server/testing/hospital.ts';
import { feedRoutes } from './routes.ts';

let wake = () => {};
const testedRoutes = (deps: Parameters<typeof feedRoutes>[0] & Parameters<typeof messageRoutes>[0]) => [
  ...feedRoutes(deps),
  ...messageRoutes(deps),
  ...reviewRoutes(deps),
];
const app = await startApp({
  routes: ({ database, clock }) =>
    testedRoutes({
      db: database.app,
      pipeline: database.pipeline,
      process: makePipeline(clock.now),
      clock: clock.now,
      publicUrl: 'http://tidings.test',
      wake: () => wake(),
    }),
});
const { database, make } = app;
const hosp = hospital(database, app.clock.now, make);
// The queue looks for work only when it is asked to: `drain` while a replay waits.
wake = () => void hosp.queue.drain();
afterAll(() => hosp.queue.drain());

const someone: TestPerson = { family: 'Thistlewood', given: 'Maren', birthDate: '1944-07-19', sex: 'F', zip: '12207' };

/** An organisation with a hospital, its feed, and an administrator. */
async function organization(code: string) {
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS', name: `Hospital ${code}` });
  const team = await make.team({ organizationId, groupIds: [facility.id] });
  const { username } = await make.user({ team, role: 'administrator' });
  const feedId = await hosp.feed(organizationId, { [code]: facility.id }, { name: `Feed ${code}` });
  return { organizationId, facility: facility.id, feedId, admin: await signIn(app, username) };
}

const home = await organization('HOME');
const away = await organization('AWAY');
const team = await make.team();
const operator = await signIn(app, (await make.user({ team, role: 'administrator', isOperator: true })).username);

const admission = (more: Partial<Parameters<typeof adt>[1]> = {}) =>
  adt('A01', { at: '202611200900', record: 'MR-1', visit: 'V-1', facility: 'HOME', person: someone, ...more });

async function refusal(call: Promise<unknown>): Promise<[number, ErrorKey]> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error('The call was answered');
  return [error.status, error.body.errorKey];
}

const audited = async (action: string) =>
  (
    await database.pipeline.query<{ subjectId: string }>(
      'select subject_id as "subjectId" from audit_entries where action = $1 order by id',
      [action],
    )
  ).rows.map(({ subjectId }) => subjectId);

const list = (client: Client, query: Record<string, string> = {}) => client.call('GET /api/feeds/messages', { query });

test('only who manages users sees feeds', async () => {
  const { username } = await make.user({ team: await make.team(), role: 'care coordinator' });
  const coordinator = await signIn(app, username);
  expect(await refusal(coordinator.call('GET /api/feeds', {}))).toEqual([403, 'NOT_PERMITTED']);
});

test('an administrator sees the feeds of the organisation with their health, an operator all', async () => {
  const text = admission({ record: 'H-1', visit: 'HV-1' });
  await hosp.send(text, text, adt('A01', { at: '202611200900', record: 'H-2', facility: 'HOME', unit: '3W' }));
  await hosp.send(
    adt('A01', { at: '202611200900', record: 'H-3', facility: 'HOME' })
      .replaceAll('^HOME\r', '^WHERE\r')
      .replace('^A^HOME', '^A^HOME'),
  );
  const feeds = await home.admin.call('GET /api/feeds', {});
  expect(feeds).toEqual([
    {
      id: home.feedId,
      name: 'Feed HOME',
      kind: 'MLLP',
      organizationName: expect.any(String),
      sendingApplication: 'TESTADT',
      sendingFacility: 'HOME',
      timeZone: 'America/New_York',
      pausedAt: null,
      lastMessageAt: '2026-11-20T15:00:00.000Z',
      receivedToday: 4,
      quarantined: 0,
      facilities: [{ identifier: 'HOME', groupId: home.facility, groupName: 'Hospital HOME' }],
    },
  ]);
  expect((await operator.call('GET /api/feeds', {})).map(({ name }) => name)).toEqual(['Feed AWAY', 'Feed HOME']);
});

test('the list filters and pages, and holds no text', async () => {
  const id = await hosp.send(admission({ record: 'L-1', visit: 'LV-1', controlId: 'CONTROL-1' }));
  const found = await list(home.admin, { controlId: 'CONTROL-1', feedId: home.feedId, status: 'APPLIED' });
  expect(found).toEqual({
    total: 1,
    numPages: 1,
    messages: [
      {
        id,
        feedId: home.feedId,
        feedName: 'Feed HOME',
        receivedAt: '2026-11-20T15:00:00.000Z',
        controlId: 'CONTROL-1',
        messageType: 'ADT^A01',
        sendingApplication: 'TESTADT',
        sendingFacility: 'HOME',
        status: 'APPLIED',
        reason: 'Created: admission',
        bytes: expect.any(Number),
        processedAt: '2026-11-20T15:00:00.000Z',
      },
    ],
  });
  expect(JSON.stringify(await list(home.admin))).not.toContain('Thistlewood');
  const all = await list(home.admin);
  const page = await list(home.admin, { pageNumber: '2', pageSize: '2' });
  expect(page.messages).toEqual(all.messages.slice(2, 4));
  expect(page.numPages).toBe(Math.ceil(all.total / 2));
  expect((await list(home.admin, { receivedFrom: '2026-11-20T15:00:01Z' })).total).toBe(0);
  expect((await list(home.admin, { receivedTo: '2026-11-20T15:00:01Z' })).total).toBe(all.total);
});

test('a resend is listed with its feed', async () => {
  const text = admission({ record: 'D-1', visit: 'DV-1' });
  const id = await hosp.send(text, text);
  const { messages } = await list(home.admin, { status: 'DUPLICATE' });
  expect(messages.find((message) => message.id === id)).toMatchObject({ feedId: home.feedId, bytes: 0 });
});

test('a message that a later one cancels says so', async () => {
  const id = await hosp.send(admission({ record: 'C-1', visit: 'CV-1' }));
  await hosp.send(
    adt('A11', { at: '202611200900', sentAt: '202611200930', record: 'C-1', visit: 'CV-1', facility: 'HOME' }),
  );
  const message = await home.admin.call('GET /api/feeds/messages/:id', { params: { id } });
  expect(message).toMatchObject({ status: 'APPLIED', reason: 'Canceled by A11; when it came: Created: admission' });
});

test('reading a message shows its text by lines and is audited', async () => {
  const id = await hosp.send(
    admission({ record: 'T-1', visit: 'TV-1' }).replace('12 Alder Lane', '12\u0007Alder Läne'),
  );
  const { text } = await home.admin.call('GET /api/feeds/messages/:id', { params: { id } });
  expect(text?.split('\n').map((line) => line.slice(0, 3))).toEqual(['MSH', 'EVN', 'PID', 'PV1']);
  expect(text).toContain('Thistlewood^Maren');
  expect(text).toContain('12␇Alder Läne');
  expect(await audited('message.view')).toContain(id);
});

test('what was entered by hand is seen by the administrators of that facility', async () => {
  const entry = { code: 'ADMIT', record: 'E-1', visit: 'EV-1', person: someone, at: '2026-11-20T14:00:00Z' } as const;
  const id = await hosp.enter(home.facility, entry);
  expect((await list(home.admin)).messages.map((message) => message.id)).toContain(id);
  expect((await list(away.admin)).messages.map((message) => message.id)).not.toContain(id);
});

test('the messages of another organisation do not exist', async () => {
  const id = await hosp.send(admission({ record: 'F-1', visit: 'FV-1' }));
  const params = { id };
  expect(await list(away.admin, { feedId: home.feedId })).toEqual({ messages: [], total: 0, numPages: 0 });
  expect(await refusal(away.admin.call('GET /api/feeds/messages/:id', { params }))).toEqual([404, 'NOT_FOUND']);
  expect(await refusal(away.admin.call('POST /api/feeds/messages/:id/replay', { params }))).toEqual([404, 'NOT_FOUND']);
  const body = { feedId: home.feedId, text: admission() };
  expect(await refusal(away.admin.call('POST /api/feeds/preview', { body }))).toEqual([404, 'NOT_FOUND']);
  expect(await audited('message.view')).not.toContain(id);
  expect((await hosp.message(id)).status).toBe('APPLIED');
});

test('an administrator reads the messages of the facilities that he or she manages, and of no other of the organisation', async () => {
  const { id: organizationId } = await make.organization();
  const facilities = { NORTH: '', SOUTH: '' };
  const clients = { NORTH: home.admin, SOUTH: home.admin };
  for (const code of ['NORTH', 'SOUTH'] as const) {
    const facility = await make.group({ organizationId, type: 'HOS', name: `Hospital ${code}` });
    const team = await make.team({ organizationId, groupIds: [facility.id] });
    facilities[code] = facility.id;
    clients[code] = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  }
  const practice = await make.team({ organizationId });
  const outsider = await signIn(app, (await make.user({ team: practice, role: 'administrator' })).username);
  const feedId = await hosp.feed(organizationId, facilities, { sendingFacility: 'NORTH' });
  const [north, south] = [
    await hosp.send(admission({ record: 'N-1', visit: 'NV-1', facility: 'NORTH' })),
    await hosp.send(admission({ record: 'S-1', visit: 'SV-1', facility: 'SOUTH' }).replace('|SOUTH|TID', '|NORTH|TID')),
  ];
  expect((await hosp.message(south)).status).toBe('APPLIED');

  const listed = async (client: Client) => (await list(client, { feedId })).messages.map(({ id }) => id);
  expect(await listed(clients.NORTH)).toEqual([north]);
  expect(await listed(clients.SOUTH)).toEqual([south]);
  expect(await listed(outsider)).toEqual([]);
  const params = { id: north };
  for (const client of [clients.SOUTH, outsider]) {
    expect(await refusal(client.call('GET /api/feeds/messages/:id', { params }))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(client.call('POST /api/feeds/messages/:id/replay', { params }))).toEqual([404, 'NOT_FOUND']);
    const body = { feedId, text: admission({ facility: 'NORTH' }) };
    expect(await refusal(client.call('POST /api/feeds/preview', { body }))).toEqual([403, 'NOT_PERMITTED']);
  }
});

test('a message of an unknown feed waits; with its feed set up, a replay applies it and tells', async () => {
  const program = await make.group();
  const person: TestPerson = { family: 'Quillfeather', given: 'Bram', birthDate: '1951-02-03', sex: 'M', zip: '12866' };
  await hosp.list(program.id, person);
  const id = await hosp.send(admission({ record: 'U-1', visit: 'UV-1', facility: 'LATER', person }));
  const params = { id };
  expect(await operator.call('GET /api/feeds/messages/:id', { params })).toMatchObject({
    status: 'QUARANTINED',
    feedId: null,
    reason: "MSH-3 and MSH-4 ('TESTADT', 'LATER') are of no feed that is set up here.",
  });
  expect(await refusal(home.admin.call('GET /api/feeds/messages/:id', { params }))).toEqual([404, 'NOT_FOUND']);
  const feedId = await hosp.feed(home.organizationId, { LATER: home.facility });
  const replayed = await operator.call('POST /api/feeds/messages/:id/replay', { params });
  expect(replayed).toMatchObject({ id, status: 'APPLIED', reason: 'Created: admission', feedId });
  expect(await hosp.pings(program.id)).toEqual(['ADMIT ACTIVE current']);
  expect(await audited('message.replay')).toContain(id);
  expect((await home.admin.call('GET /api/feeds/messages/:id', { params })).feedId).toBe(feedId);
});

test('a resend cannot be replayed', async () => {
  const text = admission({ record: 'R-1', visit: 'RV-1' });
  const id = await hosp.send(text, text);
  const call = home.admin.call('POST /api/feeds/messages/:id/replay', { params: { id } });
  expect(await refusal(call)).toEqual([400, 'BAD_REQUEST']);
});

/** How many rows each table has, and a digest of the rows of those that a message writes to. */
async function everything(): Promise<unknown> {
  const tables = await database.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'tidings'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
  const seen: Record<string, unknown> = {};
  for (const { name } of tables.rows) {
    const { rows } = await database.owner.query(
      `select count(*)::int as rows, md5(string_agg(md5(t::text), '' order by md5(t::text))) as digest from ${name} t`,
    );
    if (name !== 'sessions') seen[name] = rows[0];
  }
  return seen;
}

test('a preview says what a message would do, and does nothing', async () => {
  const program = await make.group();
  const person: TestPerson = {
    family: 'Oxenbridge',
    given: 'Delphine',
    birthDate: '1938-12-30',
    sex: 'F',
    zip: '13021',
  };
  await hosp.list(program.id, person);
  const before = await everything();
  const text = admission({ record: 'P-1', visit: 'PV-1', person });
  const preview = () => home.admin.call('POST /api/feeds/preview', { body: { feedId: home.feedId, text } });
  expect(await preview()).toEqual({
    outcome: 'facts',
    reason: 'Created: admission',
    facilityName: 'Hospital HOME',
    matching: 'matched',
    events: [{ change: 'added', status: 'ADMIT', eventDate: '2026-11-20T14:00:00Z' }],
    recipients: 1,
  });
  expect(await everything()).toEqual(before);
  expect(await preview()).toEqual(await preview());
  expect(await hosp.pings(program.id)).toEqual([]);

  await hosp.send(text);
  const cancel = adt('A11', {
    at: '202611200900',
    sentAt: '202611200930',
    record: 'P-1',
    visit: 'PV-1',
    facility: 'HOME',
    person,
  });
  const applied = await everything();
  expect(
    await home.admin.call('POST /api/feeds/preview', {
      body: { feedId: home.feedId, text: cancel.replaceAll('\r', '\n') },
    }),
  ).toMatchObject({
    outcome: 'facts',
    events: [{ change: 'cancelled', status: 'ADMIT' }],
    recipients: 1,
  });
  expect(await everything()).toEqual(applied);
  expect(await hosp.pings(program.id)).toEqual(['ADMIT ACTIVE current']);
});

test('a preview says why a message would do nothing', async () => {
  const preview = (text: string) => home.admin.call('POST /api/feeds/preview', { body: { feedId: home.feedId, text } });
  const nothing = { facilityName: null, matching: null, events: [], recipients: 0 };
  expect(await preview('PID|1')).toEqual({
    ...nothing,
    outcome: 'quarantine',
    reason: 'MSH: the header segment cannot be read.',
  });
  expect(await preview(admission({ facility: 'AWAY' }))).toEqual({
    ...nothing,
    outcome: 'quarantine',
    reason: 'MSH-3 and MSH-4 of this message are not those of the feed.',
  });
  expect(await preview(admission().replace('|P|2.5.1', '|T|2.5.1'))).toEqual({
    ...nothing,
    outcome: 'not-acted-on',
    reason: 'MSH-11 is T: the sender marks the message as a test',
  });
  expect(await refusal(preview(admission() + admission()))).toEqual([400, 'BAD_REQUEST']);
});

const harrowgate: TestPerson = { family: 'Harrowgate', given: 'Ines', birthDate: '1947-01-08', sex: 'F', zip: '14850' };
const pennyroyal: TestPerson = {
  family: 'Pennyroyal',
  given: 'Tobias',
  birthDate: '1933-04-22',
  sex: 'M',
  zip: '13905',
};
const mossgrove: TestPerson = { family: 'Mossgrove', given: 'Hesper', birthDate: '1949-09-02', sex: 'F', zip: '14301' };
const wetherby: TestPerson = { family: 'Wetherby', given: 'Greta', birthDate: '1956-10-11', sex: 'F', zip: '10310' };
const larkspur: TestPerson = { family: 'Larkspur', given: 'Osric', birthDate: '1961-06-27', sex: 'M', zip: '11937' };

/** A patient of HOME who may be one whom the program lists: only the ZIP code differs. */
async function doubtful(person: TestPerson, record: string) {
  const program = await make.group();
  await hosp.list(program.id, person);
  await hosp.send(admission({ record, visit: `V-${record}`, person: { ...person, zip: '98101' } }));
  const { reviews } = await home.admin.call('GET /api/feeds/reviews', { query: {} });
  const [review] = reviews;
  if (!review) throw new Error('No review is open');
  return { program: program.id, review };
}

test('a decided review links and tells; taken back, the ping is retracted and the review waits again', async () => {
  const { program, review } = await doubtful(harrowgate, 'W-1');
  expect(review).toMatchObject({
    facilityName: 'Hospital HOME',
    ruleId: 'Q01',
    candidates: [{ evidence: { ruleId: 'Q01' } }],
  });
  const params = { id: review.id };
  const personId = review.candidates[0]?.personId ?? '';
  expect(await hosp.pings(program)).toEqual([]);

  await home.admin.call('POST /api/feeds/reviews/:id', { params, body: { personId } });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
  expect((await home.admin.call('GET /api/feeds/reviews', { query: {} })).reviews.map(({ id }) => id)).not.toContain(
    review.id,
  );
  expect(await refusal(home.admin.call('POST /api/feeds/reviews/:id', { params, body: { personId } }))).toEqual([
    404,
    'NOT_FOUND',
  ]);

  await home.admin.call('POST /api/feeds/reviews/:id/undo', { params });
  expect(await hosp.pings(program)).toEqual(['ADMIT CANCELLED current']);
  expect((await home.admin.call('GET /api/feeds/reviews', { query: {} })).reviews.map(({ id }) => id)).toContain(
    review.id,
  );
  expect(await audited('match-review.decide')).toEqual([review.id]);
  expect(await audited('match-review.undo')).toEqual([review.id]);
});

test('a patient who is kept apart stays untold, whatever the next message says', async () => {
  const { program, review } = await doubtful(pennyroyal, 'K-1');
  await home.admin.call('POST /api/feeds/reviews/:id', { params: { id: review.id }, body: { personId: null } });
  await hosp.send(
    adt('A08', { at: '202611200930', record: 'K-1', visit: 'V-K-1', facility: 'HOME', person: pennyroyal }),
  );
  expect(await hosp.pings(program)).toEqual([]);
});

test('a patient who is kept apart stays so when the roster says something new, too', async () => {
  const { program, review } = await doubtful(mossgrove, 'A-1');
  await home.admin.call('POST /api/feeds/reviews/:id', { params: { id: review.id }, body: { personId: null } });
  await database.pipeline.query('update roster_patients set zip = $1 where group_id = $2', ['98101', program]);
  const { rows } = await database.pipeline.query<{ id: string }>('select id from roster_patients where group_id = $1', [
    program,
  ]);
  await database.pipeline.transaction(async (tx) => {
    const subjects = rows.map(({ id }) => ({ kind: 'ROSTER_PATIENT' as const, id }));
    const { relinked } = await identifyAll(tx, subjects, { now: app.clock.now() });
    await resendMoved(tx, relinked, app.clock.now());
    await sendOpenVisits(
      tx,
      subjects.map(({ id }) => id),
      app.clock.now(),
    );
  });
  expect(await hosp.pings(program)).toEqual([]);
});

test('a decision that a newer link has overtaken cannot be taken back', async () => {
  const { review } = await doubtful(wetherby, 'N-1');
  const params = { id: review.id };
  await home.admin.call('POST /api/feeds/reviews/:id', {
    params,
    body: { personId: review.candidates[0]?.personId ?? '' },
  });
  await hosp.send(
    adt('A40', {
      at: '202611200940',
      record: 'N-2',
      facility: 'HOME',
      person: { ...wetherby, family: 'Zeal', birthDate: '1922-05-05' },
      priorRecord: 'N-1',
    }),
  );
  expect(await refusal(home.admin.call('POST /api/feeds/reviews/:id/undo', { params }))).toEqual([400, 'BAD_REQUEST']);
});

test('the reviews of another organisation do not exist, and nobody may name a person who is no candidate', async () => {
  const { program, review } = await doubtful(larkspur, 'X-1');
  const params = { id: review.id };
  const personId = review.candidates[0]?.personId ?? '';
  expect(await away.admin.call('GET /api/feeds/reviews', { query: {} })).toEqual({ reviews: [], total: 0 });
  expect(await refusal(away.admin.call('POST /api/feeds/reviews/:id', { params, body: { personId } }))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  expect(await refusal(away.admin.call('POST /api/feeds/reviews/:id/undo', { params }))).toEqual([404, 'NOT_FOUND']);
  const stranger = (await make.person()).id;
  expect(
    await refusal(home.admin.call('POST /api/feeds/reviews/:id', { params, body: { personId: stranger } })),
  ).toEqual([404, 'NOT_FOUND']);
  expect(await hosp.pings(program)).toEqual([]);
  await operator.call('POST /api/feeds/reviews/:id', { params, body: { personId } });
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

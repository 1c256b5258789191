import { expect, test } from 'vitest';
import { closeHangingVisits } from '#server/record/encounters/close-hanging.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { mdm } from '#server/testing/documents.ts';
import { admission, feedOffice, maren, refusedWith } from '#server/testing/feed-office.ts';
import { adt } from '#server/testing/hospital.ts';

const { app, hosp, home, away, audited, listMessages } = await feedOffice();
const { make } = app;

test('the list has filters and pages, and leaves out the text', async () => {
  const id = await hosp.send(admission({ record: 'L-1', visit: 'LV-1', controlId: 'CONTROL-1' }));
  const found = await listMessages(home.admin, { controlId: 'CONTROL-1', feedId: home.feedId, status: 'APPLIED' });
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
        reportedByLink: null,
        patient: { id: expect.any(String), name: 'Thistlewood, Maren' },
        dismissal: null,
      },
    ],
  });
  expect(JSON.stringify(await listMessages(home.admin))).not.toContain('Alder Lane');
  const all = await listMessages(home.admin);
  const page = await listMessages(home.admin, { pageNumber: '2', pageSize: '2' });
  expect(page.messages).toEqual(all.messages.slice(2, 4));
  expect(page.numPages).toBe(Math.ceil(all.total / 2));
  expect((await listMessages(home.admin, { receivedFrom: '2026-11-20T15:00:01Z' })).total).toBe(0);
  expect((await listMessages(home.admin, { receivedTo: '2026-11-20T15:00:01Z' })).total).toBe(all.total);
});

test.each(['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2026-13-01T00:00:00Z', '2026-11-22T00:00:00+99:99'])(
  'the list refuses %s as a time of receipt',
  async (receivedFrom) => {
    expect(await refusedWith(listMessages(home.admin, { receivedFrom }))).toEqual([400, 'BAD_REQUEST']);
    expect(await refusedWith(listMessages(home.admin, { receivedTo: receivedFrom }))).toEqual([400, 'BAD_REQUEST']);
  },
);

test('a duplicate is listed with its feed', async () => {
  const text = admission({ record: 'D-1', visit: 'DV-1' });
  const id = await hosp.send(text, text);
  const { messages } = await listMessages(home.admin, { status: 'DUPLICATE' });
  expect(messages.find((message) => message.id === id)).toMatchObject({ feedId: home.feedId, bytes: 0 });
});

test('the closing message of a job is listed by when it was received, not by when it was stored', async () => {
  const { database, clock } = app;
  const ed = { at: '202611170900', record: 'E-1', visit: 'EV-1', patientClass: 'E', admitted: '202611170900' } as const;
  const arrival = await hosp.send(adt('A04', { ...ed, facility: 'HOME', person: maren }));
  const before = new Date(clock.now().getTime() - 300);
  expect(await closeHangingVisits(database.pipeline, hosp.store, before)).toBe(1);
  await hosp.queue.drain();
  const { messages } = await listMessages(home.admin);
  const types = messages.map(({ id, messageType }) => (id === arrival ? 'the arrival' : messageType));
  expect(types).toContain('the arrival');
  expect(types.at(-1)).toBe('CLOSE');
});

test('the reason of a message says that a later one canceled it', async () => {
  const id = await hosp.send(admission({ record: 'C-1', visit: 'CV-1' }));
  await hosp.send(
    adt('A11', { at: '202611200900', sentAt: '202611200930', record: 'C-1', visit: 'CV-1', facility: 'HOME' }),
  );
  const message = await home.admin.call('GET /api/feeds/messages/:id', { params: { id } });
  expect(message).toMatchObject({ status: 'APPLIED', reason: 'Canceled by A11 (originally: Created: admission)' });
});

test('a document whose patient waits for a review says so, until that is decided', async () => {
  const id = await hosp.send(mdm('T02', { facility: 'HOME', record: 'DR-1', person: maren, content: 'Went home.' }));
  const reason = async () => (await home.admin.call('GET /api/feeds/messages/:id', { params: { id } })).reason;
  expect(await reason()).toBe('Document stored');
  const { rows } = await app.database.pipeline.query<{ id: string }>(
    `insert into match_reviews (subject, subject_id, group_id, candidates, created_at)
     select 'SOURCE_PATIENT', s.id, s.group_id, '[]', $2 from facts f join source_patients s on s.id = f.source_patient_id
     where f.message_id = $1 returning id`,
    [id, app.clock.now()],
  );
  expect(rows).toHaveLength(1);
  expect(await reason()).toBe('Document waits for a review of who it is about');
  expect((await listMessages(home.admin)).messages.find((each) => each.id === id)?.reason).toBe(await reason());
  await app.database.pipeline.query('update match_reviews set decided_at = $2 where id = $1', [
    rows[0]?.id,
    app.clock.now(),
  ]);
  expect(await reason()).toBe('Document stored');
});

test('a message is shown with its text, one segment per line, and the view is audited', async () => {
  const id = await hosp.send(
    admission({ record: 'T-1', visit: 'TV-1' }).replace('12 Alder Lane', '12\u0007Alder Läne'),
  );
  const { text } = await home.admin.call('GET /api/feeds/messages/:id', { params: { id } });
  expect(text?.split('\n').map((line) => line.slice(0, 3))).toEqual(['MSH', 'EVN', 'PID', 'PV1']);
  expect(text).toContain('Thistlewood^Maren');
  expect(text).toContain('12␇Alder Läne');
  expect(await audited('message.view')).toContain(id);
});

test('manual entries are shown to the administrators of their facility', async () => {
  const entry = { code: 'ADMIT', record: 'E-1', visit: 'EV-1', person: maren, at: '2026-11-20T14:00:00Z' } as const;
  const id = await hosp.enter(home.facility, entry);
  expect((await listMessages(home.admin)).messages.map((message) => message.id)).toContain(id);
  expect((await listMessages(away.admin)).messages.map((message) => message.id)).not.toContain(id);
});

test('messages of another organization are not found', async () => {
  const id = await hosp.send(admission({ record: 'F-1', visit: 'FV-1' }));
  const params = { id };
  expect(await listMessages(away.admin, { feedId: home.feedId })).toEqual({ messages: [], total: 0, numPages: 0 });
  expect(await refusedWith(away.admin.call('GET /api/feeds/messages/:id', { params }))).toEqual([404, 'NOT_FOUND']);
  expect(await refusedWith(away.admin.call('POST /api/feeds/messages/:id/replay', { params }))).toEqual([
    404,
    'NOT_FOUND',
  ]);
  const body = { feedId: home.feedId, text: admission() };
  expect(await refusedWith(away.admin.call('POST /api/feeds/preview', { body }))).toEqual([404, 'NOT_FOUND']);
  expect(await audited('message.view')).not.toContain(id);
  expect((await hosp.message(id)).status).toBe('APPLIED');
});

test('an administrator sees messages only of the facilities that they manage, not of the whole organization', async () => {
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

  const listed = async (client: Client) => (await listMessages(client, { feedId })).messages.map(({ id }) => id);
  expect(await listed(clients.NORTH)).toEqual([north]);
  expect(await listed(clients.SOUTH)).toEqual([south]);
  expect(await listed(outsider)).toEqual([]);
  const params = { id: north };
  for (const client of [clients.SOUTH, outsider]) {
    expect(await refusedWith(client.call('GET /api/feeds/messages/:id', { params }))).toEqual([404, 'NOT_FOUND']);
    expect(await refusedWith(client.call('POST /api/feeds/messages/:id/replay', { params }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    const body = { feedId, text: admission({ facility: 'NORTH' }) };
    expect(await refusedWith(client.call('POST /api/feeds/preview', { body }))).toEqual([403, 'NOT_PERMITTED']);
  }
});

/** FHIR messages that systems post, from the call to the ping. */
import { expect, test } from 'vitest';
import type { FhirCapability } from '#contract/fhir-capability.ts';
import { rebuild } from '#server/rebuild/rebuild.ts';
import { anonymous, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { addApprovedFeed, approveFeed } from '#server/testing/feed-approval.ts';
import { type FhirParts, fhirMessage } from '#server/testing/fhir.ts';
import { hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const nobody = anonymous(app);
const operator = await signIn(
  app,
  (await make.user({ team: await make.team({}), role: 'administrator', isOperator: true })).username,
);
let count = 0;

/** A hospital whose administrator has set up a FHIR feed, and a program that lists a patient of it. */
async function office() {
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const team = await make.team({ organizationId, groupIds: [facility.id] });
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const code = `FHIR-${++count}`;
  const { id } = await addApprovedFeed(
    { admin, operator },
    {
      kind: 'FHIR',
      name: `FHIR ${count}`,
      facilities: [{ identifier: code, groupId: facility.id, registrationIsVisit: false }],
    },
  );
  const { token } = await admin.call('POST /api/admin/feeds/:id/tokens', { params: { id }, body: {} });
  const person = newPerson();
  const program = await make.group({});
  await hosp.list(program.id, person);
  const message = (event: string, at: string, more: Partial<FhirParts> = {}) =>
    fhirMessage({ event, at, person, facility: code, ...more });
  return { admin, facility, id, token, code, person, program: program.id, message };
}

const post = (token: string, body: unknown, type = 'application/fhir+json') =>
  nobody.fetch('/fhir/$process-message', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('a client learns what is here before it has a token, and may encode the address of the operation', async () => {
  const { token, message, program } = await office();
  const answer = await nobody.fetch('/fhir/metadata?_format=json', { headers: { accept: 'application/fhir+json' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/fhir+json; charset=utf-8']);
  const statement = (await answer.json()) as FhirCapability;
  expect(statement).toMatchObject({
    resourceType: 'CapabilityStatement',
    status: 'active',
    kind: 'instance',
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json'],
    rest: [{ mode: 'server', operation: [{ name: 'process-message' }] }],
  });
  const path = new URL(statement.messaging[0].endpoint[0]?.address ?? '').pathname.replace('$', '%24');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/fhir+json' };
  const body = JSON.stringify(message('notification-admit', '2026-11-20T09:00:00-05:00'));
  expect((await nobody.fetch(path, { method: 'POST', headers, body })).status).toBe(202);
  await hosp.queue.drain();
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

/** Posts messages one after the other, and processes each. */
async function send(token: string, ...messages: object[]): Promise<void> {
  for (const message of messages) {
    expect((await post(token, message)).status).toBe(202);
    await hosp.queue.drain();
  }
}

const pingsOf = async (groupId: string) =>
  (
    await database.pipeline.query<{ code: string; state: string; at: string }>(
      `select e.code, e.state, to_char(e.event_at at time zone 'UTC', 'MM-DD HH24:MI') as at
       from pings p join events e on e.id = p.event_id where p.group_id = $1 order by e.event_at, e.id`,
      [groupId],
    )
  ).rows;

const messagesOf = async (feedId: string) =>
  (
    await database.pipeline.query<{ status: string; reason: string; controlId: string; type: string }>(
      `select status, reason, control_id as "controlId", message_type as type from messages where feed_id = $1 order by id`,
      [feedId],
    )
  ).rows;

const ADMITTED = '2026-11-20T09:00:00-05:00';
const MOVED = '2026-11-20T09:20:00-05:00';
const LEFT = '2026-11-20T09:40:00-05:00';

test('an admission, a transfer and a discharge become pings of the team that lists the patient', async () => {
  const s = await office();
  const admit = s.message('notification-admit', ADMITTED);
  const answer = await post(s.token, admit);
  expect(answer.status).toBe(202);
  expect(answer.headers.get('content-type')).toMatch(/^application\/fhir\+json/);
  const header = { resourceType: 'MessageHeader', response: { identifier: admit.id, code: 'ok' } };
  expect(await answer.json()).toMatchObject({ resourceType: 'Bundle', type: 'message', entry: [{ resource: header }] });
  await hosp.queue.drain();
  await send(
    s.token,
    s.message('notification-transfer', MOVED, { unit: 'ICU' }),
    s.message('notification-discharge', LEFT, { unit: 'ICU', status: 'finished', end: LEFT, disposition: 'snf' }),
  );
  expect(await pingsOf(s.program)).toEqual([
    { code: 'ADMIT', state: 'ACTIVE', at: '11-20 14:00' },
    { code: 'TRANSFER', state: 'ACTIVE', at: '11-20 14:20' },
    { code: 'DISCHARGE', state: 'ACTIVE', at: '11-20 14:40' },
  ]);
  const { rows } = await database.pipeline.query(
    `select state ->> 'disposition' as disposition from encounters where group_id = $1`,
    [s.facility.id],
  );
  expect(rows).toEqual([{ disposition: '03' }]);
  expect((await messagesOf(s.id)).map(({ status, type }) => [status, type])).toEqual([
    ['APPLIED', 'notification-admit'],
    ['APPLIED', 'notification-transfer'],
    ['APPLIED', 'notification-discharge'],
  ]);
});

test('someone in the emergency department who becomes an inpatient is presented, then admitted', async () => {
  const s = await office();
  await send(
    s.token,
    s.message('notification-admit', ADMITTED, { classCode: 'EMER', unit: 'ED' }),
    s.message('notification-transfer', MOVED, { classCode: 'IMP', unit: '3 West' }),
  );
  expect((await pingsOf(s.program)).map(({ code }) => code)).toEqual(['PRESENTED', 'ADMIT']);
});

test.each(['cancelled', 'entered-in-error'])('an admission that becomes %s is retracted', async (status) => {
  const s = await office();
  await send(s.token, s.message('notification-admit', ADMITTED), s.message('notification-admit', MOVED, { status }));
  expect(await pingsOf(s.program)).toMatchObject([{ code: 'ADMIT', state: 'CANCELLED' }]);
});

test('the same bytes again are a duplicate, and are accepted', async () => {
  const s = await office();
  const admit = s.message('notification-admit', ADMITTED);
  await send(s.token, admit, admit);
  expect((await messagesOf(s.id)).map(({ status }) => status)).toEqual(['APPLIED', 'DUPLICATE']);
  expect(await pingsOf(s.program)).toHaveLength(1);
});

test('a merge puts the visits of the record number that is replaced on the other', async () => {
  const s = await office();
  const other = { identifier: [{ system: `urn:example:${s.code}`, value: 'OLD-1' }] };
  const link = [{ type: 'replaces', other: { identifier: other.identifier[0] } }];
  const merge = s.message('A40', MOVED, { record: 'NEW-1', patient: { link } });
  await send(s.token, s.message('notification-admit', ADMITTED, { record: 'OLD-1' }), merge);
  const { rows } = await database.pipeline.query(
    `select distinct dossier_id from source_patients where group_id = $1 and record_number in ('OLD-1', 'NEW-1')`,
    [s.facility.id],
  );
  expect(rows).toHaveLength(1);
});

test('a message about a facility that the feed does not list waits in quarantine, and is replayed once it does', async () => {
  const [s, other] = [await office(), await office()];
  await send(other.token, s.message('notification-admit', ADMITTED));
  expect(await messagesOf(s.id)).toEqual([]);
  expect(await messagesOf(other.id)).toMatchObject([
    { status: 'QUARANTINED', reason: expect.stringContaining(s.code) },
  ]);
  expect(await pingsOf(s.program)).toEqual([]);
});

test('only a token of a FHIR feed that works lets a message in', async () => {
  const s = await office();
  const body = s.message('notification-admit', ADMITTED);
  for (const token of ['x'.repeat(43), '']) {
    const answer = await post(token, body);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'login' }],
    });
  }
  const documents = await s.admin.call('POST /api/admin/document-feeds', {
    body: { name: `Documents ${count}`, groupId: s.facility.id, timeZone: 'America/New_York' },
  });
  const { token } = await s.admin.call('POST /api/admin/feeds/:id/tokens', { params: { id: documents.id }, body: {} });
  expect((await post(token, body)).status).toBe(401);
  const asDocument = await nobody.fetch('/api/documents', {
    method: 'POST',
    headers: { authorization: `Bearer ${s.token}` },
    body: 'x',
  });
  expect(asDocument.status).toBe(401);
});

test.each([
  ['another resource', { resourceType: 'Patient' }, 400, { code: 'invalid', expression: ['Patient'] }],
  [
    'a bundle without a header',
    { resourceType: 'Bundle', type: 'batch', entry: [] },
    400,
    { code: 'invalid', expression: ['Bundle.entry'] },
  ],
  ['a list', [], 400, { code: 'structure' }],
  ['no JSON', '{"name": "Jane"', 400, { code: 'structure', diagnostics: expect.not.stringContaining('Jane') }],
  ['nothing', '', 400, { code: 'structure' }],
])('%s is refused with what is wrong, and not stored', async (_, body, status, issue) => {
  const s = await office();
  const answer = await post(s.token, body);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ resourceType: 'OperationOutcome', issue: [issue] });
  await hosp.queue.drain();
  expect(await messagesOf(s.id)).toEqual([]);
});

test('XML, and more than 16 MB, are refused as FHIR has it', async () => {
  const s = await office();
  const xml = await post(s.token, '<Bundle xmlns="http://hl7.org/fhir"/>', 'application/fhir+xml');
  expect(xml.status).toBe(415);
  expect(await xml.json()).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'not-supported' }] });
  const large = await post(s.token, ' '.repeat(17 * 1024 * 1024));
  // The connection takes further calls.
  expect((await post(s.token, s.message('notification-admit', ADMITTED))).status).toBe(202);
  expect(large.status).toBe(413);
  expect(await large.json()).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'too-long' }] });
});

test('other paths under /fhir answer as FHIR has it', async () => {
  const unknown = await nobody.fetch('/fhir/Patient/1', { headers: { accept: 'application/fhir+json' } });
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({ resourceType: 'OperationOutcome' });
});

test('stored messages are read again, and give the same', async () => {
  const s = await office();
  await send(s.token, s.message('notification-admit', ADMITTED));
  await database.pipeline.query(
    `update facts set adt = adt #- '{visit,location}' where adt ->> 'facilityIdentifier' = $1`,
    [s.code],
  );
  const before = await pingsOf(s.program);
  expect(await rebuild({ database: database.pipeline, clock: clock.now })).toMatchObject({ changed: 1, failed: [] });
  expect(await pingsOf(s.program)).toEqual(before);
});

test('a further facility of a FHIR feed waits for an operator, and its sender has no name to change', async () => {
  const s = await office();
  const params = { id: s.id };
  const { isWaiting: _, ...settings } = await s.admin.call('GET /api/admin/feeds/:id/settings', { params });
  const named = { ...settings, sendingApplication: 'OTHER' };
  expect((await errorOf(s.admin, 'PUT /api/admin/feeds/:id/settings', { params, body: named })).errorKey).toBe(
    'BAD_REQUEST',
  );
  const west = { identifier: 'WEST', groupId: s.facility.id, registrationIsVisit: false };
  const body = { ...settings, facilities: [...settings.facilities, west] };
  expect(await s.admin.call('PUT /api/admin/feeds/:id/settings', { params, body })).toMatchObject({ isWaiting: true });
  await send(s.token, s.message('notification-admit', ADMITTED, { facility: 'WEST' }));
  expect(await pingsOf(s.program)).toEqual([]);
  await approveFeed(operator, s.id);
  await send(s.token, s.message('notification-admit', MOVED, { facility: 'WEST' }));
  expect(await pingsOf(s.program)).toMatchObject([{ code: 'ADMIT' }]);
});

test('a preview says what a message would do, and the list shows its text by lines', async () => {
  const s = await office();
  const message = s.message('notification-admit', ADMITTED);
  const preview = await s.admin.call('POST /api/feeds/preview', {
    body: { feedId: s.id, text: JSON.stringify(message) },
  });
  expect(preview).toMatchObject({ outcome: 'facts', events: [{ change: 'added', status: 'ADMIT' }] });
  expect(await messagesOf(s.id)).toEqual([]);
  await send(s.token, message);
  const { messages } = await s.admin.call('GET /api/feeds/messages', { query: { feedId: s.id } });
  expect(messages).toMatchObject([{ messageType: 'notification-admit', status: 'APPLIED' }]);
  const { text } = await s.admin.call('GET /api/feeds/messages/:id', { params: { id: messages[0]?.id ?? '' } });
  expect(text).toBe(JSON.stringify(message, null, 1));
  const replayed = await s.admin.call('POST /api/feeds/messages/:id/replay', { params: { id: messages[0]?.id ?? '' } });
  expect(replayed.status).toBe('PENDING');
  await hosp.queue.drain();
  expect(await messagesOf(s.id)).toMatchObject([{ status: 'APPLIED' }]);
  expect(await pingsOf(s.program)).toHaveLength(1);
});

test('messages of a feed that no operator has approved wait', async () => {
  const s = await office();
  const code = `${s.code}-NEW`;
  const { id, isWaiting } = await s.admin.call('POST /api/admin/feeds', {
    body: {
      kind: 'FHIR',
      name: code,
      facilities: [{ identifier: code, groupId: s.facility.id, registrationIsVisit: false }],
    },
  });
  expect(isWaiting).toBe(true);
  const { token } = await s.admin.call('POST /api/admin/feeds/:id/tokens', { params: { id }, body: {} });
  await send(token, s.message('notification-admit', ADMITTED, { facility: code }));
  expect(await pingsOf(s.program)).toEqual([]);
  expect(await approveFeed(operator, id)).toEqual({ messages: 1 });
  await hosp.queue.drain();
  expect(await pingsOf(s.program)).toMatchObject([{ code: 'ADMIT' }]);
});

/** Documents that systems post, and their tokens. */
import { expect, test } from 'vitest';
import { anonymous, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { ccda } from '#server/testing/documents.ts';
import { hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const nobody = anonymous(app);
let count = 0;

/** A hospital with a feed of documents, set up by its administrator. */
async function office() {
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const team = await make.team({ organizationId, groupIds: [facility.id] });
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const { id } = await admin.call('POST /api/admin/document-feeds', {
    body: { name: `Documents ${++count}`, groupId: facility.id, timeZone: 'America/New_York' },
  });
  const issue = (body: { replaces?: string } = {}) =>
    admin.call('POST /api/admin/feeds/:id/tokens', { params: { id }, body });
  return { admin, facility, team, id, issue };
}

const post = (token: string, body: string | Buffer, type = 'application/xml') =>
  nobody.fetch('/api/documents', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: body as string,
  });
const ask = (token: string, id: string) =>
  nobody.fetch(`/api/documents/${id}`, { headers: { authorization: `Bearer ${token}` } });

test('a posted document is stored, then read; its sender learns what became of it', async () => {
  const { issue, facility, id } = await office();
  const { token } = await issue();
  const person = newPerson();
  const program = await make.group({});
  const listing = await hosp.list(program.id, person);
  const answer = await post(token, ccda({ record: 'R-77', person, visit: 'V-77' }));
  expect(answer.status).toBe(202);
  const stored = (await answer.json()) as { id: string; status: string };
  expect(stored.status).toBe('PENDING');
  expect(await (await ask(token, stored.id)).json()).toEqual({ id: stored.id, status: 'PENDING', reason: '' });
  expect((await ask((await (await office()).issue()).token, stored.id)).status).toBe(404);
  await hosp.queue.drain();
  expect(await (await ask(token, stored.id)).json()).toMatchObject({ status: 'APPLIED', reason: 'Document stored' });
  const { rows } = await database.pipeline.query(
    `select d.kind, s.record_number, m.feed_id::text from documents d join source_patients s on s.id = d.source_patient_id
       join messages m on m.id = d.message_id join roster_patients r on r.person_id = d.person_id
     where d.group_id = $1 and r.id = $2`,
    [facility.id, listing],
  );
  expect(rows).toEqual([{ kind: 'CCDA', record_number: 'R-77', feed_id: id }]);
});

test('the same bytes again are a duplicate', async () => {
  const { token } = await (await office()).issue();
  const xml = ccda({ record: 'R-1', person: newPerson() });
  await post(token, xml);
  expect(await (await post(token, xml)).json()).toMatchObject({ status: 'DUPLICATE' });
});

test.each([
  [
    'not well-formed',
    '<ClinicalDocument xmlns="urn:hl7-org:v3"><id></ClinicalDocument>',
    /^Line 1, column \d+: .* send it again\.$/,
  ],
  ['another file', '%PDF-1.4', /no clinical document/],
  [
    'about two patients',
    `<ClinicalDocument xmlns="urn:hl7-org:v3">${['Adler', 'Novak'].map((family) => `<recordTarget><patientRole><id root="1.2.3" extension="7"/><patient><name><family>${family}</family></name></patient></patientRole></recordTarget>`).join('')}</ClinicalDocument>`,
    /more than one patient .* Send a document for each\.$/,
  ],
  ['no patient', '<ClinicalDocument xmlns="urn:hl7-org:v3"/>', /no record number .* send it again\.$/],
])('a document that is %s waits in quarantine, with a reason for its sender', async (_, body, reason) => {
  const { token } = await (await office()).issue();
  const { id } = (await (await post(token, body)).json()) as { id: string };
  await hosp.queue.drain();
  const outcome = (await (await ask(token, id)).json()) as { status: string; reason: string };
  expect(outcome.status).toBe('QUARANTINED');
  expect(outcome.reason).toMatch(reason);
});

test('a patient without a record number is found by demographics, and again by the next document', async () => {
  const { issue, facility } = await office();
  const { token } = await issue();
  const person = newPerson();
  await post(token, ccda({ record: '', person }));
  await post(token, ccda({ record: '', person }));
  await hosp.queue.drain();
  const { rows } = await database.pipeline.query(
    `select count(distinct source_patient_id)::int as patients, count(*)::int as documents from documents where group_id = $1`,
    [facility.id],
  );
  expect(rows).toEqual([{ patients: 1, documents: 2 }]);
});

test('only a token that works lets a system in, and it reads only what its own feed sent', async () => {
  const { admin, issue, id } = await office();
  const first = await issue();
  expect((await post('x'.repeat(43), 'a')).status).toBe(401);
  expect((await nobody.fetch('/api/documents', { method: 'POST', body: 'a' })).status).toBe(401);
  const second = await issue({ replaces: first.id });
  expect((await post(first.token, 'a')).status).toBe(202);
  const sent = (await (await post(second.token, 'b')).json()) as { id: string };
  await admin.call('DELETE /api/admin/feeds/:id/tokens/:tokenId', { params: { id, tokenId: second.id } });
  expect((await post(second.token, 'd')).status).toBe(401);
  const other = await (await office()).issue();
  clock.advance(25 * 3_600_000);
  expect((await post(first.token, 'c')).status).toBe(401);
  expect((await ask(other.token, sent.id)).status).toBe(404);
  const { rows } = await database.owner.query<{ stored: boolean }>(
    `select position($1 in (select string_agg(to_jsonb(t)::text, '') from document_tokens t)) > 0 as stored`,
    [second.token],
  );
  expect(rows[0]?.stored).toBe(false);
});

test('an administrator of another organization neither sees nor issues tokens', async () => {
  const [ours, theirs] = [await office(), await office()];
  const params = { id: ours.id };
  expect((await errorOf(theirs.admin, 'GET /api/admin/feeds/:id/tokens', { params })).errorKey).toBe('NOT_FOUND');
  expect((await errorOf(theirs.admin, 'POST /api/admin/feeds/:id/tokens', { params, body: {} })).errorKey).toBe(
    'NOT_FOUND',
  );
});

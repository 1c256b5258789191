/** Discharge summaries that someone at a facility uploads by a link. */
import { expect, test } from 'vitest';
import { DOCUMENT_MAX_BYTES } from '#contract/document-limits.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp, type TestApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { ccda, mdm } from '#server/testing/documents.ts';
import { askingOrganization, linkScenes } from '#server/testing/facility-links.ts';
import { tendLinks } from './expire-links.ts';

const app: TestApp = await startApp();
const { database, clock } = app;
const { hosp, scene: linkScene, create, open, upload, list, revoke, audited, mailsTo, holder } = linkScenes(app);
const UPLOAD = { purpose: 'UPLOAD_SUMMARY' } as const;
const PDF = '%PDF-1.4 the discharge summary';
const ANA = 'Ana Ruiz';

/** A stay with a link that asks for its discharge summary, and a clinician who may read those. */
async function scene({ hasEnded = true } = {}) {
  const made = await linkScene();
  if (hasEnded) await made.send('A03', { at: '202611191500', discharged: '202611191500', disposition: '01' });
  const { token, linkId } = await create(made.client, made.id, UPLOAD);
  const reader = await signIn(app, (await made.user('clinician')).username);
  const documents = () => reader.call('GET /api/ccd/:id/ccds', { params: { id: made.id } });
  const code = made.facility.name.replace('Hospital ', '');
  const message = { facility: code, record: 'MR-1', person: made.person, visit: 'V-1' };
  const encounterId = made.id.split('_')[1] ?? '';
  return { ...made, token, linkId, reader, documents, message, encounterId };
}
const xmlOf = ({ person }: { person: Parameters<typeof ccda>[0]['person'] }, over: object = {}) =>
  ccda({ record: 'of another system', person, type: '18842-5', title: 'Discharge summary', ...over });
const reasonOf = async (response: Response) => {
  const { errorKey, fields, message } = (await response.json()) as Record<string, never>;
  return [response.status, errorKey, (fields as { file?: string } | undefined)?.file ?? message];
};

test('an uploaded file is the discharge summary of the stay, and shows who uploaded it', async () => {
  const s = await scene();
  expect(await open(s.token, s.birthDate)).toMatchObject({ purpose: 'UPLOAD_SUMMARY' });
  expect((await upload(s.token, s.birthDate, PDF, { note: 'Page 2 is blank' })).status).toBe(204);
  const [entry] = await s.documents();
  expect(entry).toMatchObject({
    encounterId: s.encounterId,
    encounterFacilityName: s.facility.name,
    kind: 'PDF',
    title: 'Discharge summary',
    type: 'Discharge summary',
    isDischargeSummary: true,
    uploadedBy: ANA,
    uploadedFor: askingOrganization(s.facility),
  });
  const file = await s.reader.fetch(
    `/api/patients/${s.id}/documents/${entry?.uuid}/file?teamId=${s.team.id}&original=true`,
  );
  expect(await file.text()).toBe(PDF);
  const info = await s.reader.call('GET /api/ccd/:id/discharge-info', {
    params: { id: s.id },
    query: { encounterId: [s.encounterId] },
  });
  expect(info).toEqual([{ encounterId: s.encounterId, dischargeSummaryUuid: entry?.uuid, ccdUuid: null }]);
  const page = await s.reader.fetch(`/api/ccd/${s.id}/discharge-summary?uuid=${entry?.uuid}`);
  expect(await page.text()).toContain(
    `Uploaded by link of ${askingOrganization(s.facility)}, by “${ANA}” (not verified)`,
  );
  const { links } = await list(s.client, s.id);
  expect(links).toMatchObject([
    {
      state: 'ANSWERED',
      answer: null,
      upload: { kind: 'PDF', size: PDF.length, contactName: ANA, note: 'Page 2 is blank' },
    },
  ]);
  expect(await audited(s.linkId)).toEqual(['create', 'open', 'open', 'upload']);
  expect(await hosp.events(s.facility.id)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE']);
});

test('what is uploaded during the stay is no discharge summary, whatever it says', async () => {
  for (const content of [PDF, (s: Awaited<ReturnType<typeof scene>>) => xmlOf(s)]) {
    const s = await scene({ hasEnded: false });
    await upload(s.token, s.birthDate, typeof content === 'string' ? content : content(s));
    await s.send('A03', { at: '202611191500', discharged: '202611191500', disposition: '01' });
    expect(await s.documents()).toMatchObject([
      {
        title: 'Summary during the stay',
        type: 'Summary during the stay',
        isDischargeSummary: false,
        uploadedFor: askingOrganization(s.facility),
      },
    ]);
  }
});

test('the file is stored with the document alone, and the message says where it is from', async () => {
  const s = await scene();
  await upload(s.token, s.birthDate, PDF);
  const { rows } = await database.pipeline.query<{
    file: Buffer | null;
    type: string;
    status: string;
    reason: string;
  }>(sql`
    select l.file, m.message_type as type, m.status, m.reason from facility_links l join messages m on m.id = l.message_id where l.id = ${s.linkId}`);
  expect(rows).toEqual([{ file: null, type: 'LINK^DOCUMENT', status: 'APPLIED', reason: 'Document stored' }]);
});

test('a clinical document is read like any other, whatever it says about replacing others and about its visit', async () => {
  const s = await scene();
  await hosp.send(
    mdm('T02', {
      ...s.message,
      type: 'CN^Consultation',
      number: 'N-1',
      content: ccda({ record: 'MR-1', person: s.person, number: 'N-1' }),
    }),
  );
  const content = xmlOf(s, { number: 'N-2', replaces: 'N-1', visit: 'V-9', medications: ['Furosemide 40 mg'] });
  expect((await upload(s.token, s.birthDate, content)).status).toBe(204);
  const all = await s.documents();
  expect(all).toMatchObject([
    { kind: 'CCDA', uploadedBy: ANA, encounterId: s.encounterId, author: 'Ines Marchetti' },
    { kind: 'CCDA', uploadedBy: null },
  ]);
  const opened = await s.reader.call('GET /api/patients/:id/documents/:uuid', {
    params: { id: s.id, uuid: all[0]?.uuid ?? '' },
  });
  expect(opened.document?.sections[0]?.entries).toMatchObject([{ name: 'Furosemide 40 mg' }]);
});

test('a document marked as restricted takes a consent, also when it was uploaded', async () => {
  for (const confidentiality of ['R', 'V'] as const) {
    const s = await scene();
    expect((await upload(s.token, s.birthDate, xmlOf(s, { confidentiality }))).status).toBe(204);
    expect(await s.documents()).toEqual([]);
    const { rows } = await database.pipeline.query(
      sql`select is_restricted as "isRestricted" from documents where group_id = ${s.facility.id}`,
    );
    expect(rows).toEqual([{ isRestricted: true }]);
  }
});

test.each<[string, (s: Awaited<ReturnType<typeof scene>>) => Buffer | string, RegExp]>([
  ['a web page', () => '<html><script>alert(1)</script></html>', /not a C-CDA document, PDF, RTF, PNG, JPEG or GIF/],
  [
    'a program',
    () => Buffer.from('4d5a90000300000004000000', 'hex'),
    /not a C-CDA document, PDF, RTF, PNG, JPEG or GIF/,
  ],
  ['plain text', () => 'Seen today.', /not a C-CDA document, PDF, RTF, PNG, JPEG or GIF/],
  ['an empty file', () => '', /The file is empty/],
  [
    'a bare ampersand in XML',
    (s) => xmlOf(s, { title: 'Smith & Sons' }),
    /^This C-CDA document can't be read, so it was not sent\. Line \d+, column \d+: An ampersand \(&\) begins no entity\. .* save it as a PDF/,
  ],
  [
    'entities of its own',
    (s) => xmlOf(s).replace('<Clin', '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Clin'),
    /can't be read, so it was not sent/,
  ],
  [
    'a document about another patient',
    (s) => xmlOf(s).replace(/<birthTime value="\d+"/, '<birthTime value="20040129"'),
    /about another patient than the link: the birth dates differ/,
  ],
])('%s is refused with a reason, and can be tried again', async (_, file, reason) => {
  const s = await scene();
  const [status, errorKey, words] = await reasonOf(await upload(s.token, s.birthDate, file(s)));
  expect([status, errorKey]).toEqual([400, 'BAD_REQUEST']);
  expect(words).toMatch(reason);
  for (const secret of [s.person.family, s.person.birthDate]) expect(words).not.toContain(secret);
  expect((await list(s.client, s.id)).links).toMatchObject([{ state: 'OPENED', upload: null }]);
  expect((await upload(s.token, s.birthDate, PDF)).status).toBe(204);
});

test('a file that is too large is refused, one of the largest size is taken', async () => {
  const s = await scene();
  const large = Buffer.alloc(DOCUMENT_MAX_BYTES + 1, PDF);
  const largest = large.subarray(0, DOCUMENT_MAX_BYTES);
  const [status, errorKey, words] = await reasonOf(await upload(s.token, s.birthDate, large));
  expect([status, errorKey, words]).toEqual([413, 'TOO_LARGE', expect.stringContaining('larger than 16 MB')]);
  expect((await upload(s.token, s.birthDate, largest)).status).toBe(204);
  expect(await s.documents()).toMatchObject([{ size: DOCUMENT_MAX_BYTES }]);
}, 60_000);

test('without the birth date nothing is taken, and three wrong ones lock the link', async () => {
  const s = await scene();
  for (const [errorKey, tries] of [
    ['WRONG_BIRTH_DATE', '2 tries left'],
    ['WRONG_BIRTH_DATE', '1 try left'],
    ['LINK_NOT_VALID', 'no longer valid'],
    ['LINK_NOT_VALID', 'no longer valid'],
  ]) {
    const response = await upload(s.token, '01/02/1903', PDF);
    expect(await response.json()).toMatchObject({ errorKey, message: expect.stringContaining(tries ?? '') });
  }
  expect((await upload(s.token, s.birthDate, PDF)).status).toBe(404);
  expect((await list(s.client, s.id)).links).toMatchObject([{ state: 'LOCKED', upload: null }]);
  expect(await s.documents()).toEqual([]);
});

test('a link takes one file, however many are sent at once, and none once it is revoked or has expired', async () => {
  const s = await scene();
  const sent = await Promise.all(['a', 'b', 'c'].map((each) => upload(s.token, s.birthDate, `%PDF-1.4 ${each}`)));
  expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
  expect(await s.documents()).toHaveLength(1);
  const revoked = await create(s.client, s.id, UPLOAD);
  await revoke(s.client, s.id, revoked.linkId);
  expect((await upload(revoked.token, s.birthDate, PDF)).status).toBe(404);
  const late = await create(s.client, s.id, { ...UPLOAD, hours: 1 });
  clock.advance(3_600_000);
  expect((await upload(late.token, s.birthDate, PDF)).status).toBe(404);
});

test('a link for one purpose does not do for the other', async () => {
  const s = await scene({ hasEnded: false });
  const confirm = await create(s.client, s.id);
  expect((await upload(confirm.token, s.birthDate, PDF)).status).toBe(404);
  const answer = { stillHere: true, contactName: ANA, contactPhone: '1' };
  const body = { token: s.token, birthDate: s.birthDate, answer };
  expect((await errorOf(holder, 'POST /api/facility-links/answer', { body })).errorKey).toBe('LINK_NOT_VALID');
  expect(await s.documents()).toEqual([]);
});

test('what is malformed is refused before the link is looked up', async () => {
  const s = await scene();
  for (const over of [
    { token: 'short' },
    { birthDate: '1950-01-01' },
    { contactName: '' },
    { more: 1 },
    { note: 'x'.repeat(501) },
    { contactName: 'a\u0000' },
  ])
    expect((await upload(s.token, s.birthDate, PDF, over)).status).toBe(400);
  const form = new FormData();
  form.set('file', new Blob([PDF]));
  const send = (body: FormData | string) => holder.fetch('/api/facility-links/upload', { method: 'POST', body });
  expect((await send(form)).status).toBe(400);
  expect((await send('no form')).status).toBe(400);
  expect(await audited(s.linkId)).toEqual(['create']);
});

test('what the facility’s system sends comes first, before or after the upload', async () => {
  for (const isEarlier of [true, false]) {
    const s = await scene();
    const send = () => hosp.send(mdm('T02', { ...s.message, number: 'S-1', content: '%PDF-1.4 by the system' }));
    if (isEarlier) await send();
    expect((await upload(s.token, s.birthDate, xmlOf(s))).status).toBe(204);
    if (!isEarlier) await send();
    const all = await s.documents();
    expect(all).toHaveLength(2);
    const sent = all.find(({ uploadedBy }) => uploadedBy === null);
    const info = await s.reader.call('GET /api/ccd/:id/discharge-info', {
      params: { id: s.id },
      query: { encounterId: [s.encounterId] },
    });
    expect(info).toMatchObject([{ dischargeSummaryUuid: sent?.uuid }]);
    // Only those who may read it learn that it is there.
    const of = { params: { id: s.id } };
    const known = await s.reader.call('GET /api/patients/:id/facility-links', of);
    expect(known.refusals.UPLOAD_SUMMARY).toContain('has already sent a discharge summary');
    const blind = await signIn(app, (await s.user('care coordinator', ['canViewDischargeSummaries'])).username);
    expect((await blind.call('GET /api/patients/:id/facility-links', of)).refusals.UPLOAD_SUMMARY).toBeNull();
  }
});

test('the same file is shown once: the system’s, else the last upload that was not taken back', async () => {
  const s = await scene();
  await upload(s.token, s.birthDate, PDF);
  const again = await create(s.client, s.id, UPLOAD);
  await upload(again.token, s.birthDate, PDF, { contactName: 'Ben Ito' });
  expect(await s.documents()).toMatchObject([{ uploadedBy: 'Ben Ito' }]);
  await revoke(s.client, s.id, again.linkId);
  expect(await s.documents()).toMatchObject([{ uploadedBy: ANA }]);
  await hosp.send(mdm('T02', { ...s.message, number: 'S-2', content: PDF }));
  expect(await s.documents()).toMatchObject([{ uploadedBy: null }]);
});

test('an upload that is taken back leaves the documents, and stays on record', async () => {
  const s = await scene();
  await upload(s.token, s.birthDate, PDF);
  const { links } = await revoke(s.client, s.id, s.linkId);
  expect(links).toMatchObject([{ state: 'TAKEN_BACK', upload: { contactName: ANA } }]);
  expect(await s.documents()).toEqual([]);
  expect(await audited(s.linkId)).toEqual(['create', 'open', 'upload', 'revoke']);
});

test('it stays with the stay of the link, also when a later merge moves the record number', async () => {
  const s = await scene();
  await s.send('A01', { visit: 'V-2', at: '202611190900', admitted: '202611190900' });
  await upload(s.token, s.birthDate, PDF);
  await s.send('A40', { record: 'MR-7', priorRecord: 'MR-1' });
  const [entry] = await s.documents();
  expect(entry?.encounterStartDate).toBe('2026-11-15T14:00:00Z');
});

test('a file that could not be handed to the message store is handed over later, once', async () => {
  const s = await scene();
  const { rows } = await database.pipeline.query<{ id: string }>(sql`select max(id) as id from messages`);
  // As after a crash: the link has the file, and no message.
  await database.pipeline.query(sql`
    update facility_links set answered_at = ${clock.now()}, file = ${Buffer.from(PDF)},
      answer = ${JSON.stringify({ contactName: ANA, contactPhone: '1', note: '', kind: 'PDF', size: PDF.length })}
    where id = ${s.linkId}`);
  clock.advance(2 * 60_000);
  for (let run = 0; run < 2; run++) {
    await tendLinks(database.pipeline, app.store, clock.now());
    await hosp.queue.drain();
  }
  expect(await s.documents()).toMatchObject([{ uploadedBy: ANA }]);
  const stored = await database.pipeline.query(
    sql`select from messages where id > ${rows[0]?.id ?? '0'} and source = 'LINK'`,
  );
  expect(stored.rowCount).toBe(1);
});

test('mails name who asks and what, and never the patient', async () => {
  const s = await scene();
  await create(s.client, s.id, { ...UPLOAD, recipient: 'records@uploads.example' });
  await upload(s.token, s.birthDate, PDF);
  const [asked] = await mailsTo('records@uploads.example');
  const [told] = await mailsTo(s.creator.username);
  expect(asked?.subject).toMatch(/ asks you for a discharge summary$/);
  expect(asked?.body).toContain('to upload the discharge summary of one of your patients');
  expect(told?.subject).toBe('A discharge summary that you asked for is here');
  for (const mail of [asked, told])
    for (const secret of [s.person.family, s.person.birthDate, s.facility.name, s.token, s.id])
      expect(`${mail?.subject}${mail?.body}`).not.toContain(secret);
});

test('the link of the mail about a file leads to the documents of its patient, for the one who asked only', async () => {
  const s = await scene();
  await upload(s.token, s.birthDate, PDF);
  const [told] = await mailsTo(s.creator.username);
  const uuid = /notifications\/([-0-9a-f]{36})\?/.exec(told?.body ?? '')?.[1] ?? '';
  const target = await s.client.call('GET /api/notifications/:uuid', { params: { uuid } });
  expect(target).toMatchObject({ teamId: s.client.teamId, patientId: s.id, opensDocuments: true });
  expect((await errorOf(s.reader, 'GET /api/notifications/:uuid', { params: { uuid } })).errorKey).toBe('NOT_FOUND');
});

test('nothing is asked of a visit without a discharge, and a summary may be asked for after the discharge and the death', async () => {
  const left = await linkScene();
  await left.send('A03', { at: '202611181100', discharged: '202611181100', disposition: '20' });
  const { refusals } = await list(left.client, left.id);
  expect(refusals).toEqual({ CONFIRM_DISCHARGE: 'The patient has died.', UPLOAD_SUMMARY: null });
  const outpatient = await linkScene({ patientClass: 'O' });
  expect((await list(outpatient.client, outpatient.id)).refusals.UPLOAD_SUMMARY).toMatch(/outpatient/);
});

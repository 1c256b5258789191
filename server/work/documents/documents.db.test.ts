/** Documents from the message to what each team may open. */
import { expect, test } from 'vitest';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { ccda, mdm, oru } from '#server/testing/documents.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const AT = '202611200900';
let count = 0;

/** A hospital with a feed, a program that lists a person, and a member of each team. */
async function scene({ isPart2 = false } = {}) {
  const code = `DOCS${++count}`;
  const person = newPerson();
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  await database.pipeline.query('update groups set is_part2_facility = $2 where id = $1', [facility.id, isPart2]);
  const team = await make.team({ organizationId, groupIds: [facility.id] });
  await hosp.feed(organizationId, { [code]: facility.id });
  const { id: programOrganization } = await make.organization();
  const program = await make.group({ organizationId: programOrganization });
  const programTeam = await make.team({ organizationId: programOrganization, groupIds: [program.id] });
  const listing = await hosp.list(program.id, person);
  const member = async (of: { id: string }, role: 'clinician' | 'viewer' = 'clinician', extra: object = {}) =>
    signIn(app, (await make.user({ team: of, role, ...extra } as never)).username);
  const parts = { at: AT, record: `R-${count}`, person, facility: code, visit: `V-${count}`, sentAt: AT };
  const document = { facility: code, record: parts.record, person, visit: parts.visit };
  return {
    code,
    person,
    facility,
    team,
    program,
    programTeam,
    listing,
    member,
    parts,
    document,
    admit: () => hosp.send(adt('A01', parts)),
    id: `${listing}_0`,
    theirs: await member(programTeam),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;
const list = ({ theirs, id }: Pick<Scene, 'theirs' | 'id'>) => theirs.call('GET /api/ccd/:id/ccds', { params: { id } });
const open = ({ theirs, id }: Scene, uuid: string) =>
  theirs.call('GET /api/patients/:id/documents/:uuid', { params: { id, uuid } });

test('a clinical document in MDM is tied to its visit, and read by whoever may read the visit', async () => {
  const s = await scene();
  await s.admit();
  const xml = ccda({ record: 'other', person: s.person, medications: ['Furosemide 40 mg'] });
  const message = await hosp.send(mdm('T02', { ...s.document, content: xml }));
  expect(await hosp.message(message)).toMatchObject({
    status: 'APPLIED',
    reason: expect.stringContaining('Document stored'),
  });
  const [entry] = await list(s);
  expect(entry).toMatchObject({
    encounterId: expect.any(String),
    encounterFacilityName: s.facility.name,
    encounterFacilityType: 'HOS',
    kind: 'CCDA',
    title: 'Summary of care',
    author: 'Ines Marchetti',
    problem: null,
  });
  const { document } = await open(s, entry?.uuid ?? '');
  expect(document?.sections[0]?.entries).toMatchObject([{ name: 'Furosemide 40 mg', kind: 'medication' }]);
  const patient = await s.theirs.call('GET /api/patients/:id', { params: { id: s.id } });
  expect(patient).toMatchObject({ ccdExistsForAnyEncounter: true });
});

test('a document that comes before its visit is tied once the visit is known, in whatever order', async () => {
  const s = await scene();
  await hosp.send(mdm('T02', { ...s.document, content: '%PDF-1.4 x' }));
  expect(await list(s)).toMatchObject([{ encounterId: null, kind: 'PDF' }]);
  await s.admit();
  expect(await list(s)).toMatchObject([{ encounterId: expect.any(String) }]);
});

test('the visit is found by the day of admission if the document names no number, and not by another day', async () => {
  const s = await scene();
  await s.admit();
  await hosp.send(
    oru({ ...s.document, visit: '', content: ccda({ record: '', person: s.person, admitted: '20261120' }) }),
  );
  expect(await list(s)).toMatchObject([{ encounterId: expect.any(String) }]);
  await hosp.send(
    oru({
      ...s.document,
      visit: '',
      number: 'F-2',
      content: ccda({ record: '', person: s.person, admitted: '20261101' }),
    }),
  );
  expect(
    (await list(s)).map(({ encounterId }) => encounterId === null).toSorted((a, b) => Number(a) - Number(b)),
  ).toEqual([false, true]);
});

test('a document does not describe its patient better than messages do, and creates no event', async () => {
  const s = await scene();
  await s.admit();
  const before = await hosp.pings(s.program.id);
  const renamed = { ...s.person, zip: '99999' };
  await hosp.send(mdm('T02', { ...s.document, person: renamed, sentAt: '202611211200', content: 'Seen today.' }));
  const { rows } = await database.pipeline.query<{ zip: string }>(
    `select demographics #>> '{address,zip}' as zip from source_patients where group_id = $1`,
    [s.facility.id],
  );
  expect(rows).toEqual([{ zip: s.person.zip }]);
  expect(await hosp.pings(s.program.id)).toEqual(before);
});

test('a document about another person under the record number is not shown to those who list the first', async () => {
  const s = await scene();
  await s.admit();
  const other = { ...s.person, family: 'Brandeis', given: 'Tobias', birthDate: '1987-12-30', sex: 'M' as const };
  await hosp.send(mdm('T02', { ...s.document, visit: '', person: other, content: 'Not Odalys.' }));
  await hosp.send(mdm('T02', { ...s.document, number: 'N-2', person: other, content: 'Nor of this visit.' }));
  expect(await list(s)).toEqual([]);
});

test('a document about another person than the one registered under the number without a visit is not shown either', async () => {
  const s = await scene();
  await hosp.send(adt('A28', s.parts));
  const other = { ...s.person, family: 'Brandeis', given: 'Tobias', birthDate: '1987-12-30', sex: 'M' as const };
  await hosp.send(mdm('T02', { ...s.document, visit: '', person: other, content: 'Not Odalys.' }));
  expect(await list(s)).toEqual([]);
  await hosp.send(mdm('T02', { ...s.document, visit: '', number: 'N-3', content: 'Hers.' }));
  expect(await list(s)).toHaveLength(1);
});

test('a clinical document about another patient than PID is quarantined, with a reason that names no one', async () => {
  const s = await scene();
  await s.admit();
  const other = { ...s.person, family: 'Brandeis', birthDate: '2014-12-30' };
  const message = await hosp.send(mdm('T02', { ...s.document, content: ccda({ record: 'x', person: other }) }));
  expect(await hosp.message(message)).toMatchObject({
    status: 'QUARANTINED',
    reason:
      'The document inside is about another patient than PID: the birth dates differ. Send it with the PID of its patient.',
  });
  expect(await list(s)).toEqual([]);
});

test('a replacement, a new version and a cancel leave what holds; an addendum stays beside its document', async () => {
  const s = await scene();
  await s.admit();
  const titles = async () =>
    Promise.all((await list(s)).map(async ({ uuid }) => (await open(s, uuid)).text)).then((texts) =>
      texts.toSorted((a, b) => String(a).localeCompare(String(b))),
    );
  const send = (trigger: string, over: object) => hosp.send(mdm(trigger, { ...s.document, ...over }));
  await send('T02', { number: 'D-1', content: 'first', sentAt: '202611201000' });
  await send('T08', { number: 'D-1', content: 'second', sentAt: '202611201100' });
  expect(await titles()).toEqual(['second']);
  await send('T06', { number: 'D-2', parent: 'D-1', content: 'addendum', sentAt: '202611201200' });
  expect(await titles()).toEqual(['addendum', 'second']);
  await send('T10', { number: 'D-3', parent: 'D-1', content: 'third', sentAt: '202611201300' });
  expect(await titles()).toEqual(['addendum', 'third']);
  await send('T11', { number: 'D-3', sentAt: '202611201400' });
  expect(await titles()).toEqual(['addendum']);
  // An edit that was sent before the cancel and arrives after it.
  await send('T08', { number: 'D-3', content: 'late', sentAt: '202611201330' });
  expect(await titles()).toEqual(['addendum']);
});

test('a document that is dated in the future is not the newest for that, and says that it is', async () => {
  const s = await scene();
  await s.admit();
  const write = (title: string, writtenAt: string, sentAt: string) =>
    hosp.send(mdm('T02', { ...s.document, sentAt, content: ccda({ ...s.document, title, writtenAt }) }));
  await write('Dated ahead', '202911201200', '202611200900');
  app.clock.advance(600_000);
  await write('Dated today', '202611201005', '202611201006');
  const entries = await list(s);
  expect(entries.map(({ title }) => title)).toEqual(['Dated ahead', 'Dated today'].toReversed());
});

test('the same content is stored once, compressed, and can be downloaded as it was sent', async () => {
  const s = await scene();
  await s.admit();
  const content = ccda({ record: 'x', person: s.person, number: `same-${count}`, medications: ['Aspirin'] }).padEnd(
    400_000,
    ' ',
  );
  await hosp.send(
    mdm('T02', { ...s.document, number: 'A', content }),
    mdm('T02', { ...s.document, number: 'B', content }),
  );
  const [first, second] = await list(s);
  const { rows } = await database.pipeline.query<{ contents: string; bytes: string }>(
    `select count(distinct d.content_id) as contents, sum(length(c.bytes)) as bytes
     from documents d join document_content_chunks c on c.content_id = d.content_id where d.uuid = any ($1::uuid[])`,
    [[first?.uuid, second?.uuid]],
  );
  expect(rows[0]?.contents).toBe('1');
  expect(Number(rows[0]?.bytes)).toBeLessThan(20_000);
  const path = `/api/patients/${s.id}/documents/${first?.uuid}/file?teamId=${s.programTeam.id}&original=true`;
  const answer = await s.theirs.fetch(path);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; sandbox");
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="document-[0-9a-f]{8}\.xml"/);
  expect(await answer.text()).toBe(content);
});

test('a document marked as restricted takes a consent, as one of a Part 2 facility does', async () => {
  const s = await scene();
  await s.admit();
  await hosp.send(
    mdm('T02', { ...s.document, content: ccda({ record: 'x', person: s.person, confidentiality: 'R' }) }),
  );
  expect(await list(s)).toEqual([]);
  const own = await s.member(s.team);
  const { rows } = await database.pipeline.query<{ id: string; person: string }>(
    'select id, person_id as person from roster_patients where group_id = $1',
    [s.facility.id],
  );
  const ownList = await own.call('GET /api/ccd/:id/ccds', { params: { id: `${rows[0]?.id}_0` } });
  expect(ownList).toMatchObject([{ isRestricted: true }]);
  await database.pipeline.query(
    'insert into consents (person_id, facility_group_id, recipient_group_id, given_at) values ($1, $2, $3, $4)',
    [rows[0]?.person, s.facility.id, s.program.id, clock.now()],
  );
  expect(await list(s)).toMatchObject([{ isRestricted: true }]);
});

test('a Part 2 facility’s document without a visit is hidden from others', async () => {
  const s = await scene({ isPart2: true });
  await hosp.send(mdm('T02', { ...s.document, visit: '', content: 'x' }));
  expect(await list(s)).toEqual([]);
});

test('an unreadable clinical document is shown as what it is, with the reason and its place', async () => {
  const s = await scene();
  await s.admit();
  const broken = ccda({ record: 'x', person: s.person }).replace('</recordTarget>', '');
  const message = await hosp.send(mdm('T02', { ...s.document, content: broken }));
  expect((await hosp.message(message)).reason).toMatch(/can't be read: Line \d+, column \d+: .* send it again\./);
  const [entry] = await list(s);
  const opened = await open(s, entry?.uuid ?? '');
  expect(opened).toMatchObject({ document: null, text: broken, entry: { problem: expect.stringMatching(/^Line /) } });
});

test('teams that do not list the person, and users without canViewCcds, find nothing; each opening is on record', async () => {
  const s = await scene();
  await s.admit();
  await hosp.send(mdm('T02', { ...s.document, content: 'x' }));
  const [entry] = await list(s);
  const uuid = entry?.uuid ?? '';
  const stranger = (await scene()).theirs;
  expect((await errorOf(stranger, 'GET /api/ccd/ccd_summary', { query: { uuid } })).errorKey).toBe('NOT_FOUND');
  const viewer = await s.member(s.programTeam, 'viewer');
  expect((await errorOf(viewer, 'GET /api/ccd/ccd_summary', { query: { uuid } })).errorKey).toBe('NOT_PERMITTED');
  await s.theirs.call('GET /api/ccd/ccd_summary', { query: { uuid } });
  const { rows } = await database.pipeline.query<{ action: string }>(
    `select action from audit_entries where team_id = $1 and $2::bigint = any (patient_ids) and action = 'document.view'`,
    [s.programTeam.id, s.listing],
  );
  expect(rows).toEqual([{ action: 'document.view' }]);
});

test('medications are compared with an earlier visit or day, never with a twin or what the user may not see', async () => {
  const s = await scene();
  await s.admit();
  const send = (number: string, writtenAt: string, medications: string[], type = '34133-9', visit = s.document.visit) =>
    hosp.send(
      mdm('T02', {
        ...s.document,
        visit,
        number,
        content: ccda({ record: 'x', person: s.person, number, writtenAt, medications, title: number, type }),
      }),
    );
  const changesOf = async (title: string, theirs = s.theirs) => {
    const entry = (await list({ ...s, theirs })).find((each) => each.title === title);
    const { medicationChanges } = await open({ ...s, theirs }, entry?.uuid ?? '');
    return [
      medicationChanges?.sinceTitle,
      ...(medicationChanges?.changes ?? []).map((each) => [each.change, each.name]),
    ];
  };
  await send('first', '202611201000', ['Furosemide', 'Aspirin']);
  expect(await changesOf('first')).toEqual([null]);
  await send('summary', '202611211000', ['Aspirin', 'Metoprolol'], '18842-5');
  await send('twin', '202611211000', ['Aspirin', 'Metoprolol', 'Heparin']);
  const since = ['first', ['ADDED', 'Heparin'], ['ADDED', 'Metoprolol'], ['REMOVED', 'Furosemide']];
  expect(await changesOf('twin')).toEqual(since);
  expect(await changesOf('summary')).toEqual(['first', since[2], since[3]]);
  await send('later', '202611221000', ['Aspirin', 'Metoprolol'], '34133-9', '');
  expect(await changesOf('later')).toEqual(['twin', ['REMOVED', 'Heparin']]);
  await send('end', '202611231000', ['Aspirin'], '18842-5');
  await send('after', '202611241000', ['Aspirin']);
  expect(await changesOf('after')).toEqual(['end']);
  const withoutSummaries = await s.member(s.programTeam, 'clinician', { removed: ['canViewDischargeSummaries'] });
  expect(await changesOf('after', withoutSummaries)).toEqual(['later', ['REMOVED', 'Metoprolol']]);
  await hosp.send(adt('A01', { ...s.parts, at: '202611250900', visit: 'V-NEXT', sentAt: '202611250900' }));
  await send('morning', '202611250930', ['Aspirin', 'Insulin'], '34133-9', 'V-NEXT');
  await send('next', '202611261000', ['Aspirin', 'Insulin'], '34133-9', 'V-NEXT');
  expect(await changesOf('next')).toEqual(['after', ['ADDED', 'Insulin']]);
});

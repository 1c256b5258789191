/** Who sees documents and discharge summaries: by the group that lists the patient, the opt-out, and the sender's confidentiality. */
import { expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { grantRole } from '#server/people/accounts/provisioning.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { ccda, mdm } from '#server/testing/documents.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;
const hosp = hospital(database, clock.now, make);
const FLAGS: Permission[] = ['canViewCcdDischargeInfo', 'canViewDischargeSummaries'];
/** A call that needs the flag itself finds no group that lists the patient; another one says that it is not permitted. */
const HIDDEN = /^NOT_(PERMITTED|FOUND)$/;
let count = 0;

/** A person in a hospital whom two groups of a team list, and a clinician with these flags removed in the second group. */
async function scene(removedInSecond: Permission[] = []) {
  const code = `SEEN${++count}`;
  const person = newPerson();
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  await hosp.feed(organizationId, { [code]: facility.id });
  const { id: programs } = await make.organization();
  const first = await make.group({ organizationId: programs });
  const second = await make.group({ organizationId: programs });
  const team = await make.team({ organizationId: programs, groupIds: [first.id, second.id] });
  const listings = [await hosp.list(first.id, person), await hosp.list(second.id, person)] as const;
  const user = await make.user({ team, role: 'clinician' });
  const grant = { userId: user.id, teamId: team.id, groupId: second.id, role: 'clinician' as const };
  await grantRole(database.pipeline, { ...grant, removed: removedInSecond });
  const message = { facility: code, record: 'R', person, visit: `V-${count}` };
  await hosp.send(adt('A01', { at: '202611200900', ...message }));
  const send = (over: object, content: Parameters<typeof ccda>[0] | string = { record: 'R', person }) =>
    hosp.send(mdm('T02', { ...message, ...over, content: typeof content === 'string' ? content : ccda(content) }));
  const summary = () => send({}, { record: 'R', person, type: '18842-5', title: 'Discharge summary' });
  const { rows } = await database.pipeline.query<{ id: string }>('select id from encounters where group_id = $1', [
    facility.id,
  ]);
  const [a, b] = listings.map((listing) => `${listing}_0`) as [string, string];
  const encounterId = rows[0]?.id ?? '';
  return { client: await signIn(app, user.username), team, facility, person, first, send, summary, a, b, encounterId };
}
type Scene = Awaited<ReturnType<typeof scene>>;
const titles = async ({ client }: Pick<Scene, 'client'>, id: string) =>
  (await client.call('GET /api/ccd/:id/ccds', { params: { id } })).map(({ title }) => title);
const infoOf = ({ client, encounterId }: Pick<Scene, 'client' | 'encounterId'>, id: string) => ({
  of: client,
  call: { params: { id }, query: { encounterId: [encounterId] } },
});

test.each(FLAGS)(
  'the group of the listing in the patient’s id has to have %s, not just any of the team',
  async (flag) => {
    const s = await scene([flag]);
    await s.summary();
    expect(await titles(s, s.a)).toEqual(['Discharge summary']);
    expect(await titles(s, s.b)).toEqual([]);
    const [{ of, call }, other] = [infoOf(s, s.a), infoOf(s, s.b)];
    const [info] = await of.call('GET /api/ccd/:id/discharge-info', call);
    expect(info?.dischargeSummaryUuid).toEqual(expect.any(String));
    expect((await errorOf(other.of, 'GET /api/ccd/:id/discharge-info', other.call)).errorKey).toMatch(HIDDEN);
    const page = (id: string, path: string) =>
      s.client.fetch(`/api/${path.replace(':id', id)}`).then(({ status }) => status);
    for (const path of [
      `ccd/:id/discharge-summary?uuid=${info?.dischargeSummaryUuid}`,
      `patients/:id/encounters/${s.encounterId}/discharge-summary?teamId=${s.team.id}`,
    ])
      expect([await page(s.a, path), await page(s.b, path)]).toEqual([
        200,
        expect.toSatisfy((status) => status === 403 || status === 404),
      ]);
    const params = { uuid: info?.dischargeSummaryUuid ?? '' };
    expect(
      (await errorOf(s.client, 'GET /api/patients/:id/documents/:uuid', { params: { id: s.b, ...params } })).errorKey,
    ).toBe('NOT_FOUND');
    // The field ccdUuid goes by the id that the answer gives the patient, the oldest listing.
    const visits = async (id: string) =>
      (await s.client.call('GET /api/patients/:id/encounters', { params: { id }, query: {} })).encounters[0]?.ccdUuid ??
      null;
    expect(await visits(s.a)).toBe(info?.dischargeSummaryUuid);
  },
);

test('both flags in different groups are not both in one', async () => {
  const s = await scene(['canViewDischargeSummaries']);
  await s.summary();
  const { userId } = (
    await database.pipeline.query<{ userId: string }>(
      'select user_id as "userId" from grants where team_id = $1 limit 1',
      [s.team.id],
    )
  ).rows[0] ?? { userId: '' };
  await grantRole(database.pipeline, {
    userId,
    teamId: s.team.id,
    groupId: s.first.id,
    role: 'clinician',
    removed: ['canViewCcdDischargeInfo'],
  });
  for (const id of [s.a, s.b]) expect(await titles(s, id)).toEqual([]);
});

test('whoever left the feature sees none anywhere, keeps the other documents, and has all again after coming back', async () => {
  const s = await scene();
  await s.summary();
  await s.send({ type: 'CN^Consultation' }, { record: 'R', person: s.person, title: 'Consultation' });
  expect(await titles(s, s.a)).toHaveLength(2);
  const feature = { query: { feature: 'DISCHARGE_SUMMARY_MIHIN' } } as const;
  await s.client.call('POST /api/alpha/opt-out', feature);
  expect(await titles(s, s.a)).toEqual(['Consultation']);
  const { of, call } = infoOf(s, s.a);
  expect((await errorOf(of, 'GET /api/ccd/:id/discharge-info', call)).errorKey).toBe('NOT_PERMITTED');
  await s.client.call('DELETE /api/alpha/opt-out', feature);
  expect(await titles(s, s.a)).toHaveLength(2);
});

test.each([
  ['R in the document', {}, 'R' as const],
  ['V in the document', {}, 'V' as const],
  ['R in TXA-18', { confidentiality: 'R' }, 'N' as const],
  ['V in TXA-18', { confidentiality: 'V' }, 'N' as const],
])(
  '%s hides a document, a discharge summary too, from everyone without a consent',
  async (_, over, confidentiality) => {
    const s = await scene();
    for (const type of ['34133-9', '18842-5'])
      await s.send({ ...over, number: type }, { record: 'R', person: s.person, type, number: type, confidentiality });
    expect(await titles(s, s.a)).toEqual([]);
    const { of, call } = infoOf(s, s.a);
    const none = { encounterId: s.encounterId, dischargeSummaryUuid: null, ccdUuid: null };
    expect(await of.call('GET /api/ccd/:id/discharge-info', call)).toEqual([none]);
    expect((await s.client.call('GET /api/patients/:id', { params: { id: s.a } })).ccdExistsForAnyEncounter).toBe(
      false,
    );
    const { rows } = await database.pipeline.query<{ person: string }>(
      'select person_id as person from roster_patients where id = $1',
      [s.a.split('_')[0]],
    );
    await database.pipeline.query(
      'insert into consents (person_id, facility_group_id, recipient_group_id, given_at) values ($1, $2, $3, $4)',
      [rows[0]?.person, s.facility.id, s.first.id, clock.now()],
    );
    expect(await titles(s, s.a)).toHaveLength(2);
    const [given] = await of.call('GET /api/ccd/:id/discharge-info', call);
    expect(given).toEqual({
      encounterId: s.encounterId,
      dischargeSummaryUuid: expect.any(String),
      ccdUuid: expect.any(String),
    });
  },
);

test('N, and a code that stands for normal, hide nothing', async () => {
  const s = await scene();
  await s.send({ confidentiality: 'N' }, { record: 'R', person: s.person, confidentiality: 'N' });
  expect(await titles(s, s.a)).toHaveLength(1);
});

test('a bare ampersand in an MDM message is named with its place, and the document is kept as its text', async () => {
  const s = await scene();
  const content = ccda({ record: 'R', person: s.person, title: 'Smith & Sons' });
  const message = await s.send({}, content);
  expect((await hosp.message(message)).reason).toMatch(
    /can't be read: Line 4, column 16: An ampersand \(&\) begins no entity\. An ampersand in a text is written as &amp;\. Correct the document, then send it again\./,
  );
  const [entry] = await s.client.call('GET /api/ccd/:id/ccds', { params: { id: s.a } });
  const opened = await s.client.call('GET /api/patients/:id/documents/:uuid', {
    params: { id: s.a, uuid: entry?.uuid ?? '' },
  });
  expect(opened).toMatchObject({
    document: null,
    text: content,
    entry: { problem: expect.stringContaining('ampersand') },
  });
});

/** Wrong matches that someone takes apart, from the message to the inbox. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { startExplainedApp } from '#server/testing/explained.ts';
import { adt } from '#server/testing/hospital.ts';

const { app, make, db, hosp, office, scene, alsoAdministers } = await startExplainedApp();
const FROM_PING = 'POST /api/patients/:id/events/:eventId/take-apart';
const FROM_MESSAGE = 'POST /api/feeds/messages/:id/take-apart';
type Scene = Awaited<ReturnType<typeof scene>>;

const asked = async (s: Scene) => ({ params: { id: await s.patientId(), eventId: await s.eventOf('ADMIT') } });
const explain = (client: Client, ping: Awaited<ReturnType<typeof asked>>) =>
  client.call('GET /api/patients/:id/events/:eventId/explanation', ping);
const active = async (groupId: string) => (await hosp.pings(groupId)).filter((each) => each.includes('ACTIVE'));
const about = (id: string) => ({ params: { id } });

/** An operator who works for no group of a scene. */
async function operator() {
  const { username } = await make.user({ team: await make.team(), role: 'administrator', isOperator: true });
  return signIn(app, username);
}

/** A second hospital and a second program, both of which have the scene's patient. */
async function elsewhere({ person }: Scene) {
  const program = await office();
  await hosp.list(program.groupId, person);
  const hospital = await office({ type: 'HOS', facilityType: 'HOS', isAutomated: true });
  const facility = `F-${hospital.groupId}`;
  await hosp.feed(hospital.organizationId, { [facility]: hospital.groupId });
  const at = '202611200800';
  await hosp.send(adt('A01', { at, record: 'MR-2', visit: 'V-2', facility, person, admitted: at }));
  return { program, hospital };
}

test('a record that its facility takes apart is nobody’s on a list, its pings are retracted, and a review asks', async () => {
  const s = await scene();
  const other = await elsewhere(s);
  const messageId = await s.send('A01', '202611200900');
  expect(await hosp.pings(s.program.groupId)).toHaveLength(2);
  const reviewer = await s.hospital.member('administrator');
  await reviewer.call(FROM_MESSAGE, about(messageId));

  // The other hospital's visit is the patient's as before.
  for (const { groupId } of [s.program, other.program]) expect(await active(groupId)).toEqual(['ADMIT ACTIVE current']);
  await s.send('A03', '202611201100', { discharged: '202611201100', disposition: '01' });
  await s.send('A08', '202611201105', { discharged: '202611201100', disposition: '01' });
  for (const { groupId } of [s.program, other.program]) expect(await active(groupId)).toEqual(['ADMIT ACTIVE current']);

  // Nobody's arrival ends the question.
  await hosp.list((await office()).groupId, s.person);
  const { reviews } = await reviewer.call('GET /api/feeds/reviews', { query: {} });
  // However much the two look alike, no one links them unasked.
  const warnings = ['The two were linked before, and someone took that link back.'];
  expect(reviews).toMatchObject([{ record: { number: 'MR-1' }, isClear: false, candidates: [{ warnings }] }]);
  const [review] = reviews;
  const body = { candidateId: review?.candidates[0]?.id ?? '', version: review?.version ?? '' };
  await reviewer.call('POST /api/feeds/reviews/:id', { ...about(review?.id ?? ''), body });
  expect(await active(s.program.groupId)).toHaveLength(3);
});

test('a record that came before the patient’s listings is separated from all of them', async () => {
  const s = await scene({ isListed: false });
  const messageId = await s.send('A01', '202611200900');
  const other = await elsewhere(s);
  await hosp.list(s.program.groupId, s.person);
  expect(await active(s.program.groupId)).toHaveLength(2);
  await (await operator()).call(FROM_MESSAGE, about(messageId));
  for (const { groupId } of [s.program, other.program]) expect(await active(groupId)).toEqual(['ADMIT ACTIVE current']);
});

test('who administers the facility too takes it apart from the ping, which then says so, and who had opened it', async () => {
  const s = await scene();
  await s.send('A01', '202611200900');
  const ping = await asked(s);
  const nurse = await s.program.member('care coordinator');
  await nurse.call('GET /api/patients/:id', about(ping.params.id));
  const both = await s.program.member('administrator');
  await alsoAdministers(both.userId, s.hospital.team.id);
  expect((await explain(both, ping)).match?.canTakeApart).toBe(true);
  await both.call(FROM_PING, ping);
  const after = await explain(nurse, ping);
  expect(after).toMatchObject({ isMoved: true, ping: { state: 'CANCELLED' }, stay: null, messages: [] });
  expect(after.readers).toHaveLength(2);
});

test('no one else can take a match apart', async () => {
  const s = await scene();
  const messageId = await s.send('A01', '202611200900');
  const ping = await asked(s);
  const nurse = await s.program.member('care coordinator');
  const administrator = await s.program.member('administrator');
  for (const client of [nurse, administrator]) {
    expect((await explain(client, ping)).match?.canTakeApart).toBe(false);
    expect((await errorOf(client, FROM_PING, ping)).errorKey).toBe('NOT_PERMITTED');
  }
  const stranger = await (await scene()).hospital.member('administrator');
  expect((await errorOf(stranger, FROM_PING, ping)).errorKey).toBe('NOT_FOUND');
  for (const client of [administrator, stranger])
    expect((await errorOf(client, FROM_MESSAGE, about(messageId))).errorKey).toBe('NOT_FOUND');
  expect(await hosp.pings(s.program.groupId)).toEqual(['ADMIT ACTIVE current']);
});

test('a match is taken apart once, and the audit log has everyone concerned', async () => {
  const s = await scene();
  const other = await office();
  await hosp.list(other.groupId, s.person);
  const messageId = await s.send('A01', '202611200900');
  const one = await s.hospital.member('administrator');
  const answers = await Promise.allSettled([1, 2].map(() => one.call(FROM_MESSAGE, about(messageId))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect((await errorOf(one, FROM_MESSAGE, about(messageId))).errorKey).toBe('MATCH_CHANGED');
  const { rows } = await db.query<{ detail: object; listed: number }>(sql`
    select detail, (select count(*)::int from roster_patients r where r.id = any (a.patient_ids) and r.group_id in (${s.program.groupId}, ${other.groupId})) as listed
    from audit_entries a where action = 'match-review.take-apart' and user_id = ${one.userId}`);
  expect(rows).toEqual([
    { detail: { separated: { kind: 'SOURCE_PATIENT', id: expect.any(String) as string } }, listed: 2 },
  ]);
});

test('a match that people decided is undone where it was decided', async () => {
  const s = await scene();
  const messageId = await s.send('A01', '202611200900');
  const administrator = await s.hospital.member('administrator');
  await db.query(sql`
    insert into person_links (subject, subject_id, person_id, outcome, evidence, created_at)
    select subject, subject_id, person_id, 'decided', '{}', now() from person_links where subject = 'SOURCE_PATIENT' order by id desc limit 1`);
  expect((await errorOf(administrator, FROM_MESSAGE, about(messageId))).errorKey).toBe('MATCH_CHANGED');
});

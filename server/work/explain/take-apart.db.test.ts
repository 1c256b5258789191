/** Wrong matches that someone takes apart, from the message to the inbox. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { startExplainedApp } from '#server/testing/explained.ts';
import { adt } from '#server/testing/hospital.ts';

const { app, make, db, hosp, office, scene, alsoAdministers } = await startExplainedApp();
const KEY = 'POST /api/patients/:id/events/:eventId/take-apart';

const asked = async (s: Awaited<ReturnType<typeof scene>>, event = 'ADMIT') => ({
  params: { id: await s.patientId(), eventId: await s.eventOf(event) },
});
const explain = (client: Client, ping: Awaited<ReturnType<typeof asked>>) =>
  client.call('GET /api/patients/:id/events/:eventId/explanation', ping);
const offeredTo = async (client: Client, ping: Awaited<ReturnType<typeof asked>>) => {
  const { match } = await explain(client, ping);
  return match?.canTakeApart ? match.later : null;
};

async function operator({ program }: Awaited<ReturnType<typeof scene>>) {
  const { username } = await make.user({ team: program.team, role: 'administrator', isOperator: true });
  return signIn(app, username);
}

/** A second hospital and a second program, both of which have the scene's patient. */
async function elsewhere({ person }: Awaited<ReturnType<typeof scene>>) {
  const program = await office();
  await hosp.list(program.groupId, person);
  const hospital = await office({ type: 'HOS', facilityType: 'HOS', isAutomated: true });
  const facility = `F-${hospital.groupId}`;
  await hosp.feed(hospital.organizationId, { [facility]: hospital.groupId });
  const at = '202611200800';
  await hosp.send(adt('A01', { at, record: 'MR-2', visit: 'V-2', facility, person, admitted: at }));
  return { program, hospital };
}

test('a record that an administrator of its facility takes apart is nobody’s on a list, its pings are retracted, and a review asks', async () => {
  const s = await scene();
  const other = await elsewhere(s);
  await s.send('A01', '202611200900');
  expect(await hosp.pings(s.program.groupId)).toHaveLength(2);
  const both = await s.program.member('administrator');
  await alsoAdministers(both.userId, s.hospital.team.id);
  const ping = await asked(s);
  expect(await offeredTo(both, ping)).toBe('RECORD');
  await both.call(KEY, ping);

  // The other hospital's visit is the patient's as before.
  const active = async (groupId: string) => (await hosp.pings(groupId)).filter((each) => each.includes('ACTIVE'));
  for (const { groupId } of [s.program, other.program]) expect(await active(groupId)).toEqual(['ADMIT ACTIVE current']);
  await s.send('A03', '202611201100', { discharged: '202611201100', disposition: '01' });
  await s.send('A08', '202611201105', { discharged: '202611201100', disposition: '01' });
  for (const { groupId } of [s.program, other.program]) expect(await active(groupId)).toEqual(['ADMIT ACTIVE current']);

  // Nobody's arrival ends the question.
  await hosp.list((await office()).groupId, s.person);
  const reviewer = await s.hospital.member('administrator');
  const { reviews } = await reviewer.call('GET /api/feeds/reviews', { query: {} });
  // However much the two look alike, no one links them unasked.
  const warnings = ['The two were linked before, and someone took that link back.'];
  expect(reviews).toMatchObject([{ record: { number: 'MR-1' }, isClear: false, candidates: [{ warnings }] }]);
  const [review] = reviews;
  const candidateId = review?.candidates[0]?.id ?? '';
  const body = { candidateId, version: review?.version ?? '' };
  await reviewer.call('POST /api/feeds/reviews/:id', { params: { id: review?.id ?? '' }, body });
  expect(await active(s.program.groupId)).toHaveLength(3);
});

test('an explanation of the retracted ping says that its visit is someone else’s, and who had opened it', async () => {
  const s = await scene();
  await s.send('A01', '202611200900');
  const ping = await asked(s);
  const nurse = await s.program.member('care coordinator');
  await nurse.call('GET /api/patients/:id', { params: { id: ping.params.id } });
  await (await operator(s)).call(KEY, ping);
  const after = await explain(nurse, ping);
  expect(after).toMatchObject({ isMoved: true, ping: { state: 'CANCELLED' }, stay: null, messages: [] });
  expect(after.readers).toHaveLength(1);
});

test('a patient who came to a list after the record is taken apart by the list’s administrators, for their list alone', async () => {
  const s = await scene({ isListed: false });
  const other = await office();
  await hosp.list(other.groupId, s.person);
  await s.send('A01', '202611200900');
  await hosp.list(s.program.groupId, s.person);
  const administrator = await s.program.member('administrator');
  const ping = await asked(s);
  expect(await offeredTo(administrator, ping)).toBe('LISTING');
  await administrator.call(KEY, ping);
  expect(await hosp.pings(s.program.groupId)).toEqual(['ADMIT CANCELLED current']);
  expect(await hosp.pings(other.groupId)).toEqual(['ADMIT ACTIVE current']);
  await s.send('A03', '202611201100', { discharged: '202611201100', disposition: '01' });
  expect(await hosp.pings(s.program.groupId)).toEqual(['ADMIT CANCELLED current']);
});

test('a coordinator, and an administrator of neither the facility nor the later list, can’t take a match apart', async () => {
  const s = await scene();
  await s.send('A01', '202611200900');
  const ping = await asked(s);
  const nurse = await s.program.member('care coordinator');
  expect(await offeredTo(nurse, ping)).toBeNull();
  expect((await errorOf(nurse, KEY, ping)).errorKey).toBe('NOT_PERMITTED');
  const administrator = await s.program.member('administrator');
  expect(await offeredTo(administrator, ping)).toBeNull();
  expect((await errorOf(administrator, KEY, ping)).errorKey).toBe('MATCH_CHANGED');
  const stranger = await (await scene()).program.member('administrator');
  expect((await errorOf(stranger, KEY, ping)).errorKey).toBe('NOT_FOUND');
  expect(await hosp.pings(s.program.groupId)).toEqual(['ADMIT ACTIVE current']);
});

test('a match is taken apart once, which the audit log says', async () => {
  const s = await scene();
  await s.send('A01', '202611200900');
  const ping = await asked(s);
  const one = await operator(s);
  const answers = await Promise.allSettled([one.call(KEY, ping), one.call(KEY, ping)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect((await errorOf(one, KEY, ping)).errorKey).toBe('MATCH_CHANGED');
  const { rows } = await db.query(sql`
    select detail from audit_entries where action = 'match-review.take-apart' and subject_id = ${ping.params.eventId}`);
  expect(rows).toEqual([{ detail: { separated: { kind: 'SOURCE_PATIENT', id: expect.any(String) as string } } }]);
});

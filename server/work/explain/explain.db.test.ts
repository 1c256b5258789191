import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { startExplainedApp } from '#server/testing/explained.ts';
import { consentTo } from '#server/testing/part2.ts';

const { app, make, clock, db, hosp, scene, alsoAdministers, eventOf } = await startExplainedApp();
const KEY = 'GET /api/patients/:id/events/:eventId/explanation';

const explain = (client: Client, id: string, eventId: string) => client.call(KEY, { params: { id, eventId } });
const refusal = async (client: Client, id: string, eventId: string) =>
  (await errorOf(client, KEY, { params: { id, eventId } })).errorKey;

test('an explanation leads from the message over the visit and the match to the list, and says when the ping was sent', async () => {
  const { program, hospital, send, patientId, eventOf: event } = await scene();
  const coordinator = await program.member('care coordinator');
  await send('A01', '202611200900', { controlId: 'MSG-1' });
  const found = await explain(coordinator, await patientId(), await event('ADMIT'));
  expect(found).toMatchObject({
    isMoved: false,
    receivedDate: clock.now().toISOString(),
    ping: { status: 'ADMIT', facility: { id: hospital.groupId } },
    messages: [
      {
        id: null,
        role: 'REPORTED',
        source: 'FEED',
        trigger: 'A01',
        controlId: 'MSG-1',
        sentDate: '2026-11-20T14:00:00Z',
        receivedDate: clock.now().toISOString(),
        outcome: 'Created: admission',
        text: 'NOT_PERMITTED',
      },
    ],
    match: { how: 'AUTOMATIC', agreement: null },
    recipients: [{ groupName: program.name, sentBecause: 'MESSAGE', leftDate: null, consentDate: null }],
  });
  const [message] = found.messages;
  expect(message?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(message?.facts.map(({ label }) => label)).toEqual(['Admitted', 'Setting', 'Location']);
});

test('a stay began with the arrival in the ED, as its length counts', async () => {
  const { program, send, patientId, eventOf: event } = await scene();
  const viewer = await program.member('viewer');
  await send('A04', '202611200839', { patientClass: 'E', admitted: '202611200839' });
  await send('A06', '202611200848', { admitted: '202611200848' });
  const { stay } = await explain(viewer, await patientId(), await event('ADMIT'));
  expect(stay?.startDate?.slice(11, 16)).toBe('13:39');
});

test('corrections and a cancel are named with their messages, in the order in which they came', async () => {
  const { program, send, patientId, eventOf: event } = await scene();
  const viewer = await program.member('viewer');
  await send('A01', '202611200900');
  await send('A03', '202611200930', { discharged: '202611200930' });
  await send('A13', '202611200945');
  const found = await explain(viewer, await patientId(), await event('DISCHARGE'));
  expect(found.ping.state).toBe('CANCELLED');
  expect(found.messages.map(({ role, trigger }) => [role, trigger])).toEqual([
    ['REPORTED', 'A03'],
    ['CANCELED', 'A13'],
  ]);
  await send('A08', '202611200950', { admitted: '202611200845' });
  const admitted = await explain(viewer, await patientId(), await event('ADMIT'));
  expect(admitted.ping.state).toBe('AMENDED');
  expect(admitted.messages.map(({ role }) => role)).toEqual(['REPORTED', 'CHANGED']);
});

test('only administrators of the facility get the id of a message and which fields agree, and its reading is audited as a message', async () => {
  const { program, hospital, send, patientId, eventOf: event } = await scene({ isOneOrganization: true });
  const messageId = await send('A01', '202611200900');
  const [id, eventId] = [await patientId(), await event('ADMIT')];
  // An administrator of the program administers nothing at the hospital.
  const administrator = await program.member('administrator');
  const seen = await explain(administrator, id, eventId);
  expect(seen.messages[0]).toMatchObject({ id: null, text: 'NOT_PERMITTED' });
  expect(seen.match?.agreement).toBeNull();
  const both = await program.member('administrator');
  await alsoAdministers(both.userId, hospital.team.id);
  const shown = await explain(both, id, eventId);
  expect(shown.messages[0]).toMatchObject({ id: messageId, text: 'READABLE' });
  expect(shown.match?.agreement).toMatchObject({ family: 'same', birthDate: 'same' });
  const { text } = await both.call('GET /api/feeds/messages/:id', { params: { id: messageId } });
  expect(text).toContain('PID|');
  const { rows } = await db.query<{ action: string }>(sql`
    select action from audit_entries where user_id = ${both.userId} and patient_ids @> array[${id.split('_')[0]}::bigint] order by id`);
  expect(rows.map(({ action }) => action)).toEqual(['ping.explain', 'message.view']);
});

test('after the retention of raw messages the facts stay, and the explanation says that the text is gone', async () => {
  const { program, send, patientId, eventOf: event } = await scene();
  const coordinator = await program.member('care coordinator');
  const messageId = await send('A01', '202611200900', { controlId: 'MSG-OLD' });
  const [id, eventId] = [await patientId(), await event('ADMIT')];
  const before = await explain(coordinator, id, eventId);
  await db.query(sql`delete from messages where id = ${messageId}`);
  const after = await explain(coordinator, id, eventId);
  expect(after.messages[0]).toEqual({ ...before.messages[0], text: 'NO_LONGER_STORED' });
});

test('a foreign team, an unknown event and an event without a ping are the same 404', async () => {
  const { program, hospital, send, patientId, hospitalPatientId, eventOf: event } = await scene();
  await send('A01', '202611200900');
  const [id, eventId] = [await patientId(), await event('ADMIT')];
  const stranger = await (await scene()).program.member('administrator');
  expect(await refusal(stranger, id, eventId)).toBe('NOT_FOUND');
  const coordinator = await program.member('care coordinator');
  expect(await refusal(coordinator, id, '9000000000')).toBe('NOT_FOUND');
  expect(await refusal(coordinator, `${id.split('_')[0]}_0`, eventId)).toBe('NOT_FOUND');
  // The facility that sent the event gets no ping of it.
  expect(await refusal(await hospital.member('administrator'), await hospitalPatientId(), eventId)).toBe('NOT_FOUND');
  const without = await program.member('care coordinator', { removed: ['canViewPings'] });
  expect(await refusal(without, id, eventId)).toBe('NOT_PERMITTED');
});

test('a ping that came with the listing, and one that came with a consent, say so', async () => {
  const joined = await scene({ isListed: false });
  await joined.send('A01', '202611200900');
  clock.advance(3_600_000);
  await hosp.list(joined.program.groupId, joined.person);
  const coordinator = await joined.program.member('care coordinator');
  const late = await explain(coordinator, await joined.patientId(), await joined.eventOf('ADMIT'));
  expect(late.recipients).toMatchObject([{ sentBecause: 'JOINED', sentDate: clock.now().toISOString() }]);
  expect(late.recipients[0]?.sentDate).not.toBe(late.receivedDate);

  const part2 = await scene();
  await db.query(sql`update groups set is_part2_facility = true where id = ${part2.hospital.groupId}`);
  await part2.send('A01', '202611200900');
  const [id, eventId] = [await part2.patientId(), await part2.eventOf('ADMIT')];
  const nurse = await part2.program.member('care coordinator');
  expect(await refusal(nurse, id, eventId)).toBe('NOT_FOUND');
  clock.advance(60_000);
  const facility = await part2.hospital.member('administrator');
  await consentTo(facility, await part2.hospitalPatientId(), part2.program.groupId);
  const released = await explain(nurse, id, eventId);
  expect(released.recipients).toMatchObject([{ sentBecause: 'CONSENT', consentDate: clock.now().toISOString() }]);
});

test('on a feed that a Part 2 facility uses too, no message shows what it is, whether or not the patient went there', async () => {
  const { hospital, program, person, code, feedId, send, patientId, eventOf: event } = await scene();
  const clinic = await make.group({
    organizationId: hospital.organizationId,
    type: 'HOS',
    facilityType: 'HOS',
    isAutomated: true,
    isPart2Facility: true,
  });
  await db.query(
    sql`insert into feed_facilities (feed_id, identifier, group_id) values (${feedId}, ${`P-${code}`}, ${clinic.id})`,
  );
  const coordinator = await program.member('care coordinator');
  await send('A01', '202611200900');
  await send('A02', '202611200930', { placedAt: `P-${code}` });
  const moved = await explain(coordinator, await patientId(), await event('DISCHARGE'));
  expect(moved.ping.dischargedTo).toBeNull();
  expect(await eventOf(clinic.id, 'ADMIT')).not.toBe('0');
  const { ping, messages } = moved;
  expect(messages.map(({ trigger, outcome, facts, role }) => [trigger, outcome, facts, role])).toEqual([
    [null, null, [], 'REPORTED'],
  ]);
  const other = { ...person, family: `${person.family}a`, given: 'Quillon', birthDate: '1941-03-07' };
  await hosp.list(program.groupId, other);
  await send('A01', '202611200900', { person: other, record: 'MR-2', visit: 'V-2' });
  await send('A03', '202611200930', { person: other, record: 'MR-2', visit: 'V-2', discharged: '202611200930' });
  const { rows } = await db.query<{ id: string }>(sql`
    select r.id || '_' || e.id as id from roster_patients r join encounters e on e.person_id = r.person_id
    where r.group_id = ${program.groupId} and r.last_name = ${other.family}`);
  const plain = await explain(coordinator, rows[0]?.id ?? '', await event('DISCHARGE'));
  const shape = (each: typeof plain) =>
    each.messages.map((message) => ({ ...message, controlId: '', hash: '', sentDate: '', receivedDate: '' }));
  expect(shape(plain)).toEqual(shape(moved));
  expect(ping.status).toBe(plain.ping.status);
});

test('a visit that turned out to be someone else’s is explained without anything about it', async () => {
  const { program, send, person, patientId, eventOf: event } = await scene();
  const coordinator = await program.member('care coordinator');
  await send('A01', '202611200900');
  const [id, eventId] = [await patientId(), await event('ADMIT')];
  await send('A08', '202611200930', {
    person: { ...person, family: 'Underhollow', given: 'Basil', birthDate: '1931-08-19', sex: 'M' },
  });
  const found = await explain(coordinator, id, eventId);
  expect(found).toMatchObject({ isMoved: true, messages: [], stay: null, ping: { state: 'CANCELLED' } });
});

test('it names who on the team opened the stay since the ping, and no other team’s users', async () => {
  const { program, send, patientId, eventOf: event } = await scene();
  await send('A01', '202611200900');
  const [id, eventId] = [await patientId(), await event('ADMIT')];
  const other = await make.team({ organizationId: program.organizationId, groupIds: [program.groupId] });
  const { username, id: otherId } = await make.user({ team: other, role: 'viewer' });
  await (await signIn(app, username)).call('GET /api/patients/:id', { params: { id } });
  const nurse = await program.member('care coordinator', { firstName: 'Nadia', lastName: 'Ross' });
  expect((await explain(nurse, id, eventId)).readers).toEqual([]);
  clock.advance(60_000);
  await nurse.call('GET /api/patients/:id', { params: { id } });
  const { readers } = await explain(nurse, id, eventId);
  expect(readers).toMatchObject([{ name: 'Nadia Ross', lastDate: clock.now().toISOString() }]);
  expect(readers).toHaveLength(1);
  expect(otherId).not.toBe(nurse.userId);
});

import { expect, test } from 'vitest';
import type { MissingPingFinding } from '#contract/missing-pings.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Client } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { startExplainedApp } from '#server/testing/explained.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const { clock, db, hosp, scene, make, alsoAdministers } = await startExplainedApp();
const KEY = 'GET /api/patients/:id/missing-pings';
const TODAY = '2026-11-20';

const ask = (client: Client, id: string, query: { day?: string; facilityId?: string } = {}) =>
  client.call(KEY, { params: { id }, query });
const codesOf = async (client: Client, id: string, query = {}) =>
  (await ask(client, id, query)).findings.map(({ code }) => code);
const findingOf = async (client: Client, id: string, code: string, query = {}): Promise<MissingPingFinding> => {
  const { findings } = await ask(client, id, query);
  const found = findings.find((finding) => finding.code === code);
  if (!found) throw new Error(`Found only ${findings.map((finding) => finding.code).join()}`);
  return found;
};
type Scene = Awaited<ReturnType<typeof scene>>;
/** An administrator of the program and of the hospital, which are of one organization. */
async function administrator({ program, hospital }: Scene) {
  const client = await program.member('administrator');
  await alsoAdministers(client.userId, hospital.team.id);
  return client;
}
const listingsOf = (groupId: string) => sql`group_id = ${groupId}`;

test('a ping that is there is named with what became of it', async () => {
  const { program, send, patientId, eventOf } = await scene();
  const admin = await program.member('administrator');
  await send('A01', '202611200900');
  const id = await patientId();
  expect(await findingOf(admin, id, 'PING_SENT')).toMatchObject({
    groupName: program.name,
    event: { code: 'ADMIT', timeZone: 'America/New_York' },
    date: clock.now().toISOString(),
    patientId: id,
    messageId: null,
  });
  const body = { eventIdentifier: await eventOf('ADMIT'), status: 'DISMISSED' as const, resolutions: [] };
  await admin.call('POST /api/patients/:id/events/management-status', { params: { id }, body });
  expect(await codesOf(admin, id)).toEqual(['PING_RESOLVED']);
  await send('A11', '202611200930');
  expect(await codesOf(admin, id)).toEqual(['PING_RETRACTED']);
  expect(await codesOf(admin, id, { day: '2026-11-21' })).toEqual(['NOTHING']);
});

test('late, closed by the system, and now another person’s', async () => {
  const late = await scene();
  await late.send('A01', '202611130900', { admitted: '202611130900' });
  const admin = await late.program.member('administrator');
  expect(await codesOf(admin, await late.patientId(), { day: '2026-11-13' })).toEqual(['PING_LATE']);
  await late.send('A03', '202611140900', { discharged: '202611140900', disposition: '20' });
  await late.send('A03', '202611140900', { discharged: '202611140900', disposition: '20', deceased: true });
  const closed = await findingOf(admin, await late.patientId(), 'PING_SYSTEM_RESOLVED', { day: '2026-11-13' });
  expect(closed.detail).toMatch(/died|death/i);

  const moved = await scene();
  await moved.send('A01', '202611200900');
  const id = await moved.patientId();
  await moved.send('A08', '202611200930', {
    person: { ...moved.person, family: 'Underhollow', given: 'Basil', birthDate: '1931-08-19', sex: 'M' },
  });
  const own = await moved.program.member('administrator');
  expect(await findingOf(own, `${id.split('_')[0]}_0`, 'PING_MOVED')).toMatchObject({ facilityName: null });
});

test('the sending facility, a history feed, and a patient who was not on the list yet or not any more', async () => {
  const here = await scene({ isOneOrganization: true });
  const admin = await administrator(here);
  await here.send('A01', '202611200900');
  const hospitalAdmin = await here.hospital.member('administrator');
  expect(await codesOf(hospitalAdmin, await here.hospitalPatientId())).toContain('OWN_FACILITY');
  const left = new Date(clock.now().getTime() - 60_000);
  await db.query(sql`update roster_patients set left_at = ${left} where ${listingsOf(here.program.groupId)}`);
  await here.send('A02', '202611200955', { unit: 'ICU' });
  expect(await findingOf(admin, await here.patientId(), 'EVENT_AFTER_LEAVING')).toMatchObject({
    date: left.toISOString(),
    event: { code: 'TRANSFER' },
  });
  expect(await codesOf(admin, await here.patientId(), { day: '2026-11-21' })).toContain('LEFT_LIST');
  expect(await codesOf(admin, await here.patientId(), { day: '2026-11-10' })).toContain('NOT_LISTED_YET');

  const joined = await scene({ isListed: false });
  await joined.send('A01', '202611200900');
  await joined.send('A03', '202611200930', { discharged: '202611200930' });
  clock.advance(60_000);
  await hosp.list(joined.program.groupId, joined.person);
  const theirs = await joined.program.member('administrator');
  expect(await codesOf(theirs, await joined.patientId())).toEqual(['EVENT_BEFORE_LISTING', 'EVENT_BEFORE_LISTING']);

  const past = await scene();
  await db.query(sql`update feeds set is_backfill = true where id = ${past.feedId}`);
  await past.send('A01', '202611200900');
  expect(await codesOf(await past.program.member('administrator'), await past.patientId())).toEqual(['BACKFILL']);
});

test('administrators of the facility learn what became of its messages, others do not', async () => {
  const here = await scene({ isOneOrganization: true });
  const both = await administrator(here);
  const facilityId = here.hospital.groupId;
  const id = await here.patientId();
  expect(await codesOf(both, id, { facilityId })).toEqual(['NO_MESSAGE']);
  const first = here.message('A01', '202611190900', { admitted: '202611190900' });
  await hosp.send(first);
  await hosp.send(first);
  await here.send('A08', '202611200930', { admitted: '202611190900' });
  await here.send('P11', '202611200935');
  const found = await codesOf(both, id);
  expect(found).toEqual(expect.arrayContaining(['NO_NEW_EVENT', 'NOT_ACTED_ON', 'DUPLICATE']));
  const update = await findingOf(both, id, 'NO_NEW_EVENT');
  expect(update.detail).toMatch(/^No new event/);
  expect(update.messageId).toMatch(/^\d+$/);
  const onlyProgram = await here.program.member('administrator');
  const { findings, facilities } = await ask(onlyProgram, id);
  expect(facilities).toEqual([]);
  expect(findings.every(({ messageId, code }) => messageId === null && code.startsWith('PING_'))).toBe(true);
  expect((await errorOf(onlyProgram, KEY, { params: { id }, query: { facilityId } })).errorKey).toBe('NOT_FOUND');
  await db.query(sql`update feeds set paused_at = ${clock.now()} where id = ${here.feedId}`);
  expect(await codesOf(both, id)).toContain('FEED_PAUSED');
});

test('messages in quarantine and about others, and a facility where staff enter stays', async () => {
  const here = await scene({ isOneOrganization: true });
  const both = await administrator(here);
  const query = { facilityId: here.hospital.groupId };
  await here.send('A01', '202611200940', { person: newPerson(), record: 'MR-9', visit: 'V-9' });
  expect(await findingOf(both, await here.patientId(), 'NO_MESSAGE_OF_PATIENT', query)).toMatchObject({ count: 1 });
  await hosp.send(here.message('A01', '202611200941').replace(/PID\|[^\r]*\r/, ''));
  const stopped = await findingOf(both, await here.patientId(), 'QUARANTINED', query);
  expect(stopped).toMatchObject({ count: 1, facilityName: here.hospital.name });
  expect(stopped.detail).toContain('PID segment is missing');
  await db.query(sql`update groups set is_automated = false where id = ${here.hospital.groupId}`);
  expect(await codesOf(both, await here.patientId(), query)).toEqual(['NO_ENTRY']);
});

test('a match that waits for review, and a record of the same name that belongs to someone else', async () => {
  const here = await scene({ isListed: false, isOneOrganization: true });
  await here.send('A01', '202611200900');
  const twin = { first_name: here.person.given, last_name: here.person.family, date_of_birth: here.person.birthDate };
  const { rows } = await db.query<{ first: string; last: string }>(sql`
    select sort_first as first, sort_last as last from roster_patients where ${listingsOf(here.hospital.groupId)}`);
  const names = { sort_first: rows[0]?.first, sort_last: rows[0]?.last };
  const listing = await make.rosterPatient({ groupId: here.program.groupId, ...twin, ...names });
  const client = await here.program.member('administrator');
  await db.query(
    sql`insert into team_groups (team_id, group_id) values (${here.program.team.id}, ${here.hospital.groupId}) on conflict do nothing`,
  );
  await db.query(sql`
    insert into grants (user_id, team_id, group_id, role_id)
    select user_id, team_id, ${here.hospital.groupId}, role_id from grants where user_id = ${client.userId} limit 1`);
  const id = `${listing.id}_0`;
  expect(await findingOf(client, id, 'OTHER_RECORD')).toMatchObject({ groupName: here.hospital.name });
  await db.query(sql`
    insert into match_reviews (subject, subject_id, group_id, candidates, created_at)
    values ('ROSTER_PATIENT', ${listing.id}, ${here.program.groupId}, '[]', ${clock.now()})`);
  expect(await findingOf(client, id, 'IN_REVIEW')).toMatchObject({ groupName: here.program.name });
});

test('a listed name that hospitals give to unknown patients, until the person leaves the list', async () => {
  const here = await scene({ isListed: false });
  const person = { ...here.person, family: 'Zzadmquux' };
  const listing = await hosp.list(here.program.groupId, person);
  await here.send('A01', '202611200900', { person });
  const admin = await here.program.member('administrator');
  expect(await findingOf(admin, `${listing}_0`, 'PLACEHOLDER_NAME')).toMatchObject({ groupName: here.program.name });
  await db.query(sql`update roster_patients set left_at = ${clock.now()} where id = ${listing}`);
  expect(await codesOf(admin, `${listing}_0`)).not.toContain('PLACEHOLDER_NAME');
});

test('a Part 2 visit and a stranger’s visit change nothing in the answer, except for the facility’s own administrators', async () => {
  const treated = await scene({ isOneOrganization: true });
  await db.query(sql`update groups set is_part2_facility = true where id = ${treated.hospital.groupId}`);
  await treated.send('A01', '202611200900');
  const untreated = await scene();
  await untreated.send('A01', '202611200900', { person: newPerson(), record: 'MR-7', visit: 'V-7' });
  const bare = async ({ program, person }: Scene) => {
    const { rows } = await db.query<{ id: string }>(
      sql`select id || '_0' as id from roster_patients where ${listingsOf(program.groupId)} and last_name = ${person.family}`,
    );
    const { patientId, ...answer } = await ask(await program.member('administrator'), rows[0]?.id ?? '');
    expect(patientId).toBe(rows[0]?.id);
    return answer;
  };
  expect(await bare(treated)).toEqual(await bare(untreated));
  expect((await bare(treated)).findings.map(({ code }) => code)).toEqual(['NOTHING']);
  const both = await administrator(treated);
  const [listing] = (await treated.patientId()).split('_');
  expect(await codesOf(both, `${listing}_0`)).toContain('NO_CONSENT');
});

test('it is for administrators, of whose lists the patient is; a day that does not exist, is to come or is long past is refused', async () => {
  const { program, send, patientId } = await scene();
  await send('A01', '202611200900');
  const id = await patientId();
  const refusal = async (client: Client, query = {}) =>
    (await errorOf(client, KEY, { params: { id }, query })).errorKey;
  expect(await refusal(await program.member('care coordinator'))).toBe('NOT_PERMITTED');
  expect(await refusal(await (await scene()).program.member('administrator'))).toBe('NOT_FOUND');
  const days = ['2026-02-30', '2026-11-22', '9999-12-31', '1899-12-31', '0001-01-01'];
  for (const day of days) expect(await refusal(await program.member('administrator'), { day })).toBe('BAD_REQUEST');
  expect((await ask(await program.member('administrator'), id)).day).toBe(TODAY);
});
